import type { Reader } from '../../../../platform/db/types.ts'

/** Crosses tenants: of these organisations, how many have a session, and how many one of the live environment that has begun. */
export const countOrgsWithSessions = async (
  reader: Reader,
  orgIds: readonly string[],
): Promise<{ any: number; live: number }> => {
  const row = await reader.get<{ any_n: number; live_n: number }>(
    `SELECT count(CASE WHEN EXISTS (SELECT 1 FROM sessions s WHERE s.org_id = o.org_id) THEN 1 END) AS any_n,
       count(CASE WHEN EXISTS (SELECT 1 FROM sessions s WHERE s.org_id = o.org_id AND s.environment = 'live'
         AND s.started_at IS NOT NULL) THEN 1 END) AS live_n
     FROM orgs o WHERE o.org_id IN (${orgIds.map(() => '?').join(', ')})`,
    [...orgIds],
  )
  return { any: row?.any_n ?? 0, live: row?.live_n ?? 0 }
}
