import { type ApiScope, maxApiKeys, notFound, ServiceError, secretPrefixes } from '@integrity/protocol'
import type { ActorOf, AuditActor } from '../../kernel/actor.ts'
import type { AppContext } from '../../kernel/parts.ts'
import type { Environment } from '../../kernel/scope.ts'
import { newSecret } from '../../platform/crypto/secrets.ts'
import type { Reader, Tx } from '../../platform/db/types.ts'
import { exceedingScopes } from './api-keys.policy.ts'
import {
  countLivingKeysForUpdate,
  findKey,
  findKeyForUpdate,
  findLivingKeyByHash,
  insertApiKey,
  type KeyRow,
  markRevoked,
  replaceSecret,
} from './api-keys.store.ts'

/** The key behind a secret, whosoever it is. */
export const findApiKey = async (reader: Reader, tokenHash: string): Promise<ActorOf<'api_key'> | undefined> => {
  const key = await findLivingKeyByHash(reader, tokenHash)
  if (!key) return undefined
  const { id, orgId, environment, label, scopes } = key
  return { kind: 'api_key', id, orgId, environment, label, scopes }
}

/** A new secret with what is kept of it: its hash, and in the clear its kind and four characters to recognise it by. */
const newKeySecret = (environment: Environment) => {
  const kind = environment === 'live' ? secretPrefixes.api_key_live : secretPrefixes.api_key_sandbox
  const { token, hash } = newSecret(kind)
  return { token, tokenHash: hash, prefix: token.slice(0, kind.length + 4) }
}

export interface KeyInput {
  readonly label: string
  readonly environment: Environment
  readonly scopes: readonly ApiScope[]
}

/** Makes a key. Whether its maker may, and whether there is room for it, is for the caller to ask. */
export const mintApiKey = async (
  app: AppContext,
  tx: Tx,
  orgId: string,
  actor: AuditActor,
  input: KeyInput,
): Promise<{ keyId: string; token: string }> => {
  const { token, ...secret } = newKeySecret(input.environment)
  const keyId = app.newId('key')
  const key = { ...input, ...secret, id: keyId, createdBy: `${actor.kind}:${actor.id}` }
  await insertApiKey(tx, orgId, key, app.clock.now())
  const { label, environment, scopes } = input
  await app.audit.append(tx, orgId, {
    actor,
    action: 'api_key.created',
    target: keyId,
    payload: { label, environment, scopes },
  })
  return { keyId, token }
}

const found = (key: KeyRow | undefined): KeyRow => {
  if (!key) throw notFound('API key')
  return key
}

export const getKey = async (reader: Reader, orgId: string, id: string): Promise<KeyRow> =>
  found(await findKey(reader, orgId, id))

/** A member mints a key: with no more authority than their own, and while there is room. */
export const createKey = async (
  app: AppContext,
  tx: Tx,
  actor: ActorOf<'user'>,
  input: KeyInput,
): Promise<{ key: KeyRow; token: string }> => {
  const scopes = [...new Set(input.scopes)]
  const exceeding = exceedingScopes(scopes, actor.permissions)
  if (exceeding.length > 0)
    throw new ServiceError(
      'forbidden',
      `a key may do no more than its maker, who may not grant ${exceeding.join(', ')}`,
    )
  const { orgId } = actor
  if ((await countLivingKeysForUpdate(tx, orgId)) >= maxApiKeys)
    throw new ServiceError('conflict', `there are ${maxApiKeys} API keys already; revoke one first`)
  const { keyId, token } = await mintApiKey(app, tx, orgId, actor, { ...input, scopes })
  return { key: await getKey(tx, orgId, keyId), token }
}

/** What the key stood for ends with the commit: requests, and streams that are open. */
const cutOff = (app: AppContext, tx: Tx, keyId: string): void =>
  tx.afterCommit(() => {
    app.credentials.clear()
    app.streams.endOf(keyId)
  })

/** Puts a new secret in the place of the old one, which stops at once. */
export const rotateKey = async (
  app: AppContext,
  tx: Tx,
  actor: ActorOf<'user'>,
  id: string,
): Promise<{ key: KeyRow; token: string }> => {
  const { orgId } = actor
  const before = found(await findKeyForUpdate(tx, orgId, id))
  if (before.revokedAt !== null) throw new ServiceError('conflict', 'this key is revoked; mint a new one')
  const { token, ...secret } = newKeySecret(before.environment)
  await replaceSecret(tx, orgId, id, secret, app.clock.now())
  await app.audit.append(tx, orgId, { actor, action: 'api_key.rotated', target: id })
  cutOff(app, tx, id)
  return { key: await getKey(tx, orgId, id), token }
}

/** Revokes a key for good; answers when that was, also when it was revoked before. */
export const revokeKey = async (
  app: AppContext,
  tx: Tx,
  actor: ActorOf<'user'>,
  id: string,
): Promise<{ id: string; revokedAt: number }> => {
  const { orgId } = actor
  const before = found(await findKeyForUpdate(tx, orgId, id))
  if (before.revokedAt !== null) return { id, revokedAt: before.revokedAt }
  const now = app.clock.now()
  await markRevoked(tx, orgId, id, now)
  await app.audit.append(tx, orgId, { actor, action: 'api_key.revoked', target: id })
  cutOff(app, tx, id)
  return { id, revokedAt: now }
}
