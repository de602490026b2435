import type { Reader } from '../../../platform/db/types.ts'

const marks = (ids: readonly string[]): string => ids.map(() => '?').join(', ')

export interface OpenRequest {
  readonly sessionId: string
  readonly kind: string
  readonly createdAt: number
  readonly schedule: string | null
  /** Whether the words of it are still there. */
  readonly hasWords: number
}

/** What candidates of these sessions asked for or wrote, and nobody has decided on: at most one of a kind for a session, and one statement for a moment. */
export const listOpenRequests = async (
  reader: Reader,
  orgId: string,
  sessionIds: readonly string[],
): Promise<OpenRequest[]> =>
  sessionIds.length === 0
    ? []
    : reader.all<OpenRequest>(
        `SELECT r.session_id AS "sessionId", r.kind, r.created_at AS "createdAt",
           (SELECT s.schedule FROM sessions s WHERE s.org_id = r.org_id AND s.session_id = r.session_id) AS schedule,
           CASE WHEN EXISTS (SELECT 1 FROM candidate_request_messages m WHERE m.org_id = r.org_id
             AND m.request_id = r.request_id AND m.position = 1 AND m.sender = 'candidate') THEN 1 ELSE 0 END AS "hasWords"
         FROM candidate_requests r WHERE r.org_id = ? AND r.session_id IN (${marks(sessionIds)}) AND r.decided_at IS NULL`,
        [orgId, ...sessionIds],
      )

export interface Window {
  readonly sessionId: string
  readonly endedAt: number
  readonly toldDays: number
}

/** Until when evidence of these sessions is kept, of those that no hold keeps and that are not erased. */
export const listWindows = async (reader: Reader, orgId: string, sessionIds: readonly string[]): Promise<Window[]> =>
  sessionIds.length === 0
    ? []
    : reader.all<Window>(
        `SELECT w.session_id AS "sessionId", w.ended_at AS "endedAt", w.told_days AS "toldDays"
         FROM session_windows w WHERE w.org_id = ? AND w.session_id IN (${marks(sessionIds)})
           AND NOT EXISTS (SELECT 1 FROM sessions s WHERE s.org_id = w.org_id AND s.session_id = w.session_id AND s.legal_hold = 1)
           AND NOT EXISTS (SELECT 1 FROM retention_rules r WHERE r.org_id = w.org_id AND r.held = 1)`,
        [orgId, ...sessionIds],
      )
