import type { Scope } from '../../../kernel/identity/scope.ts'
import type { Reader } from '../../../platform/db/types.ts'

/** Crosses tenants: who asks for a link by e-mail names a session and no organisation. */
export const findScopeOfSessionAcrossOrgs = (reader: Reader, sessionId: string): Promise<Scope | undefined> =>
  reader.get<Scope>('SELECT org_id AS "orgId", environment FROM sessions WHERE session_id = ?', [sessionId])

/** How many links to a session's requests went to an invited address after `since`, epoch milliseconds. */
export const countMailedLinks = async (
  reader: Reader,
  scope: Scope,
  sessionId: string,
  since: number,
): Promise<number> => {
  const row = await reader.get<{ n: number }>(
    `SELECT count(*) AS n FROM links WHERE org_id = ? AND environment = ? AND subject_id = ?
       AND kind = 'candidate_request' AND origin = 'invited_address' AND created_at > ?`,
    [scope.orgId, scope.environment, sessionId, since],
  )
  return row?.n ?? 0
}
