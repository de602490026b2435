import { type BodyOf, type EndpointMap, invalid, notFound, ServiceError } from '@integrity/protocol'
import type { By, Needs } from '../../../kernel/call.ts'
import type { ActorOf } from '../../../kernel/identity/actor.ts'
import { type List, type PageQuery, readPage } from '../../../kernel/paging.ts'
import { checkSeen } from '../../../kernel/seen.ts'
import { workflowChannel } from '../../../platform/chat/teams.ts'
import type { Channel } from '../../../platform/chat/types.ts'
import { asRefusal } from '../../../platform/provider/provider-failed.ts'
import { lockPeople } from '../../organisation/people/guards.service.ts'
import {
  countDeliveries,
  findDelivery,
  insertDelivery,
  type ListedDeliveries,
  pageOfDeliveries,
} from './announcements.store.ts'
import type { ChatDeliveryRow, IntegrationRow } from './chat.types.ts'
import { findIntegration, listIntegrations, saveIntegration } from './integrations.store.ts'
import { accessOf, chatOf } from './platforms.service.ts'

type Member = By<ActorOf<'user'>>
type Asks = Member & Needs<'config' | 'httpOut' | 'keyring' | 'reader'>
type Changes = Member & Needs<'audit' | 'clock' | 'tx'>

export const integrationsOf = (call: Needs<'reader'>, orgId: string) => listIntegrations(call.reader, orgId)

const getIntegration = async (call: Needs<'reader'>, orgId: string, id: string): Promise<IntegrationRow> => {
  const row = await findIntegration(call.reader, orgId, id)
  if (!row) throw notFound('chat app')
  return row
}

/** One that is still connected. */
const getConnected = async (call: Needs<'reader'>, orgId: string, id: string): Promise<IntegrationRow> => {
  const row = await getIntegration(call, orgId, id)
  if (row.disconnectedAt !== null) throw notFound('chat app')
  return row
}

const askChannels = async (call: Asks, row: IntegrationRow): Promise<readonly Channel[]> => {
  if (row.provider === 'teams') return [{ id: workflowChannel, name: row.workspace, isPrivate: false }]
  try {
    return await chatOf(call, row.provider).channels(accessOf(call, { orgId: call.actor.orgId, integration: row }))
  } catch (error) {
    throw asRefusal(error)
  }
}

/** The channels that an app can post into. */
export const channelsOf = async (call: Asks, id: string): Promise<readonly Channel[]> =>
  askChannels(call, await getConnected(call, call.actor.orgId, id))

type Change = BodyOf<EndpointMap['portal.chat.update']>

/** Before the transaction: the channel that is wished for, as the platform names it. */
export const findChannel = async (
  call: Asks,
  { id, change: { channelId } }: { readonly id: string; readonly change: Change },
): Promise<Channel | undefined> => {
  const row = await getConnected(call, call.actor.orgId, id)
  if (channelId === undefined) return undefined
  const channel = (await askChannels(call, row)).find((one) => one.id === channelId)
  if (!channel) throw invalid('channelId', 'is none of the channels that the app can post into')
  return channel
}

export const changeIntegration = async (
  call: Changes,
  {
    id,
    change: { status, expectedVersion, ...settings },
    channel,
  }: { readonly id: string; readonly change: Change; readonly channel: Channel | undefined },
): Promise<IntegrationRow> => {
  const { tx, actor } = call
  const { orgId } = actor
  await lockPeople(call, orgId)
  const before = await getConnected({ reader: tx }, orgId, id)
  checkSeen(before, expectedVersion)
  const { events, reviewThreshold, showCandidateLabel } = settings
  const isSet = Object.values(settings).some((value) => value !== undefined)
  if (status !== undefined && before.status === 'broken')
    throw new ServiceError('conflict', `${before.problem ?? 'the platform refuses it'}: install the app again`, {
      extra: { reason: 'access_ended' },
    })
  const after: IntegrationRow = {
    ...before,
    ...(channel && { channelId: channel.id, channelName: channel.name }),
    ...(events && { events }),
    ...(reviewThreshold !== undefined && { reviewThreshold, aboveThreshold: false }),
    ...(showCandidateLabel !== undefined && { showCandidateLabel }),
    ...(status && { status }),
    version: before.version + Number(isSet),
  }
  await saveIntegration(tx, orgId, after)
  const payload = {
    channel: after.channelName,
    events: after.events,
    reviewThreshold: after.reviewThreshold,
    showCandidateLabel: after.showCandidateLabel,
    status: after.status,
  }
  await call.audit.append({ tx, scope: { orgId }, actor }, { action: 'chat.changed', target: id, payload })
  return after
}

/** Before the transaction: has the platform take the access back, where it can. It is forgotten here in any case. */
export const revokeAccess = async (call: Asks, id: string): Promise<boolean> => {
  const row = await getConnected(call, call.actor.orgId, id)
  try {
    return await chatOf(call, row.provider).revoke(accessOf(call, { orgId: call.actor.orgId, integration: row }))
  } catch {
    return false
  }
}

export const removeIntegration = async (
  call: Changes,
  { id, revoked }: { readonly id: string; readonly revoked: boolean },
): Promise<IntegrationRow> => {
  const { tx, actor } = call
  const { orgId } = actor
  await lockPeople(call, orgId)
  const before = await getConnected({ reader: tx }, orgId, id)
  const after = { ...before, wrappedSecret: null, disconnectedAt: call.clock.now() }
  await saveIntegration(tx, orgId, after)
  const payload = { provider: before.provider, workspace: before.workspace, revoked }
  await call.audit.append({ tx, scope: { orgId }, actor }, { action: 'chat.removed', target: id, payload })
  return after
}

/** Announcements, newest first; also those of an app that was disconnected. */
export const listAnnouncements = async (
  call: Needs<'reader'>,
  { orgId, query }: { readonly orgId: string; readonly query: PageQuery & ListedDeliveries },
) => {
  const { reader } = call
  const { integrationId, status } = query
  await getIntegration(call, orgId, integrationId)
  const filters = { integrationId, status }
  const list: List<ChatDeliveryRow> = {
    of: ['chat_deliveries', orgId, integrationId, status ?? null],
    kinds: ['number', 'string'],
    keyOf: ({ createdAt, id }) => [createdAt, id],
    fetch: (stretch) => pageOfDeliveries(reader, orgId, filters, stretch),
  }
  return { page: await readPage(list, query), total: await countDeliveries(reader, orgId, filters) }
}

/** Sends one again that has come to its end, as a new one. */
export const replayAnnouncement = async (
  call: Changes & Needs<'jobs' | 'newId' | 'scope'>,
  { integrationId, deliveryId }: { readonly integrationId: string; readonly deliveryId: string },
): Promise<ChatDeliveryRow> => {
  const { tx, actor } = call
  const { orgId } = actor
  await getConnected({ reader: tx }, orgId, integrationId)
  const before = await findDelivery(tx, orgId, deliveryId)
  if (before?.integrationId !== integrationId) throw notFound('announcement')
  if (before.status === 'pending')
    throw new ServiceError('conflict', 'it is still on its way; wait for its end', { extra: { reason: 'pending' } })
  const { environment, eventType, sessionId } = before
  const id = call.newId('cdl')
  const row = {
    id,
    integrationId,
    environment,
    eventType,
    sessionId,
    replayOf: deliveryId,
    createdAt: call.clock.now(),
  }
  await insertDelivery(tx, orgId, row)
  await call.jobs.enqueue(
    { ...call, tx, scope: { orgId, environment } },
    { kind: 'chat.announce', payload: { deliveryId: id } },
  )
  await call.audit.append(
    { tx, scope: { orgId }, actor },
    { action: 'chat.replayed', target: id, payload: { of: deliveryId } },
  )
  return { ...row, status: 'pending', attempts: 0, problem: null, finishedAt: null }
}
