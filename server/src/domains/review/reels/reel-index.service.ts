import { createHash } from 'node:crypto'
import { type ownReelIndex, type reelIndex, reelIndexLimits } from '@integrity/protocol'
import type * as z from 'zod'
import type { By, Needs, Reads } from '../../../kernel/call.ts'
import { Reply } from '../../../kernel/handler.ts'
import type { ActorOf } from '../../../kernel/identity/actor.ts'
import { captureKeysOf } from '../../interviews/capture-keys/capture-keys.service.ts'
import { statementsOf } from '../../interviews/statements/statements.service.ts'
import { indexItems } from '../../recording/evidence/spans.service.ts'
import { notesOf } from '../notes/notes.service.ts'
import { readMoments } from '../reports/coverage.service.ts'
import { segmentPages } from '../transcripts/transcripts.service.ts'
import type { SegmentRow } from '../transcripts/transcripts.types.ts'
import { reelIndexView } from './reel-index.view.ts'

/** The first so many stretches of speech. */
const readSpeech = async (call: Reads, sessionId: string, most: number): Promise<SegmentRow[]> => {
  const rows: SegmentRow[] = []
  for await (const page of segmentPages(call, sessionId)) {
    rows.push(...page)
    if (rows.length >= most) break
  }
  return rows.slice(0, most)
}

/**
 * Everything that a player needs of an interview but the bytes, with a tag that changes with it. Which items there are, and
 * what was said, is for who may view evidence. Throws `not_found`.
 */
export const readReelIndex = async (
  call: Reads & By<ActorOf<'api_key' | 'user'>> & Needs<'clock'>,
  sessionId: string,
): Promise<Reply<z.input<typeof reelIndex>>> => {
  const { actor } = call
  const mayView = actor.kind === 'api_key' || actor.permissions.includes('evidence.view')
  const moments = await readMoments(call, sessionId)
  const view = reelIndexView(
    {
      ...moments,
      notes: await notesOf(call, sessionId),
      statements: await statementsOf(call, sessionId),
      // One more than is named tells that there are others.
      items: mayView ? await indexItems(call, { sessionId, take: reelIndexLimits.items + 1 }) : undefined,
      speech: mayView ? await readSpeech(call, sessionId, reelIndexLimits.speech + 1) : undefined,
    },
    { named: actor.kind === 'user' },
  )
  const etag = `W/"${createHash('sha256').update(JSON.stringify(view)).digest('base64url')}"`
  return new Reply(view, { etag })
}

/** What a player needs of a copy for its candidate: nothing of those who review is in it. Throws `not_found`. */
export const readOwnReelIndex = async (
  call: Reads & Needs<'clock'>,
  sessionId: string,
): Promise<z.input<typeof ownReelIndex>> => {
  const facts = {
    ...(await readMoments(call, sessionId)),
    notes: [],
    statements: [],
    items: await indexItems(call, { sessionId, take: reelIndexLimits.items + 1 }),
    speech: await readSpeech(call, sessionId, reelIndexLimits.speech + 1),
  }
  const { startedAt, endedAt, sources, speech, complete } = reelIndexView(facts, { named: false })
  const keys = (await captureKeysOf(call, sessionId)).map(({ key, documentHash, signature }) => ({
    key,
    documentHash,
    signature,
  }))
  return { sessionId, startedAt, endedAt, sources, ...(speech && { speech }), complete, keys }
}
