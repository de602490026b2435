import type { ApiScope } from '@integrity/protocol'
import type { ActorOf } from '../../platform/actor.ts'
import type { Reader, Tx } from '../../platform/db/types.ts'
import type { Environment } from '../../platform/scope.ts'

interface KeyRow {
  orgId: string
  keyId: string
  label: string
  environment: Environment
  scopes: string
}

/** Crosses tenants: a credential is found before it is known whose it is. */
export const findApiKey = async (reader: Reader, tokenHash: string): Promise<ActorOf<'api_key'> | undefined> => {
  const row = await reader.get<KeyRow>(
    `SELECT org_id AS "orgId", key_id AS "keyId", label, environment, scopes FROM api_keys
     WHERE token_hash = ? AND revoked_at IS NULL`,
    [tokenHash],
  )
  if (!row) return undefined
  const { orgId, keyId, label, environment } = row
  return { kind: 'api_key', id: keyId, orgId, environment, label, scopes: row.scopes.split(' ') as ApiScope[] }
}

export interface NewKey {
  readonly keyId: string
  readonly label: string
  readonly environment: Environment
  readonly scopes: readonly ApiScope[]
  readonly prefix: string
  readonly tokenHash: string
}

export const insertApiKey = async (tx: Tx, orgId: string, key: NewKey, now: number): Promise<void> => {
  await tx.run(
    `INSERT INTO api_keys (org_id, key_id, label, environment, scopes, prefix, token_hash, created_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
    [orgId, key.keyId, key.label, key.environment, key.scopes.join(' '), key.prefix, key.tokenHash, now],
  )
}
