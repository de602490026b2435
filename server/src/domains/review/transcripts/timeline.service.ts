import { timelineKinds } from '@integrity/protocol'
import { type AskedPeriod, askedPeriod, type PeriodQuery } from '../../../kernel/asked-period.ts'
import type { Reads } from '../../../kernel/call.ts'
import { type List, type PageOf, type PageQuery, readPage, type Stretch } from '../../../kernel/paging.ts'
import { totalOf } from '../../interviews/integrity-events/integrity-events.service.ts'
import { readStates } from '../../interviews/integrity-events/integrity-events.states.service.ts'
import { getSession } from '../../interviews/sessions/sessions.read.service.ts'
import type { SessionRow } from '../../interviews/sessions/sessions.types.ts'
import { evidenceInventory } from '../../recording/evidence/evidence.service.ts'
import { behind, byPlace, placeOf } from './timeline.derived.model.ts'
import {
  type EventEntry,
  isRecorded,
  keyOfPlace,
  type RecordedEntry,
  type ScreenshotEntry,
  type StatementEntry,
  type StoredKind,
  sources,
  type TimelineKind,
  type TimelinePlace,
  type TimelineSession,
} from './timeline.places.store.ts'
import {
  countStatements,
  countWithin,
  listPlaces,
  readEvents,
  readRecorded,
  readScreenshots,
  readSpeech,
  readStatements,
} from './timeline.store.ts'
import type { DerivedEntry } from './timeline.types.ts'
import { transcriptHead } from './transcripts.store.ts'
import type { SegmentRow } from './transcripts.types.ts'

export type TimelineEntry =
  | EventEntry
  | ScreenshotEntry
  | RecordedEntry
  | StatementEntry
  | DerivedEntry
  | { readonly kind: 'speech'; readonly at: number; readonly segment: SegmentRow }

const nameOf = (rank: number, sequence: number, tie: string) => `${rank} ${sequence} ${tie}`

/** What stands at these places. What was erased meanwhile is left out. */
const readEntries = async (
  { reader, scope }: Reads,
  session: TimelineSession,
  places: readonly TimelinePlace[],
  { kinds, derived }: { readonly kinds: readonly StoredKind[]; readonly derived: readonly DerivedEntry[] },
): Promise<TimelineEntry[]> => {
  const category = kinds.includes('bookkeeping') ? 'bookkeeping' : 'event'
  const events = await readEvents(reader, scope, session, places, category)
  const shots = await readScreenshots(reader, scope, session, places)
  const segments = await readSpeech(reader, scope, session, places)
  const statements = await readStatements(reader, scope, session, places)
  const found = new Map<string, TimelineEntry>()
  for (const kind of kinds.filter(isRecorded))
    for (const item of await readRecorded(reader, scope, session, places, kind))
      found.set(nameOf(sources[kind].rank, item.sequence, ''), item)
  for (const event of events) found.set(nameOf(sources.event.rank, event.sequence, ''), event)
  for (const shot of shots) found.set(nameOf(sources.screenshot.rank, shot.sequence, ''), shot)
  for (const statement of statements) found.set(nameOf(sources.statement.rank, 0, statement.id), statement)
  for (const segment of segments)
    found.set(nameOf(sources.speech.rank, segment.sequence, segment.id), {
      kind: 'speech',
      at: (session.startedAt ?? 0) + segment.startMs,
      segment,
    })
  for (const entry of derived) {
    const { rank, sequence, tie } = placeOf(entry)
    found.set(nameOf(rank, sequence, tie), entry)
  }
  return places
    .map(({ rank, sequence, tie }) => found.get(nameOf(rank, sequence, tie)))
    .filter((entry) => entry !== undefined)
}

const countOf = async (
  call: Reads,
  session: SessionRow & TimelineSession,
  kind: StoredKind,
  period: AskedPeriod | undefined,
): Promise<number> => {
  if (period) return countWithin(call.reader, call.scope, session, kind, period)
  if (kind === 'event') return session.eventCount - session.states.size
  if (kind === 'bookkeeping') return totalOf(call, { sessionId: session.id, category: kind })
  if (kind === 'speech') return (await transcriptHead(call.reader, call.scope, session.id)).segments
  if (kind === 'statement') return countStatements(call.reader, call.scope, session)
  const counts = await evidenceInventory(call, session.id)
  const items = counts.find(({ evidenceType }) => evidenceType === kind)
  return items ? items.objects - items.erasedObjects : 0
}

const isStored = (kind: TimelineKind): kind is StoredKind => Object.hasOwn(sources, kind)

/** What is stored beside what is not: of each no more is read than a page could need. */
const placesOf = async (
  { reader, scope }: Reads,
  session: TimelineSession,
  asked: { readonly kinds: readonly StoredKind[]; readonly period: AskedPeriod | undefined },
  derived: readonly DerivedEntry[],
  stretch: Stretch,
): Promise<readonly TimelinePlace[]> => {
  if (derived.length === 0) return listPlaces(reader, scope, session, asked, stretch)
  const { after, skip, take } = stretch
  const most = skip + take
  const stored = await listPlaces(reader, scope, session, asked, { after, skip: 0, take: most })
  const others = behind(derived.map(placeOf).sort(byPlace), after).slice(0, most)
  return [...stored, ...others].sort(byPlace).slice(skip, most)
}

interface Asked {
  readonly sessionId: string
  readonly query: PageQuery & PeriodQuery & { readonly kind?: TimelineKind | undefined }
  /** What is listed beside what is stored. */
  readonly derived?: readonly DerivedEntry[]
  /** The kinds that are listed where none is named. */
  readonly among?: readonly TimelineKind[]
}

/** What happened in a session, in the order of time; items that were erased are left out. */
export const readTimeline = async (
  call: Reads,
  { sessionId, query, derived = [], among = timelineKinds }: Asked,
): Promise<{ page: PageOf<TimelineEntry>; total: number }> => {
  const { scope } = call
  const found = await getSession(call, sessionId)
  const session = { ...found, states: (await readStates(call, sessionId)).positions }
  const wanted = query.kind === undefined ? among : [query.kind]
  const kinds = wanted.filter(isStored)
  const period = askedPeriod(query)
  const { fromAt, untilAt } = period ?? { fromAt: -Infinity, untilAt: Infinity }
  const others = derived.filter(({ kind, at }) => wanted.includes(kind) && at >= fromAt && at < untilAt)
  const list: List<TimelinePlace> = {
    of: ['timeline', scope, session.id, wanted, period],
    kinds: ['number', 'number', 'number', 'string'],
    keyOf: keyOfPlace,
    fetch: (stretch) => placesOf(call, session, { kinds, period }, others, stretch),
  }
  const { rows, ...page } = await readPage(list, query)
  let total = others.length
  for (const kind of kinds) total += await countOf(call, session, kind, period)
  const entries = await readEntries(call, session, rows, { kinds, derived: others })
  return { page: { ...page, rows: entries }, total }
}

/** What the timeline of an export names. */
const exported = ['speech', 'screenshot', 'event', 'statement'] as const

/** The whole of it, page by page. Throws `not_found` at its first page for a foreign session. */
export async function* timelinePages(call: Reads, sessionId: string): AsyncGenerator<readonly TimelineEntry[]> {
  for (let cursor: string | undefined; ; ) {
    const { page } = await readTimeline(call, { sessionId, query: { limit: 500, offset: 0, cursor }, among: exported })
    yield page.rows
    if (page.nextCursor === null) return
    cursor = page.nextCursor
  }
}
