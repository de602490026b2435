import { type AtsProvider, type BodyOf, type EndpointMap, notFound, ServiceError } from '@integrity/protocol'
import type { By, Needs } from '../../kernel/call.ts'
import type { ActorOf } from '../../kernel/identity/actor.ts'
import { newSecret } from '../../platform/crypto/secrets.ts'
import { judged, ProviderFailed } from '../../platform/provider/provider-failed.ts'
import { lockPeople } from '../people/guards.service.ts'
import { policyForSession } from '../session-policies/session-policies.service.ts'
import type { AtsSettings, ConnectionRow } from './ats.types.ts'
import { findConnection, listConnections, saveConnection } from './connections.store.ts'
import { atsOf, readCredentials, seal, unseal } from './providers.service.ts'

const maxConnections = 20

type Member = By<ActorOf<'user'>>
type Changes = Member & Needs<'audit' | 'clock' | 'keyring' | 'newId' | 'tx'>

export const connectionsOf = (call: Needs<'reader'>, orgId: string) => listConnections(call.reader, orgId)

/** Also one that was disconnected. */
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
  { orgId, id }: { readonly orgId: string; readonly id: string },
): string => `${config.baseUrl}/v1/integrations/ats/${orgId}/${id}`

const checkSettings = async (call: Changes, { policyId }: AtsSettings): Promise<void> => {
  const scope = { orgId: call.actor.orgId, environment: 'live' } as const
  if (policyId !== null) await policyForSession({ tx: call.tx, scope }, policyId)
}

const newInboundSecret = (): string => newSecret('atsin_').token

/** A signing token that a provider makes itself stands for the secret that is made here. */
const givenToken = (credentials: object): string | undefined =>
  'signingToken' in credentials && typeof credentials.signingToken === 'string' ? credentials.signingToken : undefined

export const connect = async (
  call: Changes,
  body: BodyOf<EndpointMap['portal.ats.connect']>,
): Promise<{ row: ConnectionRow; inboundSecret: string }> => {
  const { tx, actor } = call
  const { orgId } = actor
  await lockPeople(call, orgId)
  if ((await listConnections(tx, orgId)).length >= maxConnections)
    throw new ServiceError('conflict', `there are ${maxConnections} connections already, which is the ceiling`)
  await checkSettings(call, body.settings)
  const { provider, label, credentials, settings } = body
  const id = call.newId('ats')
  const now = call.clock.now()
  const inboundSecret = givenToken(credentials) ?? newInboundSecret()
  const row: ConnectionRow = {
    ...{ id, provider, label, settings, status: 'connected', problem: null },
    wrappedCredentials: seal(call, { what: 'credentials', orgId, id, value: credentials }),
    wrappedSecret: seal(call, { what: 'secret', orgId, id, value: inboundSecret }),
    ...{ secretSetAt: now, connectedAt: now, disconnectedAt: null },
  }
  await saveConnection(tx, orgId, row)
  const payload = { provider, label, settings }
  await call.audit.append({ tx, scope: { orgId }, actor }, { action: 'ats.connected', target: id, payload })
  return { row, inboundSecret }
}

type Change = BodyOf<EndpointMap['portal.ats.update']>

/** New credentials in place of the old ones; a signing token that is not named stays. */
const changeCredentials = (call: Changes, before: ConnectionRow, given: object): Partial<ConnectionRow> => {
  const place = { orgId: call.actor.orgId, id: before.id }
  const kept = unseal(call, { what: 'credentials', ...place, wrapped: before.wrappedCredentials ?? '' }) as object
  const token = givenToken(kept)
  const credentials = readCredentials(before.provider, {
    ...(token !== undefined && { signingToken: token }),
    ...given,
  })
  const newToken = givenToken(given)
  return {
    wrappedCredentials: seal(call, { what: 'credentials', ...place, value: credentials }),
    ...{ status: before.status === 'broken' ? 'connected' : before.status, problem: null },
    ...(newToken !== undefined && {
      ...{ wrappedSecret: seal(call, { what: 'secret', ...place, value: newToken }), secretSetAt: call.clock.now() },
    }),
  }
}

const settingsAfter = (
  before: AtsSettings,
  { triggerStages, policyId, invite, push }: NonNullable<Change['settings']>,
) => ({
  triggerStages: triggerStages ?? before.triggerStages,
  policyId: policyId === undefined ? before.policyId : policyId,
  invite: invite ?? before.invite,
  push: push ?? before.push,
})

export const changeConnection = async (
  call: Changes,
  { id, change }: { readonly id: string; readonly change: Change },
): Promise<ConnectionRow> => {
  const { tx, actor } = call
  const { orgId } = actor
  await lockPeople(call, orgId)
  const before = await getConnected({ reader: tx }, { orgId, id })
  const settings = settingsAfter(before.settings, change.settings ?? {})
  if (settings.policyId !== before.settings.policyId) await checkSettings(call, settings)
  const renewed = change.credentials ? changeCredentials(call, before, change.credentials) : {}
  const status = renewed.status ?? before.status
  if (change.status !== undefined && status === 'broken')
    throw new ServiceError('conflict', `${before.problem ?? 'the provider refuses the credentials'}: give new ones`, {
      extra: { reason: 'access_ended' },
    })
  const after = {
    ...before,
    ...renewed,
    settings,
    label: change.label ?? before.label,
    status: change.status ?? status,
  }
  await saveConnection(tx, orgId, after)
  const payload = {
    label: after.label,
    status: after.status,
    settings,
    newCredentials: change.credentials !== undefined,
  }
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
  await saveConnection(tx, orgId, { ...before, wrappedCredentials: null, wrappedSecret: null, disconnectedAt })
  const payload = { provider: before.provider, label: before.label }
  await call.audit.append({ tx, scope: { orgId }, actor }, { action: 'ats.disconnected', target: id, payload })
}

export const rotateSecret = async (call: Changes, id: string): Promise<string> => {
  const { tx, actor } = call
  const { orgId } = actor
  await lockPeople(call, orgId)
  const before = await getConnected({ reader: tx }, { orgId, id })
  const secret = newInboundSecret()
  const wrappedSecret = seal(call, { what: 'secret', orgId, id, value: secret })
  await saveConnection(tx, orgId, { ...before, wrappedSecret, secretSetAt: call.clock.now() })
  await call.audit.append({ tx, scope: { orgId }, actor }, { action: 'ats.secret_rotated', target: id })
  return secret
}

/** Asks for something small. A refusal is an answer. */
export const testConnection = async (
  call: Member & Needs<'clock' | 'config' | 'httpOut' | 'keyring' | 'reader'>,
  id: string,
): Promise<{ ok: boolean; problem: string | null }> => {
  const { orgId } = call.actor
  const row = await getConnected(call, { orgId, id })
  try {
    await atsOf(call, { orgId, row }).probe()
    return { ok: true, problem: null }
  } catch (error) {
    if (!(error instanceof ProviderFailed)) throw error
    return { ok: false, problem: judged(error).problem }
  }
}

/** What each provider needs, and how its webhook is set up there. */
export const inboundWords: Readonly<Record<AtsProvider, string>> = {
  greenhouse:
    'Configure > Dev Center > Web Hooks: "Candidate has changed stage", with inboundUrl and inboundSecret. The credentials are of a "Harvest V3 (OAuth)" key.',
  lever:
    'Settings > Integrations > Webhooks: "Candidate stage change" with inboundUrl. Lever makes the signing token itself: give it as credentials.signingToken.',
  ashby:
    'Admin > Integrations > Webhooks: "Candidate Stage Change" with inboundUrl and inboundSecret as the secret token.',
  teamtailor:
    'Settings > Webhooks: job application updates with inboundUrl. Give the key that it is signed with as credentials.signingToken. Teamtailor sends once: what was missed does not come again.',
}
