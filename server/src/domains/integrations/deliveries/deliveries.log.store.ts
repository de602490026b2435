import { type DeliveryFault, deliveryStatuses, eventTypes } from '@integrity/protocol'
import type { Scope } from '../../../kernel/identity/scope.ts'
import type { Stretch } from '../../../kernel/paging.ts'
import { merged, type Slice } from '../../../platform/db/merged.ts'
import type { ColumnSpec, Param, Reader, Tx } from '../../../platform/db/types.ts'
import { addCounts } from './deliveries.counts.store.ts'

const columns: readonly ColumnSpec[] = [
  { name: 'org_id', type: 'text' },
  { name: 'delivery_id', type: 'text' },
  { name: 'environment', type: 'text' },
  { name: 'endpoint_id', type: 'text' },
  { name: 'position', type: 'bigint' },
  { name: 'event_id', type: 'text' },
  { name: 'event_seq', type: 'bigint' },
  { name: 'event_type', type: 'text' },
  { name: 'status', type: 'text' },
  { name: 'next_attempt_at', type: 'bigint' },
  { name: 'replay_of', type: 'text' },
  { name: 'created_at', type: 'bigint' },
  { name: 'request_id', type: 'text' },
  { name: 'traceparent', type: 'text' },
  { name: 'is_example', type: 'bigint' },
]

export interface NewDelivery {
  readonly id: string
  readonly endpointId: string
  /** Where it stands in its endpoint's log: dense, from 1. */
  readonly position: number
  readonly replayOf: string | null
  /** 1: what is sent is an example of the event type; the event itself is a test. */
  readonly isExample?: number | null
}

interface DeliveredEvent {
  readonly eventId: string
  readonly eventSeq: number
  readonly eventType: string
}
interface Queued {
  readonly now: number
  readonly requestId: string | null
  /** Where what queued it stood in a trace. */
  readonly traceparent: string | null
}

const insertRows = async (
  tx: Tx,
  scope: Scope,
  { now, requestId, traceparent }: Queued,
  queued: readonly (NewDelivery & DeliveredEvent)[],
): Promise<void> => {
  const rows = queued.map(
    ({ id, endpointId, position, replayOf, eventId, eventSeq, eventType, isExample }): Param[] => [
      ...[scope.orgId, id, scope.environment, endpointId, position],
      ...[eventId, eventSeq, eventType, 'pending', now, replayOf, now, requestId, traceparent, isExample ?? null],
    ],
  )
  await tx.insertMany('webhook_deliveries', columns, rows)
  await addCounts(
    tx,
    scope,
    queued.map(({ endpointId, eventType }) => ({ endpointId, eventType, status: 'pending', n: 1 })),
  )
}

/** Queues deliveries of one event, due at once. */
export const insertDeliveries = (
  tx: Tx,
  scope: Scope,
  { eventId, eventSeq, eventType, ...queued }: DeliveredEvent & Queued,
  deliveries: readonly NewDelivery[],
): Promise<void> =>
  insertRows(
    tx,
    scope,
    queued,
    deliveries.map((delivery) => ({ ...delivery, eventId, eventSeq, eventType })),
  )

/** Queues deliveries of several events again, due at once. */
export const insertReplays = insertRows

export type DeliveryStatus = (typeof deliveryStatuses)[number]

export interface DeliveryRow {
  readonly id: string
  /** In its endpoint's log. */
  readonly position: number
  readonly endpointId: string
  readonly eventId: string
  readonly eventSeq: number
  readonly eventType: string
  readonly status: DeliveryStatus
  readonly attemptCount: number
  /** Epoch milliseconds; null when finished, or held back while its endpoint is disabled. */
  readonly nextAttemptAt: number | null
  /** Null unless an attempt is under way. */
  readonly leaseOwner: string | null
  readonly replayOf: string | null
  readonly fault: DeliveryFault | null
  readonly isExample: number | null
  readonly createdAt: number
}

const deliveryColumns = `delivery_id AS id, position, endpoint_id AS "endpointId", event_id AS "eventId", event_seq AS "eventSeq",
  event_type AS "eventType", status, attempt_count AS "attemptCount", replay_of AS "replayOf", created_at AS "createdAt",
  next_attempt_at AS "nextAttemptAt", lease_owner AS "leaseOwner", fault, is_example AS "isExample"`

export interface LogFilters {
  readonly status?: DeliveryStatus | undefined
  readonly eventType?: string | undefined
}

const ofEndpoint = 'org_id = ? AND environment = ? AND endpoint_id = ?'

/** The log of one endpoint, newest first: positions are dense from the oldest kept, so the offset is a subtraction. */
export const pageOfLog = (
  reader: Reader,
  scope: Scope,
  endpoint: { id: string; deliveryCount: number },
  { after, skip, take }: Stretch,
): Promise<DeliveryRow[]> =>
  reader.all<DeliveryRow>(
    `SELECT ${deliveryColumns} FROM webhook_deliveries WHERE ${ofEndpoint} AND position < ? ORDER BY position DESC LIMIT ?`,
    [scope.orgId, scope.environment, endpoint.id, Number(after?.[0] ?? endpoint.deliveryCount + 1) - skip, take],
  )

/** What the filters match of it. One index holds each status and type in the order of the log. */
export const pageOfMatching = (
  reader: Reader,
  scope: Scope,
  endpointId: string,
  filters: LogFilters,
  { after, skip, take }: Stretch,
): Promise<DeliveryRow[]> => {
  const statuses = filters.status === undefined ? deliveryStatuses : [filters.status]
  const types = filters.eventType === undefined ? eventTypes : [filters.eventType]
  const below = Number(after?.[0] ?? Number.MAX_SAFE_INTEGER)
  const slices = statuses.flatMap((status) =>
    types.map(
      (type): Slice => ({
        sql: `SELECT position FROM webhook_deliveries
          WHERE org_id = ? AND endpoint_id = ? AND status = ? AND event_type = ? AND position < ?`,
        params: [scope.orgId, endpointId, status, type, below],
      }),
    ),
  )
  const { sql, params } = merged(slices, 'position DESC', { skip, take })
  return reader.all<DeliveryRow>(
    `SELECT ${deliveryColumns} FROM webhook_deliveries WHERE ${ofEndpoint} AND position IN (${sql}) ORDER BY position DESC`,
    [scope.orgId, scope.environment, endpointId, ...params],
  )
}

export const findDelivery = (
  reader: Reader,
  scope: Scope,
  endpointId: string,
  deliveryId: string,
): Promise<DeliveryRow | undefined> =>
  reader.get<DeliveryRow>(
    `SELECT ${deliveryColumns} FROM webhook_deliveries
     WHERE org_id = ? AND environment = ? AND endpoint_id = ? AND delivery_id = ?`,
    [scope.orgId, scope.environment, endpointId, deliveryId],
  )

/** The newest of the log that were queued at or after an instant, newest first, at most so many. */
export const newestSince = async (
  reader: Reader,
  scope: Scope,
  { endpointId, since, limit }: { readonly endpointId: string; readonly since: number; readonly limit: number },
): Promise<DeliveryRow[]> => {
  const rows = await reader.all<DeliveryRow>(
    `SELECT ${deliveryColumns} FROM webhook_deliveries WHERE ${ofEndpoint} ORDER BY position DESC LIMIT ?`,
    [scope.orgId, scope.environment, endpointId, limit],
  )
  return rows.filter(({ createdAt }) => createdAt >= since)
}

/** The endpoint's newest delivery of an event. */
export const findDeliveryOfEvent = async (
  reader: Reader,
  scope: Scope,
  endpointId: string,
  eventId: string,
): Promise<string | undefined> => {
  const row = await reader.get<{ id: string }>(
    `SELECT delivery_id AS id FROM webhook_deliveries
     WHERE org_id = ? AND environment = ? AND endpoint_id = ? AND event_id = ? ORDER BY position DESC LIMIT 1`,
    [scope.orgId, scope.environment, endpointId, eventId],
  )
  return row?.id
}

export interface AttemptRow {
  readonly deliveryId: string
  readonly attempt: number
  readonly at: number
  readonly durationMs: number
  readonly outcome: 'success' | 'http_error' | 'timeout' | 'network_error' | 'blocked'
  readonly statusCode: number | null
  readonly responseExcerpt: string | null
  readonly error: string | null
  readonly errorCode: string | null
}

/** The attempts of a page of deliveries, in one query, oldest first. */
export const listAttempts = (reader: Reader, scope: Scope, deliveryIds: readonly string[]): Promise<AttemptRow[]> => {
  if (deliveryIds.length === 0) return Promise.resolve([])
  const marks = deliveryIds.map(() => '?').join(', ')
  return reader.all<AttemptRow>(
    `SELECT a.delivery_id AS "deliveryId", a.attempt, a.at, a.duration_ms AS "durationMs", a.outcome,
       a.status_code AS "statusCode", a.response_excerpt AS "responseExcerpt", a.error, a.error_code AS "errorCode"
     FROM webhook_attempts a JOIN webhook_deliveries d ON d.org_id = a.org_id AND d.delivery_id = a.delivery_id
     WHERE a.org_id = ? AND d.environment = ? AND a.delivery_id IN (${marks}) ORDER BY a.delivery_id, a.attempt`,
    [scope.orgId, scope.environment, ...deliveryIds],
  )
}

export const eraseExcerpts = async (tx: Tx, scope: Scope, sessionId: string): Promise<void> => {
  await tx.run(
    `UPDATE webhook_attempts SET response_excerpt = NULL WHERE org_id = ? AND delivery_id IN (
       SELECT d.delivery_id FROM events e
       JOIN webhook_deliveries d ON d.org_id = e.org_id AND d.environment = e.environment AND d.event_seq = e.seq
       WHERE e.org_id = ? AND e.environment = ? AND e.session_id = ?)`,
    [scope.orgId, scope.orgId, scope.environment, sessionId],
  )
}
