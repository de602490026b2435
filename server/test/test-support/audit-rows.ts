import type { TestServer } from './server.ts'

export interface SaidRow {
  readonly target: string
  readonly payload: Readonly<Record<string, unknown>> | null
}

/** Rows of the first organisation's audit trail with one action, oldest first. */
export const auditRowsOf = async (server: TestServer, action: string): Promise<SaidRow[]> => {
  const rows = await server.app.db.reader.all<{ target: string; payload: string | null }>(
    `SELECT a.target, p.payload FROM audit_log a LEFT JOIN audit_payloads p ON p.org_id = a.org_id AND p.seq = a.seq
     WHERE a.org_id = ? AND a.action = ? ORDER BY a.seq`,
    [server.orgs[0].orgId, action],
  )
  return rows.map(({ target, payload }) => ({ target, payload: payload === null ? null : JSON.parse(payload) }))
}
