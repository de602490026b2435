import type { Scope } from '../../../kernel/identity/scope.ts'
import type { Reader } from '../../../platform/db/types.ts'
import type { StatementRow } from './statements.types.ts'

/** Oldest first. Few: a session takes no more than sixty. The caller has found the session in this scope. */
export const listStatements = (reader: Reader, scope: Scope, sessionId: string): Promise<StatementRow[]> =>
  reader.all<StatementRow>(
    `SELECT r.request_id AS "requestId", r.created_at AS at, m.message_id AS "messageId", m.text,
       r.moment_id AS "momentId", r.moment_at AS "momentAt",
       CASE WHEN r.status = 'completed' THEN r.decided_at END AS "readAt", r.decided_at AS "decidedAt"
     FROM candidate_requests r LEFT JOIN candidate_request_messages m
       ON m.org_id = r.org_id AND m.request_id = r.request_id AND m.position = 1 AND m.sender = 'candidate'
     WHERE r.org_id = ? AND r.environment = ? AND r.session_id = ? AND r.kind = 'context_statement'
     ORDER BY r.created_at, r.request_id`,
    [scope.orgId, scope.environment, sessionId],
  )
