import type { Environment, Scope } from '../../../kernel/identity/scope.ts'
import { padded } from '../../../platform/db/padded-list.ts'
import type { Reader, Tx } from '../../../platform/db/types.ts'

export interface BundleRow {
  readonly sessionId: string
  /** Names what was asked for. */
  readonly variant: string
  /** Names the state of the session that it was built from. */
  readonly inputs: string
  readonly createdAt: number
  readonly expiresAt: number
  /** Of the whole file. */
  readonly sizeBytes: number
  /** Of what is stored: all of the file but the bytes of evidence; the plan is behind it. */
  readonly keptBytes: number
  readonly planBytes: number
  /** Of what is stored, hex. */
  readonly sha256: string
  readonly storeKey: string
  /** The age header of what is stored, sealed under the key of the session. */
  readonly header: string
}

const columns = `session_id AS "sessionId", variant, inputs, created_at AS "createdAt", expires_at AS "expiresAt",
  size_bytes AS "sizeBytes", kept_bytes AS "keptBytes", plan_bytes AS "planBytes", sha256, store_key AS "storeKey", header`
const ofSession = 'org_id = ? AND environment = ? AND session_id = ?'

export const findBundle = (
  reader: Reader,
  scope: Scope,
  { sessionId, variant }: Pick<BundleRow, 'sessionId' | 'variant'>,
): Promise<BundleRow | undefined> =>
  reader.get<BundleRow>(`SELECT ${columns} FROM bundles WHERE ${ofSession} AND variant = ?`, [
    ...[scope.orgId, scope.environment, sessionId],
    variant,
  ])

/** The bundles of a session, the newest first. */
export const listBundles = (
  reader: Reader,
  scope: Scope,
  sessionId: string,
): Promise<Pick<BundleRow, 'variant' | 'storeKey'>[]> =>
  reader.all(
    `SELECT variant, store_key AS "storeKey" FROM bundles WHERE ${ofSession} ORDER BY created_at DESC, variant LIMIT 1000`,
    [scope.orgId, scope.environment, sessionId],
  )

/** Deletes a bundle; false when it is already gone or was replaced. */
export const deleteBundle = async (
  tx: Tx,
  scope: Scope,
  { sessionId, storeKey }: Pick<BundleRow, 'sessionId' | 'storeKey'>,
): Promise<boolean> => {
  const params = [scope.orgId, scope.environment, sessionId, storeKey]
  return (await tx.run(`DELETE FROM bundles WHERE ${ofSession} AND store_key = ?`, params)).changes === 1
}

export const insertBundle = async (tx: Tx, scope: Scope, row: BundleRow): Promise<void> => {
  await tx.run(
    `INSERT INTO bundles (org_id, environment, session_id, variant, inputs, created_at, expires_at, size_bytes, kept_bytes,
       plan_bytes, sha256, store_key, header) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    [
      ...[scope.orgId, scope.environment, row.sessionId, row.variant, row.inputs, row.createdAt, row.expiresAt],
      ...[row.sizeBytes, row.keptBytes, row.planBytes, row.sha256, row.storeKey, row.header],
    ],
  )
}

/** The expired bundles of all organisations. */
export const listExpiredAcrossOrgs = (
  reader: Reader,
  now: number,
  limit: number,
): Promise<{ orgId: string; environment: Environment; sessionId: string; storeKey: string }[]> =>
  reader.all(
    `SELECT org_id AS "orgId", environment, session_id AS "sessionId", store_key AS "storeKey" FROM bundles
     WHERE expires_at <= ? ORDER BY expires_at LIMIT ?`,
    [now, limit],
  )

/** Which of these keys an organisation has a row of, in either environment. */
export const knownBundleKeys = async (reader: Reader, orgId: string, keys: readonly string[]): Promise<string[]> => {
  const { marks, values } = padded(keys)
  const sql = `SELECT store_key AS key FROM bundles WHERE org_id = ? AND store_key IN (${marks})`
  return (await reader.all<{ key: string }>(sql, [orgId, ...values])).map(({ key }) => key)
}
