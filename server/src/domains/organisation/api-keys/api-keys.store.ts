import type { ApiScope } from '@integrity/protocol'
import { lockHead } from '../../../kernel/audit/audit.store.ts'
import { type Environment, environments } from '../../../kernel/identity/scope.ts'
import type { Stretch } from '../../../kernel/paging.ts'
import { merged, type Slice } from '../../../platform/db/merged.ts'
import { padded } from '../../../platform/db/padded-list.ts'
import type { Reader, Tx } from '../../../platform/db/types.ts'

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
/** The labels of several keys. */
export const findLabels = (
  reader: Reader,
  orgId: string,
  ids: readonly string[],
): Promise<{ id: string; label: string }[]> => {
  const { marks, values } = padded(ids)
  return reader.all(`SELECT key_id AS id, label FROM api_keys WHERE org_id = ? AND key_id IN (${marks})`, [
    orgId,
    ...values,
  ])
}

/** Keys that work and that a person made, oldest first. */
export const listLivingKeysMadeBy = async (reader: Reader, orgId: string, createdBy: string): Promise<KeyRow[]> => {
  const sql = `SELECT ${columns} FROM api_keys WHERE org_id = ? AND created_by = ? AND revoked_at IS NULL ORDER BY created_at, key_id`
  return (await reader.all<Raw>(sql, [orgId, createdBy])).map(fromRaw)
}

export const findKeyForUpdate = async (tx: Tx, orgId: string, id: string): Promise<KeyRow | undefined> => {
  await lockHead(tx, orgId)
  return findKey(tx, orgId, id)
}

/** The number of keys that are not revoked; locked, so that nobody adds one until the commit. */
export const countLivingKeysForUpdate = async (tx: Tx, orgId: string): Promise<number> => {
  await lockHead(tx, orgId)
  const row = await tx.get<{ n: number }>(
    'SELECT count(*) AS n FROM api_keys WHERE org_id = ? AND revoked_at IS NULL',
    [orgId],
  )
  return row?.n ?? 0
}

export const listLivingKeyIds = async (tx: Tx, orgId: string): Promise<string[]> => {
  await lockHead(tx, orgId)
  const sql = 'SELECT key_id AS id FROM api_keys WHERE org_id = ? AND revoked_at IS NULL ORDER BY key_id'
  return (await tx.all<{ id: string }>(sql, [orgId])).map(({ id }) => id)
}

/** The scopes of each key that works. */
export const listLivingScopes = async (reader: Reader, orgId: string): Promise<ApiScope[][]> => {
  const sql = 'SELECT scopes FROM api_keys WHERE org_id = ? AND revoked_at IS NULL'
  return (await reader.all<{ scopes: string }>(sql, [orgId])).map(({ scopes }) => scopes.split(' ') as ApiScope[])
}

export interface KeyFilters {
  readonly environment?: Environment | undefined
  readonly status?: 'active' | 'revoked' | undefined
}

const matching = (orgId: string, environment: Environment, { status }: KeyFilters): Slice => ({
  sql: `FROM api_keys WHERE org_id = ? AND environment = ?
    ${status === undefined ? '' : `AND revoked_at IS ${status === 'active' ? '' : 'NOT '}NULL`}`,
  params: [orgId, environment],
})
const environmentsOf = ({ environment }: KeyFilters): readonly Environment[] =>
  environment === undefined ? environments : [environment]

/** Newest first, of both environments unless one is named. */
export const pageOfKeys = async (
  reader: Reader,
  orgId: string,
  filters: KeyFilters,
  { after, skip, take }: Stretch,
): Promise<KeyRow[]> => {
  const slices = environmentsOf(filters).map((environment): Slice => {
    const { sql, params } = matching(orgId, environment, filters)
    return {
      sql: `SELECT created_at, key_id ${sql} ${after ? 'AND (created_at, key_id) < (?, ?)' : ''}`,
      params: [...params, ...(after ?? [])],
    }
  })
  const order = 'created_at DESC, key_id DESC'
  const { sql, params } = merged(slices, order, { skip, take })
  const rows = await reader.all<Raw>(
    `SELECT ${columns} FROM api_keys WHERE org_id = ? AND key_id IN (SELECT key_id FROM (${sql}) AS places) ORDER BY ${order}`,
    [orgId, ...params],
  )
  return rows.map(fromRaw)
}

export const countKeys = async (reader: Reader, orgId: string, filters: KeyFilters): Promise<number> => {
  const counts = environmentsOf(filters).map((environment) => matching(orgId, environment, filters))
  const row = await reader.get<{ n: number }>(
    `SELECT sum(n) AS n FROM (${counts.map(({ sql }) => `SELECT count(*) AS n ${sql}`).join(' UNION ALL ')}) AS counts`,
    counts.flatMap(({ params }) => params),
  )
  return row?.n ?? 0
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
