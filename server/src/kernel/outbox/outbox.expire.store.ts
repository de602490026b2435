import { padded } from '../../platform/db/padded-list.ts'
import type { ColumnSpec, Reader, Tx } from '../../platform/db/types.ts'
import type { Scope } from '../identity/scope.ts'

const mine = 'org_id = ? AND environment = ?'

/** Crosses tenants, for housekeeping: organisations behind one, in their order. */
export const listOrgsAfter = async (reader: Reader, after: string, limit: number): Promise<string[]> => {
  const rows = await reader.all<{ orgId: string }>(
    'SELECT org_id AS "orgId" FROM org_heads WHERE org_id > ? ORDER BY org_id LIMIT ?',
    [after, limit],
  )
  return rows.map(({ orgId }) => orgId)
}

export interface OldEvent {
  readonly seq: number
  readonly type: string
  readonly sessionId: string | null
  readonly createdAt: number
}

export const findOldest = (reader: Reader, scope: Scope): Promise<Pick<OldEvent, 'seq' | 'createdAt'> | undefined> =>
  reader.get(`SELECT seq, created_at AS "createdAt" FROM events WHERE ${mine} ORDER BY seq LIMIT 1`, [
    scope.orgId,
    scope.environment,
  ])

/** The oldest of a log, held until the commit, without those that somebody else holds. */
export const lockOldest = (tx: Tx, scope: Scope, below: number, limit: number): Promise<OldEvent[]> =>
  tx.all(
    `SELECT seq, type, session_id AS "sessionId", created_at AS "createdAt" FROM events
     WHERE ${mine} AND seq < ? ORDER BY seq LIMIT ?${tx.forUpdateSkipLocked}`,
    [scope.orgId, scope.environment, below, limit],
  )

const countColumns: readonly ColumnSpec[] = [
  { name: 'org_id', type: 'text' },
  { name: 'environment', type: 'text' },
  { name: 'session_id', type: 'text' },
  { name: 'type', type: 'text' },
  { name: 'n', type: 'bigint' },
]
const added = {
  upsert: { on: ['org_id', 'environment', 'session_id', 'type'], set: 'n = event_counts.n + excluded.n' },
} as const

/** Takes events that lie one behind the other out of the log, and out of the counts of their types. The head is locked. */
export const deleteStretch = async (tx: Tx, scope: Scope, events: readonly OldEvent[]): Promise<void> => {
  const of = [scope.orgId, scope.environment]
  const [first, last] = [events[0], events.at(-1)]
  if (!first || !last) return
  await tx.run(`DELETE FROM events WHERE ${mine} AND seq >= ? AND seq <= ?`, [...of, first.seq, last.seq])
  const counted = events.flatMap(({ type, sessionId }) =>
    sessionId === null
      ? [['', type]]
      : [
          ['', type],
          [sessionId, type],
        ],
  )
  const sums = Map.groupBy(counted, (key) => key.join(' '))
  const rows = [...sums.values()].map((same) => [...of, ...(same[0] ?? []), -same.length])
  await tx.insertMany('event_counts', countColumns, rows, added)
  const sessions = [...new Set(events.flatMap(({ sessionId }) => sessionId ?? []))]
  if (sessions.length === 0) return
  const { marks, values } = padded(sessions)
  await tx.run(`DELETE FROM event_counts WHERE ${mine} AND session_id IN (${marks}) AND n <= 0`, [...of, ...values])
}
