import { type ApiScope, maxApiKeys, notFound, ServiceError, secretPrefixes } from '@integrity/protocol'
import type { By, Needs } from '../../../kernel/call.ts'
import type { ActorOf, AuditActor } from '../../../kernel/identity/actor.ts'
import type { Environment } from '../../../kernel/identity/scope.ts'
import { type List, type PageQuery, readPage } from '../../../kernel/paging.ts'
import { lastUsesOf, requestsOf } from '../../../kernel/recent-requests/recent-requests.ts'
import { newSecret } from '../../../platform/crypto/secrets.ts'
import { exceedingScopes } from './api-keys.policy.ts'
import {
  countKeys,
  countLivingKeysForUpdate,
  findKey,
  findKeyForUpdate,
  findLabels,
  insertApiKey,
  type KeyFilters,
  type KeyRow,
  listLivingKeyIds,
  listLivingKeysMadeBy,
  listLivingScopes,
  markRevoked,
  pageOfKeys,
  replaceSecret,
} from './api-keys.store.ts'

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

/** A page of an organisation's keys, and how many there are. */
export const listKeys = async (
  { reader, scope: { orgId } }: Needs<'reader' | 'scope'>,
  { environment, status, ...query }: PageQuery & KeyFilters,
) => {
  const filters = { environment, status }
  const list: List<KeyRow> = {
    of: ['api-keys', orgId, filters],
    kinds: ['number', 'string'],
    keyOf: ({ createdAt, id }) => [createdAt, id],
    fetch: (stretch) => pageOfKeys(reader, orgId, filters, stretch),
  }
  const page = await readPage(list, query)
  const ids = page.rows.map(({ id }) => id)
  return { page, total: await countKeys(reader, orgId, filters), uses: await lastUsesOf({ reader }, orgId, ids) }
}

/** When a key was used last. */
export const lastUseOf = async (call: Needs<'reader' | 'scope'>, id: string): Promise<number | undefined> =>
  (await lastUsesOf(call, call.scope.orgId, [id])).get(id)

/** The newest requests with a key, also with one that is revoked. */
export const recentRequestsOfKey = async (call: Needs<'clock' | 'reader' | 'scope'>, id: string) => {
  const { orgId } = call.scope
  await getKey(call, orgId, id)
  return requestsOf(call, { orgId, credentialId: id })
}

/** The keys that work and that a person made: they go on when the person goes. */
export const keysMadeBy = (
  call: Needs<'reader'>,
  { orgId, userId }: { readonly orgId: string; readonly userId: string },
): Promise<KeyRow[]> => listLivingKeysMadeBy(call.reader, orgId, `user:${userId}`)

/** Labels of an organisation's keys, by id. */
export const labelsOf = async (
  call: Needs<'reader'>,
  { orgId, ids }: { readonly orgId: string; readonly ids: readonly string[] },
): Promise<Map<string, string>> =>
  ids.length === 0
    ? new Map()
    : new Map((await findLabels(call.reader, orgId, ids)).map(({ id, label }) => [id, label]))

/** Makes a key. Whether its maker may, and whether there is room for it, is for the caller to ask. */
export const mintApiKey = async (
  call: Needs<'audit' | 'clock' | 'newId' | 'reader' | 'tx'>,
  { orgId, actor, input }: { readonly orgId: string; readonly actor: AuditActor; readonly input: KeyInput },
): Promise<{ keyId: string; token: string }> => {
  const { tx } = call
  const { token, ...secret } = newKeySecret(input.environment)
  const keyId = call.newId('key')
  const key = { ...input, ...secret, id: keyId, createdBy: `${actor.kind}:${actor.id}` }
  await insertApiKey(tx, orgId, key, call.clock.now())
  const { label, environment, scopes } = input
  await call.audit.append(
    { tx, scope: { orgId: orgId }, actor },
    {
      action: 'api_key.created',
      target: keyId,
      payload: { label, environment, scopes },
    },
  )
  return { keyId, token }
}

const found = (key: KeyRow | undefined): KeyRow => {
  if (!key) throw notFound('API key')
  return key
}

const getKey = async (call: Needs<'reader'>, orgId: string, id: string): Promise<KeyRow> =>
  found(await findKey(call.reader, orgId, id))

/** A key does no more than whoever gets its secret, however they get it. */
const refuseBeyond = ({ permissions }: ActorOf<'user'>, scopes: readonly ApiScope[]): void => {
  const exceeding = exceedingScopes(scopes, permissions)
  if (exceeding.length === 0) return
  throw new ServiceError(
    'forbidden',
    `a key may do no more than whoever has its secret made, who may not grant ${exceeding.join(', ')}`,
  )
}

/** A member mints a key: with no more authority than their own, and while there is room. */
export const createKey = async (
  call: By<ActorOf<'user'>> & Needs<'audit' | 'clock' | 'newId' | 'reader' | 'tx'>,
  input: KeyInput,
): Promise<{ key: KeyRow; token: string }> => {
  const { actor } = call
  const scopes = [...new Set(input.scopes)]
  refuseBeyond(actor, scopes)
  const { orgId } = actor
  if ((await countLivingKeysForUpdate(call.tx, orgId)) >= maxApiKeys)
    throw new ServiceError('conflict', `there are ${maxApiKeys} API keys already; revoke one first`)
  const { keyId, token } = await mintApiKey(call, { orgId, actor, input: { ...input, scopes } })
  return { key: await getKey(call, orgId, keyId), token }
}

/** What the key stood for ends with the commit: requests, and streams that are open. */
const cutOff = (call: Needs<'credentials' | 'reader' | 'streams' | 'tx'>, keyId: string): void =>
  call.tx.afterCommit(() => {
    call.credentials.clear()
    call.streams.endOf(keyId)
  })

/** Puts a new secret in the place of the old one, which stops at once. Whoever does it might have made the key. */
export const rotateKey = async (
  call: By<ActorOf<'user'>> & Needs<'audit' | 'clock' | 'credentials' | 'reader' | 'streams' | 'tx'>,
  id: string,
): Promise<{ key: KeyRow; token: string }> => {
  const { tx, actor } = call
  const { orgId } = actor
  const before = found(await findKeyForUpdate(tx, orgId, id))
  if (before.revokedAt !== null) throw new ServiceError('conflict', 'this key is revoked; mint a new one')
  refuseBeyond(actor, before.scopes)
  const { token, ...secret } = newKeySecret(before.environment)
  await replaceSecret(tx, orgId, id, secret, call.clock.now())
  await call.audit.append({ tx, scope: { orgId: orgId }, actor }, { action: 'api_key.rotated', target: id })
  cutOff(call, id)
  return { key: await getKey(call, orgId, id), token }
}

type Revokes = By & Needs<'audit' | 'clock' | 'credentials' | 'reader' | 'streams' | 'tx'>

const revoke = async (call: Revokes, orgId: string, id: string): Promise<{ id: string; revokedAt: number }> => {
  const { tx, actor } = call
  const before = found(await findKeyForUpdate(tx, orgId, id))
  if (before.revokedAt !== null) return { id, revokedAt: before.revokedAt }
  const now = call.clock.now()
  await markRevoked(tx, orgId, id, now)
  await call.audit.append({ tx, scope: { orgId: orgId }, actor }, { action: 'api_key.revoked', target: id })
  cutOff(call, id)
  return { id, revokedAt: now }
}

/** Revokes a key for good; answers when that was, also when it was revoked before. */
export const revokeKey = (call: Revokes & By<ActorOf<'user'>>, id: string) => revoke(call, call.actor.orgId, id)

/** Revokes all keys of an organisation; answers how many there were. */
export const revokeAllKeys = async (call: Revokes, orgId: string): Promise<number> => {
  const ids = await listLivingKeyIds(call.tx, orgId)
  for (const id of ids) await revoke(call, orgId, id)
  return ids.length
}

/** How many keys that work have a scope. An organisation has few keys. */
export const keysThatMay = async (
  call: Needs<'reader'>,
  { orgId, scope }: { readonly orgId: string; readonly scope: ApiScope },
): Promise<number> => (await listLivingScopes(call.reader, orgId)).filter((scopes) => scopes.includes(scope)).length
