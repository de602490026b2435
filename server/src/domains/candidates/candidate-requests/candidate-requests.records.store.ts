import type { SessionPlace } from '../../../kernel/audit/audit.records.store.ts'
import type { Reader } from '../../../platform/db/types.ts'

type Value = Record<string, string | number | null>

/** What was asked for in a session and what became of it, without the address to answer to, which is no part of it. */
export const listRequestRecords = (
  reader: Reader,
  { orgId, sessionId }: SessionPlace,
  only?: string,
): Promise<({ id: string; momentId: string | null; momentAt: number | null } & Value)[]> =>
  reader.all(
    `SELECT request_id AS id, environment, kind, status, origin, created_at AS "createdAt",
       acknowledged_at AS "acknowledgedAt", acknowledged_by AS "acknowledgedBy", decided_at AS "decidedAt",
       decided_by AS "decidedBy", access_copy_until AS "accessCopyUntil", moment_id AS "momentId", moment_at AS "momentAt"
     FROM candidate_requests WHERE org_id = ? AND session_id = ?${only === undefined ? '' : ' AND request_id = ?'}
     ORDER BY created_at, request_id`,
    [orgId, sessionId, ...(only === undefined ? [] : [only])],
  )

/** What was written about them; of one request where it is named. `statement`: 1 for what a candidate says of the interview. */
export const listMessageRecords = (
  reader: Reader,
  { orgId, sessionId }: SessionPlace,
  only?: string,
): Promise<({ id: string; statement: number } & Value)[]> =>
  reader.all(
    `SELECT m.message_id AS id, m.request_id AS "requestId", m.position, m.sender, m.text, m.created_at AS "createdAt",
       CASE WHEN m.sender = 'candidate' AND EXISTS (SELECT 1 FROM candidate_requests r
         WHERE r.org_id = m.org_id AND r.request_id = m.request_id AND r.kind = 'context_statement') THEN 1 ELSE 0 END AS statement
     FROM candidate_request_messages m WHERE m.org_id = ? AND m.request_id IN (
       SELECT request_id FROM candidate_requests WHERE org_id = ? AND session_id = ?${only === undefined ? '' : ' AND request_id = ?'})
     ORDER BY m.request_id, m.position`,
    [orgId, orgId, sessionId, ...(only === undefined ? [] : [only])],
  )
