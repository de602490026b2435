import type { timelineKinds } from '@integrity/protocol'
import type { Scope } from '../../kernel/identity/scope.ts'
import type { Stretch } from '../../kernel/paging.ts'
import type { Slice } from '../../platform/db/merged.ts'
import type { Param, Reader } from '../../platform/db/types.ts'
import { type SegmentRow, columns as segmentColumns } from './transcripts.store.ts'

export type TimelineKind = (typeof timelineKinds)[number] | 'bookkeeping'

/** A place on the timeline: what happened at the same instant stands by rank, then in its own order. */
export interface TimelinePlace {
  /** Epoch milliseconds. */
  readonly at: number
  readonly rank: number
  /** The position of an event or a screenshot, the sequence of a segment. */
  readonly sequence: number
  /** The id of a segment or of a statement's request. */
  readonly tie: string
}
export const keyOfPlace = ({ at, rank, sequence, tie }: TimelinePlace) => [at, rank, sequence, tie] as const

export interface EventEntry {
  readonly kind: 'event'
  readonly at: number
  readonly id: string
  readonly sequence: number
  readonly eventKind: string
  readonly source: string
  readonly data: string
}
export interface ScreenshotEntry {
  readonly kind: 'screenshot'
  readonly at: number
  readonly id: string
  readonly sequence: number
  readonly metadata: string
}

/** The caller has found the session in this scope. */
export interface TimelineSession {
  readonly id: string
  /** Segments count their milliseconds from here; null: nothing was said. */
  readonly startedAt: number | null
  /** Positions of observations that are no events: they were so before. */
  readonly states: ReadonlySet<number>
}

export interface StatementEntry {
  readonly kind: 'statement'
  readonly at: number
  /** Of the request. */
  readonly id: string
  readonly text: string
  readonly readAt: number | null
}

interface Source {
  readonly rank: number
  /** Each source has an index that holds its places in this order. */
  readonly order: string
  readonly from: string
  readonly at: string
  readonly sequence: string
  readonly tie: string
  /** The key within the source, and its values for a place. */
  readonly key: string
  readonly keyAt: (place: { at: number; sequence: number; tie: string }, startedAt: number) => Param[]
}

const eventsWhere = (category: string): Source => ({
  rank: 0,
  order: 'observed_at, position',
  from: `integrity_events WHERE org_id = ? AND session_id = ? AND ${category}`,
  at: 'observed_at',
  sequence: 'position',
  tie: "''",
  key: '(observed_at, position)',
  keyAt: ({ at, sequence }) => [at, sequence],
})

/** The words of a statement, which an erasure takes. */
const wordsOf = (what: string): string => `SELECT ${what} FROM candidate_request_messages m
  WHERE m.org_id = r.org_id AND m.request_id = r.request_id AND m.position = 1 AND m.sender = 'candidate'`

export const sources: Readonly<Record<TimelineKind, Source>> = {
  event: eventsWhere('bookkeeping = 0'),
  bookkeeping: eventsWhere('bookkeeping = 1'),
  screenshot: {
    rank: 1,
    order: 'captured_at, position',
    from: "evidence WHERE org_id = ? AND session_id = ? AND evidence_type = 'screenshot' AND erased_at IS NULL",
    at: 'captured_at',
    sequence: 'position',
    tie: "''",
    key: '(captured_at, position)',
    keyAt: ({ at, sequence }) => [at, sequence],
  },
  statement: {
    rank: 3,
    order: 'created_at, request_id',
    from: `candidate_requests r WHERE org_id = ? AND session_id = ? AND kind = 'context_statement' AND EXISTS (${wordsOf('1')})`,
    at: 'created_at',
    sequence: '0',
    tie: 'request_id',
    key: '(created_at, request_id)',
    keyAt: ({ at, tie }) => [at, tie],
  },
  speech: {
    rank: 2,
    order: 'start_ms, sequence, segment_id',
    from: 'transcript_segments t WHERE org_id = ? AND session_id = ?',
    at: 'start_ms',
    sequence: 'sequence',
    tie: 'segment_id',
    key: '(start_ms, sequence, segment_id)',
    keyAt: ({ at, sequence, tie }, startedAt) => [at - startedAt, sequence, tie],
  },
}

/** Behind a place, as far as one source reaches: at its instant come the ranks above the place's, and not those below. */
const beyond = (source: Source, after: Stretch['after'], startedAt: number): Slice => {
  if (!after) return { sql: '', params: [] }
  const [at, rank, sequence, tie] = [Number(after[0]), Number(after[1]), Number(after[2]), String(after[3])]
  if (rank === source.rank)
    return {
      sql: `AND ${source.key} > (${source
        .keyAt({ at, sequence, tie }, startedAt)
        .map(() => '?')
        .join(', ')})`,
      params: source.keyAt({ at, sequence, tie }, startedAt),
    }
  const [instant = at] = source.keyAt({ at, sequence, tie }, startedAt)
  return { sql: `AND ${source.at} ${rank < source.rank ? '>=' : '>'} ?`, params: [instant] }
}

/** What was so before is no event. */
const withoutStates = (kind: TimelineKind, { states }: TimelineSession): Slice =>
  kind === 'event' && states.size > 0
    ? { sql: `AND position NOT IN (${[...states].map(() => '?').join(', ')})`, params: [...states] }
    : { sql: '', params: [] }

/** Where the things of these kinds stand, in the order of time; of each kind no more is read than could be needed. */
export const listPlaces = (
  reader: Reader,
  scope: Scope,
  session: TimelineSession,
  kinds: readonly TimelineKind[],
  { after, skip, take }: Stretch,
): Promise<TimelinePlace[]> => {
  const startedAt = session.startedAt ?? 0
  const slices = kinds.map((kind): Slice => {
    const source = sources[kind]
    const rest = beyond(source, after, startedAt)
    const events = withoutStates(kind, session)
    return {
      sql: `SELECT * FROM (SELECT ${source.at} + CAST(? AS bigint) AS at, ${source.rank} AS rank,
          ${source.sequence} AS sequence, ${source.tie} AS tie
        FROM ${source.from} ${events.sql} ${rest.sql} ORDER BY ${source.order} LIMIT ?) AS of_${kind}`,
      params: [
        kind === 'speech' ? startedAt : 0,
        scope.orgId,
        session.id,
        ...events.params,
        ...rest.params,
        skip + take,
      ],
    }
  })
  return reader.all<TimelinePlace>(
    `SELECT * FROM (${slices.map(({ sql }) => sql).join(' UNION ALL ')}) AS places
     ORDER BY at, rank, sequence, tie LIMIT ? OFFSET ?`,
    [...slices.flatMap(({ params }) => params), take, skip],
  )
}

/** What stands from the first of these places to the last: a page holds all of one kind that is between. */
const readBetween = <Row>(
  reader: Reader,
  scope: Scope,
  session: TimelineSession,
  places: readonly TimelinePlace[],
  kind: TimelineKind,
  columns: string,
): Promise<Row[]> => {
  const { rank, key, keyAt, from, order } = sources[kind]
  const mine = places.filter((place) => place.rank === rank)
  const [first, last] = [mine[0], mine.at(-1)]
  if (!first || !last) return Promise.resolve([])
  const startedAt = session.startedAt ?? 0
  const [low, high] = [keyAt(first, startedAt), keyAt(last, startedAt)]
  const marks = low.map(() => '?').join(', ')
  const events = withoutStates(kind, session)
  return reader.all<Row>(
    `SELECT ${columns} FROM ${from} ${events.sql} AND ${key} >= (${marks}) AND ${key} <= (${marks}) ORDER BY ${order} LIMIT ?`,
    [scope.orgId, session.id, ...events.params, ...low, ...high, mine.length],
  )
}

/** Bookkeeping, where that was asked for. */
export const readEvents = (
  reader: Reader,
  scope: Scope,
  session: TimelineSession,
  places: readonly TimelinePlace[],
  category: 'bookkeeping' | 'event',
) =>
  readBetween<EventEntry>(
    reader,
    scope,
    session,
    places,
    category,
    `'event' AS kind, observed_at AS at, event_id AS id, position AS sequence, kind AS "eventKind", source, data`,
  )

export const readScreenshots = (
  reader: Reader,
  scope: Scope,
  session: TimelineSession,
  places: readonly TimelinePlace[],
) =>
  readBetween<ScreenshotEntry>(
    reader,
    scope,
    session,
    places,
    'screenshot',
    `'screenshot' AS kind, captured_at AS at, evidence_id AS id, position AS sequence, metadata`,
  )

export const readStatements = (
  reader: Reader,
  scope: Scope,
  session: TimelineSession,
  places: readonly TimelinePlace[],
) =>
  readBetween<StatementEntry>(
    reader,
    scope,
    session,
    places,
    'statement',
    `'statement' AS kind, created_at AS at, request_id AS id, (${wordsOf('m.text')}) AS text,
       CASE WHEN status = 'completed' THEN decided_at END AS "readAt"`,
  )

export const countStatements = async (reader: Reader, scope: Scope, session: TimelineSession): Promise<number> => {
  const row = await reader.get<{ n: number }>(`SELECT count(*) AS n FROM ${sources.statement.from}`, [
    scope.orgId,
    session.id,
  ])
  return row?.n ?? 0
}

export const readSpeech = (reader: Reader, scope: Scope, session: TimelineSession, places: readonly TimelinePlace[]) =>
  readBetween<SegmentRow>(reader, scope, session, places, 'speech', segmentColumns)
