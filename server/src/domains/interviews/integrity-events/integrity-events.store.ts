import { categoryOf, type EventCategory, momentKinds } from '@integrity/protocol'
import type { Scope } from '../../../kernel/identity/scope.ts'
import type { Stretch } from '../../../kernel/paging.ts'
import type { ColumnSpec, Param, Reader, Tx } from '../../../platform/db/types.ts'

export interface EventRow {
  readonly id: string
  readonly clientId: string
  readonly position: number
  /** Its place in the list that it was read for. */
  readonly place: number
  readonly kind: string
  readonly observedAt: number
  readonly monotonicMs: number | null
  readonly source: string
  /** JSON text. */
  readonly data: string
  readonly receivedAt: number
}

type NewRow = Omit<EventRow, 'place' | 'position'>

/** A batch of one session, which is locked. */
export interface SessionRows {
  readonly sessionId: string
  readonly rows: readonly NewRow[]
  /** The session's last position, and its last one among the observations. */
  readonly after: Positions
}
export interface Positions {
  readonly eventCount: number
  readonly observationCount: number
  readonly eventBytes: number
}

const isObservation = ({ kind }: { readonly kind: string }): boolean => categoryOf(kind) === 'observation'

/** The session's counters after these rows. */
export const positionsAfter = (
  { eventCount, observationCount, eventBytes }: Positions,
  rows: readonly NewRow[],
): Positions => ({
  eventCount: eventCount + rows.length,
  observationCount: observationCount + rows.filter(isObservation).length,
  eventBytes: rows.reduce((sum, { data }) => sum + data.length, eventBytes),
})

const eventColumns: readonly ColumnSpec[] = [
  { name: 'org_id', type: 'text' },
  { name: 'session_id', type: 'text' },
  { name: 'position', type: 'bigint' },
  { name: 'event_id', type: 'text' },
  { name: 'client_id', type: 'text' },
  { name: 'kind', type: 'text' },
  { name: 'observed_at', type: 'bigint' },
  { name: 'monotonic_ms', type: 'double precision' },
  { name: 'source', type: 'text' },
  { name: 'data', type: 'text' },
  { name: 'received_at', type: 'bigint' },
  { name: 'bookkeeping', type: 'integer' },
  { name: 'category_position', type: 'bigint' },
]
const oncePerClientId = {
  skipConflictsOn: ['org_id', 'client_id', 'session_id'],
  conflictsAreRare: true,
  returning: ['session_id', 'client_id'],
} as const

/** Rows as `eventColumns` takes them, numbered behind `after`, among all and within their category. */
const eventValues = (scope: Scope, { sessionId, rows, after }: SessionRows): Param[][] => {
  let { observationCount } = after
  return rows.map((row, index) => {
    const position = after.eventCount + index + 1
    const observed = isObservation(row)
    if (observed) observationCount += 1
    return [
      scope.orgId,
      sessionId,
      position,
      row.id,
      row.clientId,
      row.kind,
      row.observedAt,
      row.monotonicMs,
      row.source,
      row.data,
      row.receivedAt,
      observed ? 0 : 1,
      observed ? observationCount : position - observationCount,
    ]
  })
}

const insert = (tx: Tx, values: Param[][]): Promise<{ session_id: string; client_id: string }[]> =>
  tx.insertMany('integrity_events', eventColumns, values, oncePerClientId)

/**
 * Appends batches of different sessions at once, skipping what is here already, and answers the new rows of each.
 * Positions stay dense: where some rows were skipped, which is rare, the new ones are taken back and numbered again.
 */
export const appendEvents = async (
  tx: Tx,
  scope: Scope,
  batches: readonly SessionRows[],
): Promise<(readonly NewRow[])[]> => {
  const values = batches.flatMap((batch) => eventValues(scope, batch))
  const inserted = await insert(tx, values)
  if (inserted.length === values.length) return batches.map(({ rows }) => rows)
  const left = new Set(inserted.map((row) => `${row.session_id} ${row.client_id}`))
  const fresh: (readonly NewRow[])[] = []
  for (const { sessionId, rows, after } of batches) {
    const own = rows.filter(({ clientId }) => left.delete(`${sessionId} ${clientId}`))
    fresh.push(own)
    if (own.length === rows.length) continue
    await tx.run('DELETE FROM integrity_events WHERE org_id = ? AND session_id = ? AND position > ?', [
      scope.orgId,
      sessionId,
      after.eventCount,
    ])
    await insert(tx, eventValues(scope, { sessionId, rows: own, after }))
  }
  return fresh
}

const countColumns: readonly ColumnSpec[] = [
  { name: 'org_id', type: 'text' },
  { name: 'session_id', type: 'text' },
  { name: 'kind', type: 'text' },
  { name: 'n', type: 'bigint' },
]
const added = {
  upsert: { on: ['org_id', 'session_id', 'kind'], set: 'n = integrity_event_counts.n + excluded.n' },
} as const

/** No kind of a session comes twice. */
export const addCounts = async (
  tx: Tx,
  scope: Scope,
  counts: readonly { readonly sessionId: string; readonly kind: string; readonly n: number }[],
): Promise<void> => {
  const rows = counts.map(({ sessionId, kind, n }) => [scope.orgId, sessionId, kind, n])
  await tx.insertMany('integrity_event_counts', countColumns, rows, added)
}

const counterColumns: readonly ColumnSpec[] = [
  { name: 'org_id', type: 'text' },
  { name: 'session_id', type: 'text' },
  { name: 'event_count', type: 'bigint' },
  { name: 'observation_count', type: 'bigint' },
  { name: 'event_bytes', type: 'bigint' },
  { name: 'last_contact_at', type: 'bigint' },
]
const replaced = {
  upsert: {
    on: ['org_id', 'session_id'],
    set: `event_count = excluded.event_count, observation_count = excluded.observation_count, event_bytes = excluded.event_bytes,
      last_contact_at = excluded.last_contact_at`,
  },
} as const

/** The sessions' counters of events and the time of their last contact. */
export const touchSessions = async (
  tx: Tx,
  scope: Scope,
  sessions: readonly ({ readonly sessionId: string } & Positions)[],
  now: number,
): Promise<void> => {
  const rows = sessions.map(({ sessionId, eventCount, observationCount, eventBytes }) => [
    ...[scope.orgId, sessionId, eventCount, observationCount, eventBytes, now],
  ])
  await tx.insertMany('session_counters', counterColumns, rows, replaced)
}

/** Places are dense: rows before one are as many as it says. */
const placesOf = {
  observation: { where: 'AND bookkeeping = 0', place: 'category_position' },
  bookkeeping: { where: 'AND bookkeeping = 1', place: 'category_position' },
  all: { where: '', place: 'position' },
} as const

/** In the order of receipt. The caller has found the session in this scope. */
export const listEvents = (
  reader: Reader,
  scope: Scope,
  sessionId: string,
  category: EventCategory | 'all',
  { after, skip, take }: Stretch,
): Promise<EventRow[]> => {
  const { where, place } = placesOf[category]
  return reader.all<EventRow>(
    `SELECT event_id AS id, client_id AS "clientId", position, ${place} AS place, kind, observed_at AS "observedAt",
       monotonic_ms AS "monotonicMs", source, data, received_at AS "receivedAt"
     FROM integrity_events WHERE org_id = ? AND session_id = ? ${where} AND ${place} > ? ORDER BY ${place} LIMIT ?`,
    [scope.orgId, sessionId, Number(after?.[0] ?? 0) + skip, take],
  )
}

/** By their numbers, whatever the environment; for the operator. */
export const eventsBetween = (
  reader: Reader,
  { orgId, sessionId }: { readonly orgId: string; readonly sessionId: string },
  { first, last }: { readonly first: number; readonly last: number },
): Promise<EventRow[]> =>
  reader.all<EventRow>(
    `SELECT event_id AS id, client_id AS "clientId", position, position AS place, kind, observed_at AS "observedAt",
       monotonic_ms AS "monotonicMs", source, data, received_at AS "receivedAt"
     FROM integrity_events WHERE org_id = ? AND session_id = ? AND position >= ? AND position <= ? ORDER BY position`,
    [orgId, sessionId, first, last],
  )

/** As `integrity_events_moments` has it. */
const ofMoments = `kind IN (${momentKinds.map((kind) => `'${kind}'`).join(', ')})`

export interface ToldEvent {
  readonly id: string
  readonly kind: string
  readonly observedAt: number
  readonly source: string
  /** JSON text; `{}` where it is longer than what an observer has to say. */
  readonly data: string
}

/** The earliest events of each kind that rules about moments read. The caller has found the session in this scope. */
export const listEventsOfMoments = (
  reader: Reader,
  scope: Scope,
  sessionId: string,
  { ofKind, longest }: { readonly ofKind: number; readonly longest: number },
): Promise<ToldEvent[]> => {
  const some = momentKinds.map(
    (_kind, index) => `SELECT * FROM (
      SELECT event_id AS id, kind, observed_at AS "observedAt", source,
        CASE WHEN length(data) <= ? THEN data ELSE '{}' END AS data
      FROM integrity_events WHERE org_id = ? AND session_id = ? AND kind = ? AND ${ofMoments}
      ORDER BY observed_at, position LIMIT ?) AS of_kind_${index}`,
  )
  return reader.all<ToldEvent>(
    some.join(' UNION ALL '),
    momentKinds.flatMap((kind) => [longest, scope.orgId, sessionId, kind, ofKind]),
  )
}

/** So many entries of a session are looked through by one statement. */
const step = 2_000

/** Whether an event of this id is one of a session, which the caller has found in this scope. Costs what the session has. */
export const eventExists = async (
  reader: Reader,
  scope: Scope,
  sessionId: string,
  { id, last }: { readonly id: string; readonly last: number },
): Promise<boolean> => {
  for (let after = 0; after < last; after += step) {
    const found = await reader.get(
      `SELECT 1 AS one FROM integrity_events
       WHERE org_id = ? AND session_id = ? AND position > ? AND position <= ? AND event_id = ?`,
      [scope.orgId, sessionId, after, after + step, id],
    )
    if (found) return true
  }
  return false
}

/** The number of events of each kind in a category. */
export const eventCounts = async (
  reader: Reader,
  scope: Scope,
  sessionId: string,
  category: EventCategory | 'all',
): Promise<Record<string, number>> => {
  const rows = await reader.all<{ kind: string; n: number }>(
    'SELECT kind, n FROM integrity_event_counts WHERE org_id = ? AND session_id = ? ORDER BY kind',
    [scope.orgId, sessionId],
  )
  const wanted = rows.filter(({ kind }) => category === 'all' || categoryOf(kind) === category)
  return Object.fromEntries(wanted.map(({ kind, n }) => [kind, n]))
}

/** The client's own id can say anything, too: the service's takes its place. What was no event, by its position, stays none. */
export const eraseEventWords = async (
  tx: Tx,
  scope: Scope,
  { sessionId, states }: { readonly sessionId: string; readonly states: readonly number[] },
): Promise<void> => {
  const isState = states.length > 0 ? `position IN (${states.map(() => '?').join(', ')})` : '1 = 0'
  await tx.run(
    `UPDATE integrity_events SET source = '', client_id = event_id,
       data = CASE WHEN ${isState} THEN '{"sinceBeforeSession":true}' ELSE '{}' END
     WHERE org_id = ? AND session_id = ? AND client_id <> event_id`,
    [...states, scope.orgId, sessionId],
  )
}
