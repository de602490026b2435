import { type SessionState, stateInstants } from '@integrity/protocol'
import type { Days } from '../../../../kernel/days.ts'
import type { Scope } from '../../../../kernel/identity/scope.ts'
import type { Reader } from '../../../../platform/db/types.ts'

const dayMs = 86_400_000

const columns = { createdAt: 'created_at', startedAt: 'started_at', endedAt: 'ended_at' } as const
const columnOf = (state: SessionState) => columns[stateInstants[state]]

/** How many sessions came to a state on each day: a stretch of one index. */
export const countOnDays = (
  reader: Reader,
  { orgId, environment }: Scope,
  state: SessionState,
  { from, until }: Days,
): Promise<{ day: number; n: number }[]> => {
  const at = columnOf(state)
  return reader.all(
    `SELECT ${at} / ${dayMs} AS day, count(*) AS n FROM sessions
     WHERE org_id = ? AND environment = ? AND ${at} >= ? AND ${at} < ? GROUP BY ${at} / ${dayMs}`,
    [orgId, environment, from * dayMs, until * dayMs],
  )
}

/** When the first session of all came to a state. */
export const findFirstAt = async (
  reader: Reader,
  { orgId, environment }: Scope,
  state: SessionState,
): Promise<number | null> => {
  const at = columnOf(state)
  const sql = `SELECT min(${at}) AS at FROM sessions WHERE org_id = ? AND environment = ? AND ${at} IS NOT NULL`
  return (await reader.get<{ at: number | null }>(sql, [orgId, environment]))?.at ?? null
}
