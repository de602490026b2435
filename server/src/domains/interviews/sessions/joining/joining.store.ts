import type { Environment, Scope } from '../../../../kernel/identity/scope.ts'
import type { Reader, Tx } from '../../../../platform/db/types.ts'

export type TicketRole = 'candidate' | 'companion'

export interface Ticket {
  readonly orgId: string
  readonly ticketId: string
  readonly sessionId: string
  readonly environment: Environment
  readonly role: TicketRole
  readonly createdAt: number
  readonly expiresAt: number
  readonly usedAt: number | null
}

export const insertTicket = async (
  tx: Tx,
  scope: Scope,
  ticket: { id: string; sessionId: string; role: TicketRole; codeHash: string; expiresAt: number },
  now: number,
): Promise<void> => {
  await tx.run(
    `INSERT INTO join_tickets (org_id, ticket_id, session_id, role, code_hash, created_at, expires_at)
     VALUES (?, ?, ?, ?, ?, ?, ?)`,
    [scope.orgId, ticket.id, ticket.sessionId, ticket.role, ticket.codeHash, now, ticket.expiresAt],
  )
}

/** When the nth newest code of a session was made, epoch milliseconds; undefined where there are fewer. */
export const findNthNewestTicket = async (
  reader: Reader,
  scope: Scope,
  { sessionId, role, n }: { sessionId: string; role: TicketRole; n: number },
): Promise<number | undefined> => {
  const row = await reader.get<{ at: number }>(
    `SELECT created_at AS at FROM join_tickets WHERE org_id = ? AND session_id = ? AND role = ?
     ORDER BY created_at DESC LIMIT 1 OFFSET ?`,
    [scope.orgId, sessionId, role, n - 1],
  )
  return row?.at
}

/** Crosses tenants: a code is found before it is known whose it is. */
export const findTicketByCode = (reader: Reader, codeHash: string): Promise<Ticket | undefined> =>
  reader.get<Ticket>(
    `SELECT t.org_id AS "orgId", t.ticket_id AS "ticketId", t.session_id AS "sessionId", s.environment, t.role,
       t.created_at AS "createdAt", t.expires_at AS "expiresAt", t.used_at AS "usedAt"
     FROM join_tickets t JOIN sessions s ON s.org_id = t.org_id AND s.session_id = t.session_id
     WHERE t.code_hash = ?`,
    [codeHash],
  )

/** Uses a join ticket; false when somebody else has used it in the meantime. */
export const useTicket = async (tx: Tx, scope: Scope, ticketId: string, now: number): Promise<boolean> => {
  const { changes } = await tx.run(
    'UPDATE join_tickets SET used_at = ? WHERE org_id = ? AND ticket_id = ? AND used_at IS NULL',
    [now, scope.orgId, ticketId],
  )
  return changes === 1
}

/** When a code of this role was first redeemed, epoch milliseconds; null while none was. */
export const findFirstUse = async (
  reader: Reader,
  scope: Scope,
  sessionId: string,
  role: TicketRole,
): Promise<number | null> => {
  const row = await reader.get<{ at: number | null }>(
    'SELECT min(used_at) AS at FROM join_tickets WHERE org_id = ? AND session_id = ? AND role = ?',
    [scope.orgId, sessionId, role],
  )
  return row?.at ?? null
}
