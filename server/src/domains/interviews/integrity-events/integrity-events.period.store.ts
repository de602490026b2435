import type { EventCategory } from '@integrity/protocol'
import type { Scope } from '../../../kernel/identity/scope.ts'
import type { Stretch } from '../../../kernel/paging.ts'
import { merged, type Slice } from '../../../platform/db/merged.ts'
import type { Reader } from '../../../platform/db/types.ts'
import type { EventRow } from './integrity-events.store.ts'

/** Epoch milliseconds; `untilAt` is left out. */
interface Period {
  readonly fromAt: number
  readonly untilAt: number
}

const categories = { observation: [0], bookkeeping: [1], all: [0, 1] } as const

/** Of each category there is an index in the order of time. */
const slicesOf = (
  scope: Scope,
  sessionId: string,
  category: EventCategory | 'all',
  { fromAt, untilAt }: Period,
  after: Stretch['after'],
): Slice[] =>
  categories[category].map((bookkeeping) => ({
    sql: `SELECT observed_at AS at, position FROM integrity_events
      WHERE org_id = ? AND session_id = ? AND bookkeeping = ${bookkeeping}
        AND ${after ? '(observed_at, position) > (?, ?)' : 'observed_at >= ?'} AND observed_at < ?`,
    params: [scope.orgId, sessionId, ...(after ?? [fromAt]), untilAt],
  }))

export const keyInPeriod = ({ observedAt, position }: EventRow) => [observedAt, position] as const

/** What was observed in a period, in the order of time. The caller has found the session in this scope. */
export const listEventsInPeriod = (
  reader: Reader,
  scope: Scope,
  sessionId: string,
  category: EventCategory | 'all',
  period: Period,
  { after, skip, take }: Stretch,
): Promise<EventRow[]> => {
  const places = merged(slicesOf(scope, sessionId, category, period, after), 'at, position', { skip, take })
  return reader.all<EventRow>(
    `SELECT event_id AS id, client_id AS "clientId", position, position AS place, kind, observed_at AS "observedAt",
       monotonic_ms AS "monotonicMs", source, data, received_at AS "receivedAt"
     FROM integrity_events WHERE org_id = ? AND session_id = ?
       AND position IN (SELECT position FROM (${places.sql}) AS places) ORDER BY observed_at, position`,
    [scope.orgId, sessionId, ...places.params],
  )
}

export const countEventsInPeriod = async (
  reader: Reader,
  scope: Scope,
  sessionId: string,
  category: EventCategory | 'all',
  period: Period,
): Promise<number> => {
  const slices = slicesOf(scope, sessionId, category, period, undefined)
  const row = await reader.get<{ counted: number }>(
    `SELECT count(*) AS counted FROM (${slices.map(({ sql }) => sql).join(' UNION ALL ')}) AS places`,
    slices.flatMap(({ params }) => params),
  )
  return row?.counted ?? 0
}
