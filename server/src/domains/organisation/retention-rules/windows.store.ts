import type { Scope } from '../../../kernel/identity/scope.ts'
import type { Tx } from '../../../platform/db/types.ts'

const dayMs = 86_400_000

/** From when on a session's evidence is due at the latest: what its candidate was told. Call with the session locked. */
export const insertWindow = async (
  tx: Tx,
  scope: Scope,
  { sessionId, endedAt, toldDays }: { sessionId: string; endedAt: number; toldDays: number },
): Promise<void> => {
  await tx.run(
    `INSERT INTO session_windows (org_id, session_id, environment, ended_at, told_days, told_until)
     VALUES (?, ?, ?, ?, ?, ?)`,
    [scope.orgId, sessionId, scope.environment, endedAt, toldDays, endedAt + toldDays * dayMs],
  )
}

/** Nothing of it is left to become due. */
export const deleteWindow = async (tx: Tx, scope: Scope, sessionId: string): Promise<void> => {
  await tx.run('DELETE FROM session_windows WHERE org_id = ? AND environment = ? AND session_id = ?', [
    scope.orgId,
    scope.environment,
    sessionId,
  ])
}
