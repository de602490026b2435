import type { Reader, Tx } from '../../platform/db/types.ts'

/** Whose key it is: a key is remembered for one credential and one endpoint. */
export interface KeyScope {
  readonly orgId: string
  readonly credential: string
  readonly endpoint: string
  readonly key: string
}
export interface RememberedAnswer {
  readonly bodyHash: string
  readonly status: number
  /** Wrapped by the keyring: an answer may hold a secret that is shown once. */
  readonly answer: string
}

const where = 'org_id = ? AND credential = ? AND endpoint = ? AND key = ?'
const values = (scope: KeyScope) => [scope.orgId, scope.credential, scope.endpoint, scope.key]

export const findAnswer = (reader: Reader, scope: KeyScope, now: number): Promise<RememberedAnswer | undefined> =>
  reader.get<RememberedAnswer>(
    `SELECT body_hash AS "bodyHash", status, answer FROM idempotency_keys WHERE ${where} AND expires_at > ?`,
    [...values(scope), now],
  )

/** Claims the key in the transaction of its effect. False: somebody else's answer is there already. */
export const claimKey = async (
  tx: Tx,
  scope: KeyScope,
  bodyHash: string,
  now: number,
  expiresAt: number,
): Promise<boolean> => {
  await tx.run(`DELETE FROM idempotency_keys WHERE ${where} AND expires_at <= ?`, [...values(scope), now])
  const { changes } = await tx.run(
    `INSERT INTO idempotency_keys (org_id, credential, endpoint, key, body_hash, status, answer, created_at, expires_at)
     VALUES (?, ?, ?, ?, ?, 0, '', ?, ?) ON CONFLICT DO NOTHING`,
    [...values(scope), bodyHash, now, expiresAt],
  )
  return changes === 1
}

/** `sessionId`: the session that the answer is about. */
export const rememberAnswer = async (
  tx: Tx,
  scope: KeyScope,
  { status, answer, sessionId }: { status: number; answer: string; sessionId: string | null },
): Promise<void> => {
  await tx.run(`UPDATE idempotency_keys SET status = ?, answer = ?, session_id = ? WHERE ${where}`, [
    ...[status, answer, sessionId],
    ...values(scope),
  ])
}

/** An empty answer is one that was erased. */
export const eraseAnswers = async (tx: Tx, orgId: string, sessionId: string): Promise<void> => {
  await tx.run("UPDATE idempotency_keys SET answer = '' WHERE org_id IN (?, '') AND session_id = ?", [orgId, sessionId])
}

/** Crosses tenants: a housekeeping deletion of what has expired, at most `limit` rows. */
export const deleteExpiredKeysOfAllOrgs = async (tx: Tx, now: number, limit: number): Promise<number> => {
  const { changes } = await tx.run(
    `DELETE FROM idempotency_keys WHERE (org_id, credential, endpoint, key) IN
     (SELECT org_id, credential, endpoint, key FROM idempotency_keys WHERE expires_at <= ? LIMIT ?)`,
    [now, limit],
  )
  return changes
}
