import { timelineKinds } from '@integrity/protocol'
import type { Reads } from '../../kernel/call.ts'
import { type List, type PageOf, type PageQuery, readPage } from '../../kernel/paging.ts'
import { evidenceInventory } from '../evidence/evidence.service.ts'
import { totalOf } from '../integrity-events/integrity-events.service.ts'
import { readStates } from '../integrity-events/integrity-events.states.service.ts'
import { getSession } from '../sessions/sessions.read.service.ts'
import type { SessionRow } from '../sessions/sessions.types.ts'
import {
  type EventEntry,
  keyOfPlace,
  listPlaces,
  readEvents,
  readScreenshots,
  readSpeech,
  type ScreenshotEntry,
  sources,
  type TimelineKind,
  type TimelinePlace,
  type TimelineSession,
} from './timeline.store.ts'
import { type SegmentRow, transcriptHead } from './transcripts.store.ts'

export type TimelineEntry =
  | EventEntry
  | ScreenshotEntry
  | { readonly kind: 'speech'; readonly at: number; readonly segment: SegmentRow }

/** What stands at these places. What was erased meanwhile is left out. */
const readEntries = async (
  { reader, scope }: Reads,
  session: TimelineSession,
  places: readonly TimelinePlace[],
  kinds: readonly TimelineKind[],
): Promise<TimelineEntry[]> => {
  const category = kinds.includes('bookkeeping') ? 'bookkeeping' : 'event'
  const events = await readEvents(reader, scope, session, places, category)
  const shots = await readScreenshots(reader, scope, session, places)
  const segments = await readSpeech(reader, scope, session, places)
  const found = new Map<string, TimelineEntry>()
  const nameOf = (rank: number, sequence: number, tie: string) => `${rank} ${sequence} ${tie}`
  for (const event of events) found.set(nameOf(sources.event.rank, event.sequence, ''), event)
  for (const shot of shots) found.set(nameOf(sources.screenshot.rank, shot.sequence, ''), shot)
  for (const segment of segments)
    found.set(nameOf(sources.speech.rank, segment.sequence, segment.id), {
      kind: 'speech',
      at: (session.startedAt ?? 0) + segment.startMs,
      segment,
    })
  return places
    .map(({ rank, sequence, tie }) => found.get(nameOf(rank, sequence, tie)))
    .filter((entry) => entry !== undefined)
}

const countOf = async (call: Reads, session: SessionRow & TimelineSession, kind: TimelineKind): Promise<number> => {
  if (kind === 'event') return session.eventCount - session.states.size
  if (kind === 'bookkeeping') return totalOf(call, { sessionId: session.id, category: kind })
  if (kind === 'speech') return (await transcriptHead(call.reader, call.scope, session.id)).segments
  const counts = await evidenceInventory(call, session.id)
  const shots = counts.find(({ evidenceType }) => evidenceType === 'screenshot')
  return shots ? shots.objects - shots.erasedObjects : 0
}

/** What happened in a session, in the order of time; screenshots that were erased are left out. */
export const readTimeline = async (
  call: Reads,
  {
    sessionId,
    query,
  }: { readonly sessionId: string; readonly query: PageQuery & { readonly kind?: TimelineKind | undefined } },
): Promise<{ page: PageOf<TimelineEntry>; total: number }> => {
  const { reader, scope } = call
  const found = await getSession(call, sessionId)
  const session = { ...found, states: (await readStates(call, sessionId)).positions }
  const kinds: readonly TimelineKind[] = query.kind === undefined ? timelineKinds : [query.kind]
  const list: List<TimelinePlace> = {
    of: ['timeline', scope, session.id, kinds],
    kinds: ['number', 'number', 'number', 'string'],
    keyOf: keyOfPlace,
    fetch: (stretch) => listPlaces(reader, scope, session, kinds, stretch),
  }
  const { rows, ...page } = await readPage(list, query)
  let total = 0
  for (const kind of kinds) total += await countOf(call, session, kind)
  return { page: { ...page, rows: await readEntries(call, session, rows, kinds) }, total }
}

/** The whole timeline, page by page. Throws `not_found` at its first page for a foreign session. */
export async function* timelinePages(call: Reads, sessionId: string): AsyncGenerator<readonly TimelineEntry[]> {
  for (let cursor: string | undefined; ; ) {
    const { page } = await readTimeline(call, { sessionId, query: { limit: 500, offset: 0, cursor } })
    yield page.rows
    if (page.nextCursor === null) return
    cursor = page.nextCursor
  }
}
