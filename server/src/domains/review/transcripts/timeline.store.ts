import type { Scope } from '../../../kernel/identity/scope.ts'
import type { Stretch } from '../../../kernel/paging.ts'
import type { Slice } from '../../../platform/db/merged.ts'
import type { Reader } from '../../../platform/db/types.ts'
import {
  type EventEntry,
  type RecordedEntry,
  type RecordedKind,
  type ScreenshotEntry,
  type Source,
  type StatementEntry,
  type StoredKind,
  sources,
  type TimelinePlace,
  type TimelineSession,
  wordsOf,
} from './timeline.places.store.ts'
import { columns as segmentColumns } from './transcripts.store.ts'
import type { SegmentRow } from './transcripts.types.ts'

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

/** What happened in a period, epoch milliseconds; `untilAt` is left out. */
interface Within {
  readonly fromAt: number
  readonly untilAt: number
}

/** Segments count from the start of the session. */
const within = (kind: StoredKind, { startedAt }: TimelineSession, period: Within | undefined): Slice => {
  if (!period) return { sql: '', params: [] }
  const start = kind === 'speech' ? (startedAt ?? 0) : 0
  const { at } = sources[kind]
  return { sql: `AND ${at} >= ? AND ${at} < ?`, params: [period.fromAt - start, period.untilAt - start] }
}

/** What was so before is no event. */
const withoutStates = (kind: StoredKind, { states }: TimelineSession): Slice =>
  kind === 'event' && states.size > 0
    ? { sql: `AND position NOT IN (${[...states].map(() => '?').join(', ')})`, params: [...states] }
    : { sql: '', params: [] }

/** Where the things of these kinds stand, in the order of time; of each kind no more is read than could be needed. */
export const listPlaces = (
  reader: Reader,
  scope: Scope,
  session: TimelineSession,
  { kinds, period }: { readonly kinds: readonly StoredKind[]; readonly period: Within | undefined },
  { after, skip, take }: Stretch,
): Promise<TimelinePlace[]> => {
  if (kinds.length === 0) return Promise.resolve([])
  const startedAt = session.startedAt ?? 0
  const slices = kinds.map((kind): Slice => {
    const source = sources[kind]
    const rest = beyond(source, after, startedAt)
    const events = withoutStates(kind, session)
    const bounds = within(kind, session, period)
    return {
      sql: `SELECT * FROM (SELECT ${source.at} + CAST(? AS bigint) AS at, ${source.rank} AS rank,
          ${source.sequence} AS sequence, ${source.tie} AS tie
        FROM ${source.from} ${events.sql} ${bounds.sql} ${rest.sql} ORDER BY ${source.order} LIMIT ?) AS of_${kind}`,
      params: [
        kind === 'speech' ? startedAt : 0,
        scope.orgId,
        session.id,
        ...events.params,
        ...bounds.params,
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
  kind: StoredKind,
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

export const readRecorded = (
  reader: Reader,
  scope: Scope,
  session: TimelineSession,
  places: readonly TimelinePlace[],
  kind: RecordedKind,
) =>
  readBetween<RecordedEntry>(
    reader,
    scope,
    session,
    places,
    kind,
    `evidence_type AS kind, captured_at AS at, evidence_id AS id, position AS sequence, metadata,
       evidence_type AS "evidenceType", source, sent_by AS "sentBy", duration_ms AS "durationMs"`,
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
       CASE WHEN status = 'completed' THEN decided_at END AS "readAt", moment_id AS "momentId", moment_at AS "momentAt"`,
  )

export const countStatements = async (reader: Reader, scope: Scope, session: TimelineSession): Promise<number> => {
  const row = await reader.get<{ n: number }>(`SELECT count(*) AS n FROM ${sources.statement.from}`, [
    scope.orgId,
    session.id,
  ])
  return row?.n ?? 0
}

/** How many of a kind there are in a period. */
export const countWithin = async (
  reader: Reader,
  scope: Scope,
  session: TimelineSession,
  kind: StoredKind,
  period: Within,
): Promise<number> => {
  const events = withoutStates(kind, session)
  const bounds = within(kind, session, period)
  const row = await reader.get<{ counted: number }>(
    `SELECT count(*) AS counted FROM ${sources[kind].from} ${events.sql} ${bounds.sql}`,
    [scope.orgId, session.id, ...events.params, ...bounds.params],
  )
  return row?.counted ?? 0
}

export const readSpeech = (reader: Reader, scope: Scope, session: TimelineSession, places: readonly TimelinePlace[]) =>
  readBetween<SegmentRow>(reader, scope, session, places, 'speech', segmentColumns)
