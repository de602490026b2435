import { type SessionState, sessionStates } from '@integrity/protocol'
import type { Scope } from '../../../../kernel/identity/scope.ts'
import type { Slice } from '../../../../platform/db/merged.ts'
import type { ColumnSpec, Reader, Tx } from '../../../../platform/db/types.ts'
import type { SessionFilters } from '../sessions.types.ts'
import { bucketWidths, coverTime } from './sessions.counts.model.ts'

const columns: readonly ColumnSpec[] = [
  { name: 'org_id', type: 'text' },
  { name: 'environment', type: 'text' },
  { name: 'state', type: 'text' },
  { name: 'provisioned_id', type: 'text' },
  { name: 'width_ms', type: 'bigint' },
  { name: 'bucket', type: 'bigint' },
  { name: 'n', type: 'bigint' },
]
const added = {
  upsert: {
    on: ['org_id', 'environment', 'state', 'provisioned_id', 'width_ms', 'bucket'],
    set: 'n = session_counts.n + excluded.n',
  },
} as const

interface Counted {
  readonly createdAt: number
  readonly provisionedBy: { readonly id: string }
}

/** An empty state or provisioner stands for all of them. */
const rowsOf = (scope: Scope, { createdAt, provisionedBy }: Counted, states: readonly string[], n: number) =>
  states.flatMap((state) =>
    ['', provisionedBy.id].flatMap((provisioner) =>
      bucketWidths.map((width) => [
        ...[scope.orgId, scope.environment, state, provisioner, width],
        ...[Math.floor(createdAt / width), n],
      ]),
    ),
  )

/** By state: one order for all, so that none waits for another in a circle. */
const inOrder = (rows: ReturnType<typeof rowsOf>): ReturnType<typeof rowsOf> =>
  rows.toSorted((a, b) => Number(String(a[2]) > String(b[2])) - Number(String(a[2]) < String(b[2])))

export const countNewSession = async (tx: Tx, scope: Scope, session: Counted): Promise<void> => {
  await tx.insertMany('session_counts', columns, rowsOf(scope, session, ['', 'scheduled'], 1), added)
}

/** Counts a session in another state. Call with the session locked, as it was. */
export const countInState = async (
  tx: Tx,
  scope: Scope,
  session: Counted & { readonly state: SessionState },
  state: SessionState,
): Promise<void> => {
  if (state === session.state) return
  const moved = [...rowsOf(scope, session, [session.state], -1), ...rowsOf(scope, session, [state], 1)]
  await tx.insertMany('session_counts', columns, inOrder(moved), added)
}

/** Counts a session as made at another time. Call with the session locked, as it was. */
export const countCreatedAt = async (
  tx: Tx,
  scope: Scope,
  session: Counted & { readonly state: SessionState },
  createdAt: number,
): Promise<void> => {
  const states = ['', session.state]
  const moved = [...rowsOf(scope, session, states, -1), ...rowsOf(scope, { ...session, createdAt }, states, 1)]
  // What stays in its bucket is named twice, and one statement may change a row once only.
  const sums = new Map<string, (typeof moved)[number]>()
  for (const row of moved) {
    const [key, n] = [row.slice(0, -1).join(' '), Number(row.at(-1))]
    sums.set(key, [...row.slice(0, -1), Number(sums.get(key)?.at(-1) ?? 0) + n])
  }
  const changed = [...sums.values()].filter((row) => row.at(-1) !== 0)
  await tx.insertMany('session_counts', columns, inOrder(changed), added)
}

const bindable = (instant: number): number => Math.min(instant, Number.MAX_SAFE_INTEGER)

/** How many sessions the filters match: kept counts, and the sessions of a broken minute at either end. */
export const countSessions = async (reader: Reader, scope: Scope, filters: SessionFilters): Promise<number> => {
  const { state, provisionedBy, from = 0, to = Number.POSITIVE_INFINITY } = filters
  const { spans, edges } = coverTime(from, to)
  const counted = spans.map(
    ({ width, from: first, until }): Slice => ({
      sql: `SELECT sum(n) AS n FROM session_counts WHERE org_id = ? AND environment = ? AND state = ?
        AND provisioned_id = ? AND width_ms = ? AND bucket >= ? AND bucket < ?`,
      params: [scope.orgId, scope.environment, state ?? '', provisionedBy ?? '', width, first, bindable(until)],
    }),
  )
  const inStates = state !== undefined ? [state] : provisionedBy !== undefined ? sessionStates : []
  const ofStates = inStates.length > 0 ? `AND state IN (${inStates.map(() => '?').join(', ')})` : ''
  const looked = edges.map(
    ([first, until]): Slice => ({
      sql: `SELECT count(*) AS n FROM sessions WHERE org_id = ? AND environment = ?
        ${provisionedBy === undefined ? '' : 'AND provisioned_id = ?'} ${ofStates} AND created_at >= ? AND created_at < ?`,
      params: [
        ...[scope.orgId, scope.environment],
        ...(provisionedBy === undefined ? [] : [provisionedBy]),
        ...[...inStates, first, bindable(until)],
      ],
    }),
  )
  const parts = [...counted, ...looked]
  if (parts.length === 0) return 0
  const row = await reader.get<{ n: number | null }>(
    `SELECT sum(n) AS n FROM (${parts.map(({ sql }) => sql).join(' UNION ALL ')}) AS parts`,
    parts.flatMap(({ params }) => params),
  )
  return row?.n ?? 0
}

/** How many have this id of the caller's own, and whatever else is asked: few, by what such an id is for. */
export const countExternal = async (reader: Reader, where: Slice): Promise<number> => {
  const row = await reader.get<{ n: number }>(`SELECT count(*) AS n FROM sessions s WHERE ${where.sql}`, where.params)
  return row?.n ?? 0
}
