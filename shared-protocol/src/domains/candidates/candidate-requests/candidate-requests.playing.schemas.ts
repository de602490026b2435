import * as z from 'zod'
import { id, instant } from '../../../core/primitives.ts'
import { captureChain } from '../../recording/evidence/evidence.chain.schemas.ts'
import { evidence } from '../../recording/evidence/evidence.schemas.ts'
import { reelIndex, reelPlaces, reelQuery } from '../../review/reels/reels.schemas.ts'

const ofCopy = { requestId: z.string().min(1).max(64).meta({ description: 'the approved request for a copy' }) }

export const playingBody = z.object(ofCopy)

/** What a player needs of an approved copy but the bytes; the moments have an endpoint of their own. */
export const ownReelIndex = reelIndex
  .pick({ sessionId: true, startedAt: true, endedAt: true, sources: true, speech: true, complete: true })
  .extend({
    keys: z
      .array(captureChain.shape.chains.element.pick({ key: true, documentHash: true, signature: true }))
      .meta({ description: 'the keys that machines registered for the session, by which its items are signed' }),
  })
  .meta({ id: 'OwnReelIndex' })

const place = z.number().int().min(reelPlaces.least).max(reelPlaces.most).optional()

export const ownReelBody = z
  .object({
    ...ofCopy,
    source: z.string().min(1).max(200).meta({ description: 'as the index names it' }),
    from: place.meta({ description: 'milliseconds since the session started, inclusive; the first item unless given' }),
    to: place.meta({ description: 'milliseconds since the session started, exclusive' }),
    size: reelQuery.shape.size,
  })
  .refine(({ from, to }) => from === undefined || to === undefined || from <= to, {
    path: ['from'],
    message: 'must not be after to',
  })

export const signaturesBody = z.object({
  ...ofCopy,
  from: instant.meta({ description: 'captured from, inclusive' }),
  to: instant.meta({ description: 'captured to, exclusive' }),
  cursor: z.string().min(1).max(1000).optional().meta({ description: '`nextCursor` of the page before' }),
})
/** How many items a page of what was signed has. */
export const signaturesPageItems = 100

export const ownSignatures = z
  .object({
    items: z.array(
      evidence
        .pick({ sha256: true, evidenceType: true, capturedAt: true, durationMs: true, captureSignature: true })
        .extend({ id: id('evd') }),
    ),
    nextCursor: z.string().nullable().meta({ description: 'null: this is the last page' }),
  })
  .meta({ id: 'OwnSignatures' })
