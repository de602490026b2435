import { invalid, notFound, ServiceError } from '@integrity/protocol'
import type { Needs, Reads, WriteCall, Writes } from '../../../kernel/call.ts'
import type { Actor } from '../../../kernel/identity/actor.ts'
import type { Environment, Scope } from '../../../kernel/identity/scope.ts'
import { type List, type PageQuery, readPage } from '../../../kernel/paging.ts'
import { checkSeen } from '../../../kernel/seen.ts'
import { readTarget } from '../../../platform/http-out/target.ts'
import { newSigningSecret, secretContext } from './webhooks.signature.model.ts'
import {
  countEndpoints,
  countEndpointsForUpdate,
  deleteEndpoint,
  type EndpointChange,
  findEndpoint,
  findEndpointForUpdate,
  findEnvironmentOfEndpoint,
  insertEndpoint,
  listTargets,
  pageOfEndpoints,
  updateEndpoint,
} from './webhooks.store.ts'
import type { EndpointRow } from './webhooks.types.ts'

/** Endpoints that one organisation may have in one environment. */
const maxEndpoints = 50

const found = (endpoint: EndpointRow | undefined): EndpointRow => {
  if (!endpoint) throw notFound('webhook endpoint')
  return endpoint
}

/** Undefined for one that was deleted, or never was. */
export const endpointIfThere = (call: Reads, id: string): Promise<EndpointRow | undefined> =>
  findEndpoint(call.reader, call.scope, id)

export const getEndpoint = async (call: Reads, id: string): Promise<EndpointRow> =>
  found(await findEndpoint(call.reader, call.scope, id))

/** A page of the endpoints of these environments of the organisation, newest first. */
export const listEndpoints = async (
  call: Reads,
  { of, query }: { readonly of: readonly Environment[]; readonly query: PageQuery },
) => {
  const { reader } = call
  const { orgId } = call.scope
  const list: List<EndpointRow> = {
    of: ['webhooks', orgId, of],
    kinds: ['number', 'string'],
    keyOf: ({ createdAt, id }) => [createdAt, id],
    fetch: (stretch) => pageOfEndpoints(reader, orgId, of, stretch),
  }
  let total = 0
  for (const environment of of) total += await countEndpoints(reader, { orgId, environment })
  return { page: await readPage(list, query), total }
}

/** Crosses the environments of one organisation, for people, who manage both: the scope that the endpoint is in. */
export const scopeOfEndpoint = async (
  call: Needs<'reader'>,
  { orgId, id }: { readonly orgId: string; readonly id: string },
): Promise<Scope> => {
  const environment = await findEnvironmentOfEndpoint(call.reader, orgId, id)
  if (environment === undefined) throw notFound('webhook endpoint')
  return { orgId, environment }
}

/** The endpoint, unchanged by anybody else until the commit. */
export const lockEndpoint = async (call: Writes, id: string): Promise<EndpointRow> =>
  found(await findEndpointForUpdate(call.tx, call.scope, id))

const howToAllow = 'a server for development takes http and private addresses when WEBHOOK_ALLOW_PRIVATE=1 is set'

/** May we post there? Looks names up, so it runs before the transaction; every delivery is checked again. */
export const checkUrl = async (call: Needs<'config' | 'httpOut'>, url: string | undefined): Promise<void> => {
  if (url === undefined) return
  const check = await call.httpOut.checkTarget(url)
  if (check.ok) return
  const development = !call.config.webhookAllowPrivate && readTarget(url, true).ok
  throw invalid('url', development ? `${check.reason}; ${howToAllow}` : check.reason)
}

const unique = (types: readonly string[]): string[] => [...new Set(types)]

const newSecret = (call: Needs<'keyring' | 'scope'>, id: string) => {
  const secret = newSigningSecret()
  return { secret, wrappedSecret: call.keyring.wrap(Buffer.from(secret, 'utf8'), secretContext(call.scope.orgId, id)) }
}

export const createEndpoint = async (
  call: WriteCall<Actor> & Needs<'keyring'>,
  input: { url: string; eventTypes: readonly string[]; description?: string | undefined },
): Promise<{ endpoint: EndpointRow; secret: string }> => {
  const { tx, scope } = call
  if ((await countEndpointsForUpdate(tx, scope)) >= maxEndpoints)
    throw new ServiceError('conflict', `there are ${maxEndpoints} webhook endpoints already; delete one first`)
  const id = call.newId('whk')
  const { secret, wrappedSecret } = newSecret(call, id)
  const description = input.description ?? null
  const eventTypes = unique(input.eventTypes)
  await insertEndpoint(tx, scope, { id, url: input.url, eventTypes, description, wrappedSecret, now: call.clock.now() })
  await call.audit.append(call, {
    action: 'webhook.created',
    target: id,
    payload: { url: input.url, eventTypes, description },
  })
  return { endpoint: await getEndpoint(call, id), secret }
}

export interface EndpointPatch {
  readonly url?: string | undefined
  readonly eventTypes?: readonly string[] | undefined
  readonly description?: string | undefined
  readonly status?: 'enabled' | 'disabled' | undefined
  readonly expectedVersion?: number | undefined
}

/** What a status brings with it: enabling begins with a clean count, disabling by hand needs no reason. */
const statusChange = (status: EndpointPatch['status']): EndpointChange => {
  if (status === undefined) return {}
  return status === 'enabled'
    ? { status, disabledReason: null, consecutiveFailures: 0 }
    : { status, disabledReason: null }
}

/**
 * Changes what is given. Disabling holds the queue back: nothing is sent and nothing is lost; enabling again lets each
 * delivery go on when it was due. What is published while an endpoint is disabled is not for it.
 */
export const changeEndpoint = async (
  call: WriteCall<Actor> & Needs<'db' | 'deliveryQueue'>,
  { id, patch: { expectedVersion, ...patch } }: { readonly id: string; readonly patch: EndpointPatch },
): Promise<EndpointRow> => {
  const { tx, scope } = call
  const before = await lockEndpoint(call, id)
  checkSeen(before, expectedVersion)
  const status = patch.status === 'disabled' && before.status === 'disabled' ? undefined : patch.status
  const eventTypes = patch.eventTypes && unique(patch.eventTypes)
  const { url, description } = patch
  const isSet = [url, description, eventTypes].some((value) => value !== undefined)
  const version = before.version + Number(isSet)
  const change = { url, description, eventTypes, version, ...statusChange(status) }
  await updateEndpoint(tx, scope, id, change, call.clock.now())
  if (status === 'disabled') await call.deliveryQueue.hold(call, id)
  if (status === 'enabled' && before.status === 'disabled') await call.deliveryQueue.release(call, id)
  await call.audit.append(call, {
    action: 'webhook.changed',
    target: id,
    payload: { ...patch },
  })
  return getEndpoint(call, id)
}

export const removeEndpoint = async (
  call: WriteCall<Actor> & Needs<'deliveryQueue'>,
  id: string,
): Promise<{ id: string; deleted: true }> => {
  const { tx, scope } = call
  await lockEndpoint(call, id)
  await deleteEndpoint(tx, scope, id, call.clock.now())
  await call.deliveryQueue.cancel(call, id)
  await call.audit.append(call, { action: 'webhook.deleted', target: id })
  return { id, deleted: true }
}

const hour = 3_600_000

/**
 * The new secret signs from the next attempt on, whatever is queued; the one before it beside it for the overlap, so that a
 * receiver has the time to change. Of two rotations within an overlap the newer one alone has one.
 */
export const rotateSecret = async (
  call: WriteCall<Actor> & Needs<'keyring'>,
  { id, overlapHours }: { readonly id: string; readonly overlapHours: number },
): Promise<{ endpoint: EndpointRow; secret: string }> => {
  const { tx, scope } = call
  const before = await lockEndpoint(call, id)
  const { secret, wrappedSecret } = newSecret(call, id)
  const now = call.clock.now()
  const previous =
    overlapHours === 0
      ? { previousSecret: null, previousUntil: null }
      : { previousSecret: before.wrappedSecret, previousUntil: now + overlapHours * hour }
  await updateEndpoint(tx, scope, id, { wrappedSecret, ...previous }, now)
  await call.audit.append(call, { action: 'webhook.secret_rotated', target: id, payload: { overlapHours } })
  return { endpoint: await getEndpoint(call, id), secret }
}

/** Where the events of an organisation are sent to now, of both environments. */
export const targetsOf = (call: Needs<'reader'>, orgId: string) => listTargets(call.reader, orgId)
