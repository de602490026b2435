import {
  type AtsProvider,
  assessmentsPath,
  type BodyOf,
  type EndpointMap,
  notFound,
  ServiceError,
  secretPrefixes,
} from '@integrity/protocol'
import type { By, Needs } from '../../../kernel/call.ts'
import type { ActorOf } from '../../../kernel/identity/actor.ts'
import { lastUsesOf } from '../../../kernel/recent-requests/recent-requests.ts'
import { checkSeen } from '../../../kernel/seen.ts'
import { newSecret } from '../../../platform/crypto/secrets.ts'
import { judged, ProviderFailed } from '../../../platform/provider/provider-failed.ts'
import { policyForSession } from '../../interviews/session-policies/session-policies.service.ts'
import { lockPeople } from '../../organisation/people/guards.service.ts'
import type { AtsSettings, ConnectionRow } from './ats.types.ts'
import { findConnection, listConnections, markTried, saveConnection } from './connections.store.ts'
import { atsOf, readCredentials, seal, unseal } from './providers.service.ts'

const maxConnections = 20

type Member = By<ActorOf<'user'>>
type Changes = Member & Needs<'audit' | 'clock' | 'credentials' | 'keyring' | 'newId' | 'tx'>

export const connectionsOf = (call: Needs<'reader'>, orgId: string) => listConnections(call.reader, orgId)

export const getConnection = async (
  call: Needs<'reader'>,
  { orgId, id }: { readonly orgId: string; readonly id: string },
): Promise<ConnectionRow> => {
  const row = await findConnection(call.reader, orgId, id)
  if (!row) throw notFound('connection')
  return row
}

export const getConnected = async (
  call: Needs<'reader'>,
  { orgId, id }: { readonly orgId: string; readonly id: string },
): Promise<ConnectionRow> => {
  const row = await getConnection(call, { orgId, id })
  if (row.disconnectedAt !== null) throw notFound('connection')
  return row
}

export const inboundUrlOf = (
  { config }: Needs<'config'>,
  { orgId, row: { id, provider } }: { readonly orgId: string; readonly row: Pick<ConnectionRow, 'id' | 'provider'> },
): string =>
  provider === 'greenhouse_assessment'
    ? `${config.baseUrl}${assessmentsPath}`
    : `${config.baseUrl}/v1/integrations/ats/${orgId}/${id}`

const policiesOf = ({ policyId, mapping }: AtsSettings): string[] => [
  ...(policyId === null ? [] : [policyId]),
  ...mapping.policies.map((one) => one.policyId),
]

/** Those that were there before may have been archived since. */
const checkSettings = async (call: Changes, settings: AtsSettings, before?: AtsSettings): Promise<void> => {
  const scope = { orgId: call.actor.orgId, environment: 'live' } as const
  const known = new Set(before && policiesOf(before))
  for (const id of new Set(policiesOf(settings))) if (!known.has(id)) await policyForSession({ tx: call.tx, scope }, id)
}

/** The result of a small test request to a provider. */
export interface Tried {
  readonly ok: boolean
  /** The credentials are not taken; otherwise it may pass, or a right is missing. */
  readonly isRefused: boolean
  readonly problem: string | null
}

const tryOut = async (
  call: Needs<'clock' | 'config' | 'httpOut' | 'keyring'>,
  place: { readonly orgId: string; readonly row: Pick<ConnectionRow, 'id' | 'provider' | 'wrappedCredentials'> },
): Promise<Tried> => {
  if (place.row.provider === 'greenhouse_assessment') return { ok: true, isRefused: false, problem: null }
  try {
    await atsOf(call, place).probe()
    return { ok: true, isRefused: false, problem: null }
  } catch (error) {
    if (!(error instanceof ProviderFailed)) throw error
    return { ok: false, isRefused: error.kind === 'ends', problem: judged(error).problem }
  }
}

/** Credentials that are not taken are not kept. */
const refuseUntaken = ({ isRefused, problem }: Tried): void => {
  if (!isRefused) return
  throw new ServiceError('conflict', `${problem}; nothing was changed`, { extra: { reason: 'provider_refused' } })
}

type Asks = Member & Needs<'clock' | 'config' | 'httpOut' | 'keyring' | 'reader'>

/** Whoever signs needs the secret itself here; a key that somebody calls with is found by its hash, and is sent back with news. */
const newInboundSecret = (provider: AtsProvider): { token: string; keyHash: string | null } => {
  const isKey = provider === 'greenhouse_assessment'
  const { token, hash } = newSecret(isKey ? secretPrefixes.assessment : 'atsin_')
  return { token, keyHash: isKey ? hash : null }
}

/** A signing token that a provider makes itself stands for the secret that is made here. */
const givenToken = (credentials: object): string | undefined =>
  'signingToken' in credentials && typeof credentials.signingToken === 'string' ? credentials.signingToken : undefined

/** Before the transaction: whether the provider takes these credentials. @throws ServiceError where it does not */
export const tryCredentials = async (
  call: Asks,
  { id, provider, credentials }: { readonly id: string; readonly provider: AtsProvider; readonly credentials: object },
): Promise<Tried> => {
  const { orgId } = call.actor
  const wrappedCredentials = seal(call, { what: 'credentials', orgId, id, value: credentials })
  const tried = await tryOut(call, { orgId, row: { id, provider, wrappedCredentials } })
  refuseUntaken(tried)
  return tried
}

export const connect = async (
  call: Changes,
  { body, problem }: { readonly body: BodyOf<EndpointMap['portal.ats.connect']> } & Tried,
): Promise<{ row: ConnectionRow; inboundSecret: string }> => {
  const { tx, actor } = call
  const { orgId } = actor
  await lockPeople(call, orgId)
  if ((await listConnections(tx, orgId)).length >= maxConnections)
    throw new ServiceError('conflict', `there are ${maxConnections} connections already, which is the limit`)
  await checkSettings(call, body.settings)
  const { provider, label, credentials, settings } = body
  const id = call.newId('ats')
  const now = call.clock.now()
  const made = newInboundSecret(provider)
  const inboundSecret = givenToken(credentials) ?? made.token
  const row: ConnectionRow = {
    id,
    provider,
    label,
    settings,
    version: 1,
    status: 'connected',
    problem,
    wrappedCredentials: seal(call, { what: 'credentials', orgId, id, value: credentials }),
    wrappedSecret: seal(call, { what: 'secret', orgId, id, value: inboundSecret }),
    keyHash: made.keyHash,
    secretSetAt: now,
    connectedAt: now,
    disconnectedAt: null,
  }
  await saveConnection(tx, orgId, row)
  const payload = { provider, label, settings }
  await call.audit.append({ tx, scope: { orgId }, actor }, { action: 'ats.connected', target: id, payload })
  return { row, inboundSecret }
}

type Change = BodyOf<EndpointMap['portal.ats.update']>

/** A signing token that is not named stays. */
const credentialsAfter = (call: Member & Needs<'keyring'>, before: ConnectionRow, given: object): object => {
  const place = { orgId: call.actor.orgId, id: before.id }
  const kept = unseal(call, { what: 'credentials', ...place, wrapped: before.wrappedCredentials ?? '' }) as object
  const token = givenToken(kept)
  return readCredentials(before.provider, { ...(token !== undefined && { signingToken: token }), ...given })
}

/** Before the transaction: whether the provider takes the credentials that a connection shall have from now on. */
export const tryNewCredentials = async (
  call: Asks,
  { id, given }: { readonly id: string; readonly given: object | undefined },
): Promise<Tried | undefined> => {
  if (given === undefined) return undefined
  const before = await getConnected(call, { orgId: call.actor.orgId, id })
  const credentials = credentialsAfter(call, before, given)
  return tryCredentials(call, { id, provider: before.provider, credentials })
}

/** New credentials in place of the old ones. */
const changeCredentials = (
  call: Changes,
  before: ConnectionRow,
  { given, problem }: { readonly given: object; readonly problem: string | null },
): Partial<ConnectionRow> => {
  const place = { orgId: call.actor.orgId, id: before.id }
  const credentials = credentialsAfter(call, before, given)
  const newToken = givenToken(given)
  return {
    wrappedCredentials: seal(call, { what: 'credentials', ...place, value: credentials }),
    status: before.status === 'broken' ? 'connected' : before.status,
    problem,
    ...(newToken !== undefined && {
      wrappedSecret: seal(call, { what: 'secret', ...place, value: newToken }),
      secretSetAt: call.clock.now(),
    }),
  }
}

const settingsAfter = (
  before: AtsSettings,
  { triggerStages, policyId, invite, push, mapping }: NonNullable<Change['settings']>,
): AtsSettings => ({
  triggerStages: triggerStages ?? before.triggerStages,
  policyId: policyId === undefined ? before.policyId : policyId,
  invite: invite ?? before.invite,
  push: push ?? before.push,
  mapping: {
    policies: mapping?.policies ?? before.mapping.policies,
    label: mapping?.label ?? before.mapping.label,
  },
})

export const changeConnection = async (
  call: Changes,
  { id, change, tried }: { readonly id: string; readonly change: Change; readonly tried: Tried | undefined },
): Promise<ConnectionRow> => {
  const { tx, actor } = call
  const { orgId } = actor
  await lockPeople(call, orgId)
  const before = await getConnected({ reader: tx }, { orgId, id })
  checkSeen(before, change.expectedVersion)
  const settings = settingsAfter(before.settings, change.settings ?? {})
  await checkSettings(call, settings, before.settings)
  const { credentials: given, label = before.label } = change
  const isSet = change.label !== undefined || given !== undefined || change.settings !== undefined
  const renewed = given ? changeCredentials(call, before, { given, problem: tried?.problem ?? null }) : {}
  const status = renewed.status ?? before.status
  if (change.status !== undefined && status === 'broken')
    throw new ServiceError('conflict', `${before.problem ?? 'the provider refuses the credentials'}: give new ones`, {
      extra: { reason: 'access_ended' },
    })
  const after = {
    ...before,
    ...renewed,
    settings,
    label,
    status: change.status ?? status,
    version: before.version + Number(isSet),
  }
  await saveConnection(tx, orgId, after)
  const payload = { label, status: after.status, settings, newCredentials: given !== undefined }
  await call.audit.append({ tx, scope: { orgId }, actor }, { action: 'ats.changed', target: id, payload })
  return after
}

/** Its credentials and secret are gone with that. */
export const disconnect = async (call: Changes, id: string): Promise<void> => {
  const { tx, actor } = call
  const { orgId } = actor
  await lockPeople(call, orgId)
  const before = await getConnected({ reader: tx }, { orgId, id })
  const disconnectedAt = call.clock.now()
  const ended = { wrappedCredentials: null, wrappedSecret: null, keyHash: null, disconnectedAt }
  await saveConnection(tx, orgId, { ...before, ...ended })
  tx.afterCommit(() => call.credentials.clear())
  const payload = { provider: before.provider, label: before.label }
  await call.audit.append({ tx, scope: { orgId }, actor }, { action: 'ats.disconnected', target: id, payload })
}

export const rotateSecret = async (call: Changes, id: string): Promise<{ row: ConnectionRow; secret: string }> => {
  const { tx, actor } = call
  const { orgId } = actor
  await lockPeople(call, orgId)
  const before = await getConnected({ reader: tx }, { orgId, id })
  const { token: secret, keyHash } = newInboundSecret(before.provider)
  const wrappedSecret = seal(call, { what: 'secret', orgId, id, value: secret })
  const row = { ...before, wrappedSecret, keyHash, secretSetAt: call.clock.now() }
  await saveConnection(tx, orgId, row)
  tx.afterCommit(() => call.credentials.clear())
  await call.audit.append({ tx, scope: { orgId }, actor }, { action: 'ats.secret_rotated', target: id })
  return { row, secret }
}

/** Greenhouse asks for assessments itself: what can be known is whether it ever did. */
const calledYet = async (call: Needs<'reader'>, orgId: string, id: string): Promise<Tried> => {
  const ok = (await lastUsesOf(call, orgId, [id])).has(id)
  return { ok, isRefused: false, problem: ok ? null : 'Greenhouse has not called with the key of this connection yet' }
}

/** Before the transaction: asks for something small. A refusal is an answer. */
export const tryConnection = async (call: Asks, id: string): Promise<{ row: ConnectionRow; tried: Tried }> => {
  const { orgId } = call.actor
  const row = await getConnected(call, { orgId, id })
  const isAsked = row.provider !== 'greenhouse_assessment'
  return { row, tried: await (isAsked ? tryOut(call, { orgId, row }) : calledYet(call, orgId, id)) }
}

/** Keeps what a try came to; one that could not be made says nothing about the access. */
export const keepTried = async (
  call: Changes,
  { row, tried: { ok, isRefused, problem } }: Awaited<ReturnType<typeof tryConnection>>,
): Promise<{ ok: boolean; problem: string | null }> => {
  const { tx, actor } = call
  const { orgId } = actor
  const status = ok ? 'connected' : isRefused ? 'broken' : 'same'
  await markTried(tx, orgId, row, { status, problem })
  await call.audit.append(
    { tx, scope: { orgId }, actor },
    { action: 'ats.tested', target: row.id, payload: { ok, problem } },
  )
  return { ok, problem }
}
