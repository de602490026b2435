import type { Scope } from '../../../kernel/identity/scope.ts'
import type { ColumnSpec, Reader, Tx } from '../../../platform/db/types.ts'

const columns: readonly ColumnSpec[] = [
  { name: 'org_id', type: 'text' },
  { name: 'endpoint_id', type: 'text' },
  { name: 'status', type: 'text' },
  { name: 'event_type', type: 'text' },
  { name: 'n', type: 'bigint' },
]
const added = {
  upsert: {
    on: ['org_id', 'endpoint_id', 'status', 'event_type'],
    set: 'n = webhook_delivery_counts.n + excluded.n',
  },
} as const

interface Counted {
  readonly endpointId: string
  readonly eventType: string
  readonly status: string
  readonly n: number
}

/** Adds to the kept counts, in one order for all, so that none waits for another in a circle. */
export const addCounts = async (tx: Tx, scope: Scope, changes: readonly Counted[]): Promise<void> => {
  const sums = new Map<string, (string | number)[]>()
  for (const { endpointId, eventType, status, n } of changes) {
    const key = `${endpointId} ${status} ${eventType}`
    sums.set(key, [scope.orgId, endpointId, status, eventType, Number(sums.get(key)?.[4] ?? 0) + n])
  }
  const rows = [...sums]
    .filter(([, row]) => row[4] !== 0)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([, row]) => row)
  await tx.insertMany('webhook_delivery_counts', columns, rows, added)
}

interface Moved {
  readonly endpointId: string
  readonly eventType: string
  /** Attempts made before: what waits for its first one is pending, later it is retrying. */
  readonly attemptsBefore: number
}

/** Counts deliveries that were still to be sent in another status. */
export const moveCounts = (tx: Tx, scope: Scope, moved: readonly Moved[], status: string): Promise<void> =>
  addCounts(
    tx,
    scope,
    moved.flatMap(({ attemptsBefore, ...one }) => [
      { ...one, status: attemptsBefore > 0 ? 'retrying' : 'pending', n: -1 },
      { ...one, status, n: 1 },
    ]),
  )

/** How many deliveries of an endpoint the filters match. */
export const countDeliveries = async (
  reader: Reader,
  scope: Scope,
  endpointId: string,
  { status, eventType }: { status?: string | undefined; eventType?: string | undefined },
): Promise<number> => {
  const asked = [status, eventType].filter((value) => value !== undefined)
  const row = await reader.get<{ n: number | null }>(
    `SELECT sum(n) AS n FROM webhook_delivery_counts WHERE org_id = ? AND endpoint_id = ?
       ${status === undefined ? '' : 'AND status = ?'} ${eventType === undefined ? '' : 'AND event_type = ?'}`,
    [scope.orgId, endpointId, ...asked],
  )
  return row?.n ?? 0
}
