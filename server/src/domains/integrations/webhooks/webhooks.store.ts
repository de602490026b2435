import { lockHead } from '../../../kernel/audit/audit.store.ts'
import type { Environment, Scope } from '../../../kernel/identity/scope.ts'
import type { Stretch } from '../../../kernel/paging.ts'
import { merged, type Slice } from '../../../platform/db/merged.ts'
import type { Param, Reader, Tx } from '../../../platform/db/types.ts'
import type { EndpointRow } from './webhooks.types.ts'

type Raw = Omit<EndpointRow, 'eventTypes'> & { eventTypes: string }

const columns = `endpoint_id AS id, environment, url, event_types AS "eventTypes", description, version, status,
  disabled_reason AS "disabledReason", consecutive_failures AS "consecutiveFailures",
  wrapped_secret AS "wrappedSecret", previous_secret AS "previousSecret", previous_until AS "previousUntil", delivery_count AS "deliveryCount", created_at AS "createdAt",
  updated_at AS "updatedAt"`
const fromRaw = (raw: Raw): EndpointRow => ({ ...raw, eventTypes: JSON.parse(raw.eventTypes) as string[] })

const living = 'org_id = ? AND environment = ? AND deleted_at IS NULL'
const ids = (scope: Scope): string[] => [scope.orgId, scope.environment]

export const findEndpoint = async (reader: Reader, scope: Scope, id: string): Promise<EndpointRow | undefined> => {
  const sql = `SELECT ${columns} FROM webhook_endpoints WHERE ${living} AND endpoint_id = ?`
  const raw = await reader.get<Raw>(sql, [...ids(scope), id])
  return raw && fromRaw(raw)
}

/** Crosses the environments of one organisation: in which of them is this endpoint? */
export const findEnvironmentOfEndpoint = async (
  reader: Reader,
  orgId: string,
  id: string,
): Promise<Environment | undefined> => {
  const row = await reader.get<{ environment: Environment }>(
    'SELECT environment FROM webhook_endpoints WHERE org_id = ? AND endpoint_id = ? AND deleted_at IS NULL',
    [orgId, id],
  )
  return row?.environment
}

/**
 * Reads the endpoint for a change. The organisation's head is locked first, as publishing an event does before it
 * touches endpoints: one order for all, so that none of them waits for another in a circle.
 */
export const findEndpointForUpdate = async (tx: Tx, scope: Scope, id: string): Promise<EndpointRow | undefined> => {
  await lockHead(tx, scope.orgId)
  return findEndpoint(tx, scope, id)
}

/** The number of endpoints; locked, so that nobody adds one until the commit. */
export const countEndpointsForUpdate = async (tx: Tx, scope: Scope): Promise<number> => {
  await lockHead(tx, scope.orgId)
  return countEndpoints(tx, scope)
}

export const countEndpoints = async (reader: Reader, scope: Scope): Promise<number> => {
  const row = await reader.get<{ n: number }>(`SELECT count(*) AS n FROM webhook_endpoints WHERE ${living}`, ids(scope))
  return row?.n ?? 0
}

/** The endpoints of these environments of one organisation, newest first. */
export const pageOfEndpoints = async (
  reader: Reader,
  orgId: string,
  of: readonly Environment[],
  { after, skip, take }: Stretch,
): Promise<EndpointRow[]> => {
  const slices = of.map(
    (environment): Slice => ({
      sql: `SELECT created_at, endpoint_id FROM webhook_endpoints WHERE ${living}
        ${after ? 'AND (created_at, endpoint_id) < (?, ?)' : ''}`,
      params: [orgId, environment, ...(after ?? [])],
    }),
  )
  const order = 'created_at DESC, endpoint_id DESC'
  const { sql, params } = merged(slices, order, { skip, take })
  const rows = await reader.all<Raw>(
    `SELECT ${columns} FROM webhook_endpoints
     WHERE org_id = ? AND endpoint_id IN (SELECT endpoint_id FROM (${sql}) AS places) ORDER BY ${order}`,
    [orgId, ...params],
  )
  return rows.map(fromRaw)
}

/** Where the events of both environments of an organisation are sent to now, oldest first; there are few. */
export const listTargets = (
  reader: Reader,
  orgId: string,
): Promise<{ url: string; description: string | null; environment: Environment }[]> =>
  reader.all(
    `SELECT url, description, environment FROM webhook_endpoints
     WHERE org_id = ? AND environment IN ('live', 'sandbox') AND deleted_at IS NULL AND status = 'enabled'
     ORDER BY created_at, endpoint_id`,
    [orgId],
  )

const replaceSubscriptions = async (tx: Tx, scope: Scope, id: string, eventTypes: readonly string[]): Promise<void> => {
  const rows = eventTypes.map((type): Param[] => [scope.orgId, scope.environment, type, id])
  const names = ['org_id', 'environment', 'event_type', 'endpoint_id']
  await removeSubscriptions(tx, scope, id)
  await tx.insertMany(
    'webhook_subscriptions',
    names.map((name) => ({ name, type: 'text' as const })),
    rows,
  )
}

const removeSubscriptions = async (tx: Tx, scope: Scope, id: string): Promise<void> => {
  await tx.run('DELETE FROM webhook_subscriptions WHERE org_id = ? AND environment = ? AND endpoint_id = ?', [
    ...ids(scope),
    id,
  ])
}

export interface NewEndpoint {
  readonly id: string
  readonly url: string
  readonly eventTypes: readonly string[]
  readonly description: string | null
  readonly wrappedSecret: string
  readonly now: number
}

export const insertEndpoint = async (tx: Tx, scope: Scope, endpoint: NewEndpoint): Promise<void> => {
  const { id, url, eventTypes, description, wrappedSecret, now } = endpoint
  await tx.run(
    `INSERT INTO webhook_endpoints
       (org_id, environment, endpoint_id, url, event_types, description, status, wrapped_secret, created_at, updated_at)
     VALUES (?, ?, ?, ?, ?, ?, 'enabled', ?, ?, ?)`,
    [...ids(scope), id, url, JSON.stringify(eventTypes), description, wrappedSecret, now, now],
  )
  await replaceSubscriptions(tx, scope, id, eventTypes)
}

export interface EndpointChange {
  readonly url?: string | undefined
  readonly eventTypes?: readonly string[] | undefined
  readonly description?: string | undefined
  readonly version?: number
  readonly wrappedSecret?: string | undefined
  readonly previousSecret?: string | null
  readonly previousUntil?: number | null
  readonly status?: 'enabled' | 'disabled' | undefined
  readonly disabledReason?: string | null
  readonly consecutiveFailures?: number
}

/** Writes the given fields and leaves the others. */
export const updateEndpoint = async (
  tx: Tx,
  scope: Scope,
  id: string,
  change: EndpointChange,
  now: number,
): Promise<void> => {
  const fields: [string, Param | undefined][] = [
    ['url', change.url],
    ['event_types', change.eventTypes && JSON.stringify(change.eventTypes)],
    ['description', change.description],
    ['version', change.version],
    ['wrapped_secret', change.wrappedSecret],
    ['previous_secret', change.previousSecret],
    ['previous_until', change.previousUntil],
    ['status', change.status],
    ['disabled_reason', change.disabledReason],
    ['consecutive_failures', change.consecutiveFailures],
    ['updated_at', now],
  ]
  const given = fields.filter((field): field is [string, Param] => field[1] !== undefined)
  const set = given.map(([column]) => `${column} = ?`).join(', ')
  const values = given.map(([, value]) => value)
  await tx.run(`UPDATE webhook_endpoints SET ${set} WHERE ${living} AND endpoint_id = ?`, [
    ...values,
    ...ids(scope),
    id,
  ])
  if (change.eventTypes) await replaceSubscriptions(tx, scope, id, change.eventTypes)
}

/** Leaves a tombstone without subscriptions. */
export const deleteEndpoint = async (tx: Tx, scope: Scope, id: string, now: number): Promise<void> => {
  await removeSubscriptions(tx, scope, id)
  await tx.run(`UPDATE webhook_endpoints SET deleted_at = ?, updated_at = ? WHERE ${living} AND endpoint_id = ?`, [
    now,
    now,
    ...ids(scope),
    id,
  ])
}
