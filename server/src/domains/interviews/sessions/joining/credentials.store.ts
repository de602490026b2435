import type { SessionCredentialKind } from '@integrity/protocol'
import type { ActorOf } from '../../../../kernel/identity/actor.ts'
import type { Environment, Scope } from '../../../../kernel/identity/scope.ts'
import type { Reader, Tx } from '../../../../platform/db/types.ts'

/** However long a session stays open, its credentials end this long after they were made. */
export const credentialLifetimeMs = 30 * 86_400_000

interface CredentialRow {
  orgId: string
  id: string
  environment: Environment
  sessionId: string
  kind: SessionCredentialKind
  label: string | null
  endedAt: number | null
  createdAt: number
  revokedAt: number | null
}

/**
 * Crosses tenants: a credential is found before it is known whose it is. `endedAt` and `revokedAt` decide whether it
 * still lives.
 */
export const findSessionCredential = async (
  reader: Reader,
  tokenHash: string,
): Promise<(ActorOf<SessionCredentialKind> & Pick<CredentialRow, 'endedAt' | 'createdAt' | 'revokedAt'>) | undefined> =>
  reader.get<CredentialRow>(
    `SELECT c.org_id AS "orgId", c.credential_id AS id, s.environment, c.session_id AS "sessionId", c.kind, c.label,
       s.ended_at AS "endedAt", c.created_at AS "createdAt", c.revoked_at AS "revokedAt"
     FROM session_credentials c JOIN sessions s ON s.org_id = c.org_id AND s.session_id = c.session_id
     WHERE c.token_hash = ?`,
    [tokenHash],
  )

export interface NewCredential {
  readonly id: string
  readonly sessionId: string
  readonly kind: SessionCredentialKind
  readonly tokenHash: string
  readonly label: string | null
}

export const insertCredential = async (tx: Tx, scope: Scope, credential: NewCredential, now: number): Promise<void> => {
  await tx.run(
    `INSERT INTO session_credentials (org_id, credential_id, session_id, kind, token_hash, label, created_at)
     VALUES (?, ?, ?, ?, ?, ?, ?)`,
    [scope.orgId, credential.id, credential.sessionId, credential.kind, credential.tokenHash, credential.label, now],
  )
}

/** Ends a credential; false when it had ended already. */
export const revokeCredential = async (tx: Tx, scope: Scope, id: string, now: number): Promise<boolean> => {
  const { changes } = await tx.run(
    'UPDATE session_credentials SET revoked_at = ? WHERE org_id = ? AND credential_id = ? AND revoked_at IS NULL',
    [now, scope.orgId, id],
  )
  return changes === 1
}

export const findRevokedAt = async (reader: Reader, scope: Scope, id: string): Promise<number | null> => {
  const row = await reader.get<{ revokedAt: number | null }>(
    'SELECT revoked_at AS "revokedAt" FROM session_credentials WHERE org_id = ? AND credential_id = ?',
    [scope.orgId, id],
  )
  return row?.revokedAt ?? null
}

export const eraseLabels = async (tx: Tx, scope: Scope, sessionId: string): Promise<void> => {
  await tx.run('UPDATE session_credentials SET label = NULL WHERE org_id = ? AND session_id = ?', [
    scope.orgId,
    sessionId,
  ])
}
