import { type ownReelIndex, signaturesPageItems } from '@integrity/protocol'
import type * as z from 'zod'
import type { By, Needs, Reads } from '../../../kernel/call.ts'
import type { WholeContent } from '../../../kernel/content.ts'
import { listEvidence } from '../../recording/evidence/evidence.service.ts'
import { readOwnReelIndex } from '../../review/reels/reel-index.service.ts'
import { type ReelCall, readReel, type WantedReel } from '../../review/reels/reels.service.ts'
import { readCopied } from './access-copy.service.ts'
import type { Candidate } from './submitting.service.ts'

type PlayingCall = Reads & By<Candidate> & Needs<'clock'>

interface OfCopy {
  readonly requestId: string
}

/** What a player needs of an approved copy but the bytes. Throws as the download of that copy does. */
export const readOwnIndex = async (call: PlayingCall, { requestId }: OfCopy): Promise<z.input<typeof ownReelIndex>> => {
  const { id } = await readCopied(call, requestId)
  return readOwnReelIndex(call, id)
}

/** A stretch of what one source recorded, out of an approved copy; audited before the first byte leaves. Throws the same. */
export const readOwnReel = async (
  call: Omit<ReelCall, 'actor'> & By<Candidate>,
  { requestId, ...wanted }: OfCopy & Omit<WantedReel, 'sessionId'>,
): Promise<WholeContent> => {
  const { id: sessionId } = await readCopied(call, requestId)
  return readReel(call, { ...wanted, sessionId })
}

interface Signed extends OfCopy {
  readonly from: string
  readonly to: string
  readonly cursor?: string | undefined
}

/** What machines signed of the items of a stretch of time, out of an approved copy. Throws the same. */
export const readOwnSignatures = async (call: PlayingCall, { requestId, from, to, cursor }: Signed) => {
  const { id: sessionId } = await readCopied(call, requestId)
  const { items, nextCursor } = await listEvidence(call, {
    sessionId,
    options: { period: { fromAt: Date.parse(from), untilAt: Date.parse(to) } },
    query: { limit: signaturesPageItems, offset: 0, cursor },
  })
  return {
    items: items.map(({ id, sha256, evidenceType, capturedAt, durationMs, captureSignature }) => ({
      id,
      sha256,
      evidenceType,
      capturedAt,
      captureSignature,
      ...(durationMs === undefined ? {} : { durationMs }),
    })),
    nextCursor,
  }
}
