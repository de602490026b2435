import type { Scope } from '../../../kernel/identity/scope.ts'
import type { Reader } from '../../../platform/db/types.ts'

/** An interview that was held. */
export interface EndedSession {
  readonly endedAt: number
  readonly sessionId: string
  readonly policyId: string | null
}

export interface EndedStretch {
  readonly after: Pick<EndedSession, 'endedAt' | 'sessionId'>
  /** Epoch milliseconds; that instant too. */
  readonly until: number
  readonly limit: number
}

/** Interviews that began, ended and are not erased, in the order of their ends. */
export const listEnded = (
  reader: Reader,
  { orgId, environment }: Scope,
  { after, until, limit }: EndedStretch,
): Promise<EndedSession[]> =>
  reader.all<EndedSession>(
    `SELECT ended_at AS "endedAt", session_id AS "sessionId", policy_id AS "policyId" FROM sessions
     WHERE org_id = ? AND environment = ? AND ended_at IS NOT NULL AND ended_at >= ? AND ended_at <= ?
       AND (ended_at, session_id) > (?, ?) AND started_at IS NOT NULL AND erased_at IS NULL
     ORDER BY ended_at, session_id LIMIT ?`,
    [orgId, environment, after.endedAt, until, after.endedAt, after.sessionId, limit],
  )
