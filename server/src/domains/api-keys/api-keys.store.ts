import type { ApiScope } from '@integrity/protocol'
import { lockHead } from '../../kernel/audit/audit.store.ts'
import type { Environment } from '../../kernel/identity/scope.ts'
import type { Reader, Tx } from '../../platform/db/types.ts'

export interface KeyRow {
  readonly orgId: string
  readonly id: string
  readonly label: string
  readonly environment: Environment
  readonly scopes: ApiScope[]
  readonly prefix: string
  /** `kind:id`; null for a key that is older than this note. */
  readonly createdBy: string | null
  readonly createdAt: number
  readonly rotatedAt: number | null
  readonly revokedAt: number | null
}
type Raw = Omit<KeyRow, 'scopes'> & { scopes: string }

const columns = `org_id AS "orgId", key_id AS id, label, environment, scopes, prefix, created_by AS "createdBy",
  created_at AS "createdAt", rotated_at AS "rotatedAt", revoked_at AS "revokedAt"`
const fromRaw = (raw: Raw): KeyRow => ({ ...raw, scopes: raw.scopes.split(' ') as ApiScope[] })

/** Crosses tenants: a credential is found before it is known whose it is. */
export const findLivingKeyByHash = async (reader: Reader, tokenHash: string): Promise<KeyRow | undefined> => {
  const raw = await reader.get<Raw>(`SELECT ${columns} FROM api_keys WHERE token_hash = ? AND revoked_at IS NULL`, [
    tokenHash,
  ])
  return raw && fromRaw(raw)
}

/** Keys are managed for both environments together: the organisation is the whole scope. */
export const findKey = async (reader: Reader, orgId: string, id: string): Promise<KeyRow | undefined> => {
  const raw = await reader.get<Raw>(`SELECT ${columns} FROM api_keys WHERE org_id = ? AND key_id = ?`, [orgId, id])
  return raw && fromRaw(raw)
}

/** The key, unchanged by anybody else until the commit: all changes to keys wait at the organisation's head. */
export const findKeyForUpdate = async (tx: Tx, orgId: string, id: string): Promise<KeyRow | undefined> => {
  await lockHead(tx, orgId)
  return findKey(tx, orgId, id)
}

/** How many are not revoked; nobody adds one until the commit. */
export const countLivingKeysForUpdate = async (tx: Tx, orgId: string): Promise<number> => {
  await lockHead(tx, orgId)
  const row = await tx.get<{ n: number }>(
    'SELECT count(*) AS n FROM api_keys WHERE org_id = ? AND revoked_at IS NULL',
    [orgId],
  )
  return row?.n ?? 0
}

export interface KeyFilters {
  readonly environment?: Environment | undefined
  readonly status?: 'active' | 'revoked' | undefined
}

/** Newest first, of both environments unless one is named. */
export const listKeys = async (
  reader: Reader,
  orgId: string,
  filters: KeyFilters,
  page: { limit: number; offset: number },
): Promise<{ rows: KeyRow[]; total: number }> => {
  const conditions = ['org_id = ?']
  const params: string[] = [orgId]
  if (filters.environment !== undefined) {
    conditions.push('environment = ?')
    params.push(filters.environment)
  }
  if (filters.status !== undefined) conditions.push(`revoked_at IS ${filters.status === 'active' ? '' : 'NOT '}NULL`)
  const where = conditions.join(' AND ')
  const count = await reader.get<{ n: number }>(`SELECT count(*) AS n FROM api_keys WHERE ${where}`, params)
  const rows = await reader.all<Raw>(
    `SELECT ${columns} FROM api_keys WHERE ${where} ORDER BY created_at DESC, key_id DESC LIMIT ? OFFSET ?`,
    [...params, page.limit, page.offset],
  )
  return { rows: rows.map(fromRaw), total: count?.n ?? 0 }
}

export interface NewKey {
  readonly id: string
  readonly label: string
  readonly environment: Environment
  readonly scopes: readonly ApiScope[]
  readonly prefix: string
  readonly tokenHash: string
  readonly createdBy: string
}

export const insertApiKey = async (tx: Tx, orgId: string, key: NewKey, now: number): Promise<void> => {
  await tx.run(
    `INSERT INTO api_keys (org_id, key_id, label, environment, scopes, prefix, token_hash, created_by, created_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    [orgId, key.id, key.label, key.environment, key.scopes.join(' '), key.prefix, key.tokenHash, key.createdBy, now],
  )
}

export const replaceSecret = async (
  tx: Tx,
  orgId: string,
  id: string,
  secret: { prefix: string; tokenHash: string },
  now: number,
): Promise<void> => {
  await tx.run(
    `UPDATE api_keys SET prefix = ?, token_hash = ?, rotated_at = ?
     WHERE org_id = ? AND key_id = ? AND revoked_at IS NULL`,
    [secret.prefix, secret.tokenHash, now, orgId, id],
  )
}

/** Leaves the row as a tombstone. */
export const markRevoked = async (tx: Tx, orgId: string, id: string, now: number): Promise<void> => {
  await tx.run('UPDATE api_keys SET revoked_at = ? WHERE org_id = ? AND key_id = ? AND revoked_at IS NULL', [
    now,
    orgId,
    id,
  ])
}
