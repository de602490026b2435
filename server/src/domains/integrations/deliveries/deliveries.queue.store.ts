import type { DeliveryFault } from '@integrity/protocol'
import type { Environment, Scope } from '../../../kernel/identity/scope.ts'
import { padded } from '../../../platform/db/padded-list.ts'
import type { ColumnSpec, Param, Reader, Tx } from '../../../platform/db/types.ts'
import { moveCounts } from './deliveries.counts.store.ts'

/*
 * The queue is the deliveries that have a `next_attempt_at`:
 * - waiting: when the next attempt is due, no lease;
 * - under way: `next_attempt_at` is the end of the lease, so a claim that died is due again by itself;
 * - held (its endpoint is disabled): none, and `lease_until` keeps when it would have been due.
 */

/** A delivery that is due. Names its scope itself, because the queue is one for all organisations. */
export interface DueRow {
  readonly orgId: string
  readonly environment: Environment
  readonly endpointId: string
  readonly id: string
}

/** Due deliveries of every organisation, longest due first, without those of the endpoints in `except`. */
export const findDueAcrossOrgs = (
  reader: Reader,
  args: { now: number; except: readonly string[]; limit: number },
): Promise<DueRow[]> => {
  const others = args.except.length === 0 ? '' : `AND endpoint_id NOT IN (${args.except.map(() => '?').join(', ')})`
  return reader.all<DueRow>(
    `SELECT org_id AS "orgId", environment, endpoint_id AS "endpointId", delivery_id AS id
     FROM webhook_deliveries WHERE next_attempt_at <= ? ${others} ORDER BY next_attempt_at LIMIT ?`,
    [args.now, ...args.except, args.limit],
  )
}

/** When the next delivery of any organisation is due; null when none waits. */
export const nextDueAcrossOrgs = async (reader: Reader): Promise<number | null> => {
  const row = await reader.get<{ at: number }>(
    `SELECT next_attempt_at AS at FROM webhook_deliveries
     WHERE next_attempt_at IS NOT NULL ORDER BY next_attempt_at LIMIT 1`,
  )
  return row?.at ?? null
}

export interface ClaimedRow {
  readonly id: string
  readonly endpointId: string
  readonly eventId: string
  readonly eventSeq: number
  readonly eventType: string
  readonly attemptCount: number
  /** Of its first attempt, on purpose; null in earnest. */
  readonly fault: DeliveryFault | null
  readonly isExample: number | null
  /** That its event goes back to, or that asked for it to be sent again. */
  readonly requestId: string | null
  readonly traceparent: string | null
}

/** Takes those of these deliveries that still are due and that no other process is taking. */
export const claimDeliveries = (
  tx: Tx,
  scope: Scope,
  ids: readonly string[],
  args: { now: number; leaseUntil: number; owner: string },
): Promise<ClaimedRow[]> => {
  const { marks, values } = padded(ids)
  const of = [scope.orgId, scope.environment]
  return tx.all<ClaimedRow>(
    `WITH due AS MATERIALIZED (
       SELECT delivery_id FROM webhook_deliveries WHERE org_id = ? AND environment = ? AND delivery_id IN (${marks})
         AND next_attempt_at <= ?${tx.forUpdateSkipLocked})
     UPDATE webhook_deliveries SET next_attempt_at = ?, lease_until = ?, lease_owner = ?
     WHERE org_id = ? AND environment = ? AND delivery_id IN (SELECT delivery_id FROM due)
     RETURNING delivery_id AS id, endpoint_id AS "endpointId", event_id AS "eventId", event_seq AS "eventSeq",
       event_type AS "eventType", attempt_count AS "attemptCount", fault, is_example AS "isExample",
       request_id AS "requestId", traceparent`,
    [...of, ...values, args.now, args.leaseUntil, args.leaseUntil, args.owner, ...of],
  )
}

/** Ends those that arrived; gives back the ids whose claim was still held. */
export const finishDelivered = async (
  tx: Tx,
  scope: Scope,
  ids: readonly string[],
  args: { owner: string; now: number },
): Promise<Set<string>> => {
  const { marks, values } = padded(ids)
  const rows = await tx.all<{ id: string; endpointId: string; eventType: string; attemptsBefore: number }>(
    `UPDATE webhook_deliveries SET status = 'delivered', attempt_count = attempt_count + 1, finished_at = ?,
       next_attempt_at = NULL, lease_until = NULL, lease_owner = NULL
     WHERE org_id = ? AND environment = ? AND delivery_id IN (${marks}) AND lease_owner = ?
     RETURNING delivery_id AS id, endpoint_id AS "endpointId", event_type AS "eventType",
       attempt_count - 1 AS "attemptsBefore"`,
    [args.now, scope.orgId, scope.environment, ...values, args.owner],
  )
  await moveCounts(tx, scope, rows, 'delivered')
  return new Set(rows.map((row) => row.id))
}

interface Claim {
  readonly delivery: Pick<ClaimedRow, 'id' | 'endpointId' | 'eventType' | 'attemptCount'>
  readonly owner: string
}
const movedFrom = ({ delivery: { endpointId, eventType, attemptCount } }: Claim) => ({
  endpointId,
  eventType,
  attemptsBefore: attemptCount,
})

/** Every later write of a claim goes through here: false when the claim is no longer held. */
const updateClaimed = async (
  tx: Tx,
  scope: Scope,
  claim: Claim,
  set: string,
  params: readonly Param[],
): Promise<boolean> => {
  const { changes } = await tx.run(
    `UPDATE webhook_deliveries SET ${set}, lease_owner = NULL
     WHERE org_id = ? AND environment = ? AND delivery_id = ? AND lease_owner = ?`,
    [...params, scope.orgId, scope.environment, claim.delivery.id, claim.owner],
  )
  return changes === 1
}

export const finishClaimed = async (
  tx: Tx,
  scope: Scope,
  claim: Claim,
  args: { status: 'dead_letter' | 'cancelled'; attempts: number; now: number },
): Promise<boolean> => {
  const held = await updateClaimed(
    tx,
    scope,
    claim,
    'status = ?, attempt_count = ?, finished_at = ?, next_attempt_at = NULL, lease_until = NULL',
    [args.status, args.attempts, args.now],
  )
  if (held) await moveCounts(tx, scope, [movedFrom(claim)], args.status)
  return held
}

/** Waits for the next attempt; `hold` when the endpoint is disabled by now. */
export const retryClaimed = async (
  tx: Tx,
  scope: Scope,
  claim: Claim,
  args: { attempts: number; at: number; hold: boolean },
): Promise<boolean> => {
  const held = await updateClaimed(
    tx,
    scope,
    claim,
    "status = CASE WHEN ? > 0 THEN 'retrying' ELSE status END, attempt_count = ?, next_attempt_at = ?, lease_until = ?",
    [args.attempts, args.attempts, args.hold ? null : args.at, args.hold ? args.at : null],
  )
  if (held && args.attempts > 0) await moveCounts(tx, scope, [movedFrom(claim)], 'retrying')
  return held
}

export interface NewAttempt {
  readonly deliveryId: string
  readonly attempt: number
  readonly at: number
  readonly durationMs: number
  readonly outcome: string
  readonly statusCode: number | null
  readonly excerpt: string | null
  readonly error: string | null
  readonly errorCode: string | null
}

const attemptColumns: readonly ColumnSpec[] = [
  { name: 'org_id', type: 'text' },
  { name: 'delivery_id', type: 'text' },
  { name: 'attempt', type: 'integer' },
  { name: 'at', type: 'bigint' },
  { name: 'duration_ms', type: 'bigint' },
  { name: 'outcome', type: 'text' },
  { name: 'status_code', type: 'integer' },
  { name: 'response_excerpt', type: 'text' },
  { name: 'error', type: 'text' },
  { name: 'error_code', type: 'text' },
]

/** Call only with the claims held: they say whose attempts these are. */
export const insertAttempts = async (tx: Tx, scope: Scope, attempts: readonly NewAttempt[]): Promise<void> => {
  const rows = attempts.map((one): Param[] => [
    ...[scope.orgId, one.deliveryId, one.attempt, one.at, one.durationMs, one.outcome, one.statusCode, one.excerpt],
    ...[one.error, one.errorCode],
  ])
  await tx.insertMany('webhook_attempts', attemptColumns, rows)
}

const queued = "org_id = ? AND environment = ? AND endpoint_id = ? AND status IN ('pending', 'retrying')"

/** Takes an endpoint's waiting deliveries out of the queue. Those under way are held when their attempt ends. */
export const holdDeliveries = async (tx: Tx, scope: Scope, endpointId: string): Promise<void> => {
  await tx.run(
    `UPDATE webhook_deliveries SET lease_until = next_attempt_at, next_attempt_at = NULL
     WHERE ${queued} AND next_attempt_at IS NOT NULL AND lease_owner IS NULL`,
    [scope.orgId, scope.environment, endpointId],
  )
}

/** Puts held deliveries back, due when they were due before. */
export const releaseDeliveries = async (tx: Tx, scope: Scope, endpointId: string): Promise<void> => {
  await tx.run(
    `UPDATE webhook_deliveries SET next_attempt_at = lease_until, lease_until = NULL
     WHERE ${queued} AND next_attempt_at IS NULL`,
    [scope.orgId, scope.environment, endpointId],
  )
}

/** Ends everything of an endpoint that was still to be sent. */
export const cancelDeliveries = async (tx: Tx, scope: Scope, endpointId: string, now: number): Promise<void> => {
  const cancelled = await tx.all<{ eventType: string; attemptsBefore: number }>(
    `UPDATE webhook_deliveries SET status = 'cancelled', finished_at = ?, next_attempt_at = NULL, lease_until = NULL,
       lease_owner = NULL
     WHERE ${queued} RETURNING event_type AS "eventType", attempt_count AS "attemptsBefore"`,
    [now, scope.orgId, scope.environment, endpointId],
  )
  await moveCounts(
    tx,
    scope,
    cancelled.map((one) => ({ ...one, endpointId })),
    'cancelled',
  )
}
