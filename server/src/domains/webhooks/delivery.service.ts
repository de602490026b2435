import type { AppContext } from '../../app/context.ts'
import { lockHead } from '../../platform/audit/audit.store.ts'
import type { Tx } from '../../platform/db/types.ts'
import type { PostResult } from '../../platform/http-out/http-out.ts'
import type { Scope } from '../../platform/scope.ts'
import { findEnvelope } from '../events/events.service.ts'
import {
  type ClaimedRow,
  clearFailures,
  countFailure,
  finishClaimed,
  insertAttempt,
  retryClaimed,
} from './delivery.queue.store.ts'
import { type NextStep, nextStep } from './delivery.schedule.ts'
import { switchOff } from './webhooks.disable.service.ts'
import { type KeyCache, secretContext, signatureHeader, standardSignature } from './webhooks.signature.ts'
import { type EndpointRow, findEndpoint } from './webhooks.store.ts'

/** A delivery that this process is sending. */
export interface Claim {
  readonly scope: Scope
  readonly owner: string
  readonly delivery: ClaimedRow
  readonly endpoint: EndpointRow
}

export interface SendOptions {
  readonly keys: KeyCache
  readonly timeoutMs: number
  readonly random: () => number
  readonly signal: AbortSignal
}

const headersOf = (app: AppContext, keys: KeyCache, claim: Claim, body: Buffer): Record<string, string> => {
  const { scope, delivery, endpoint } = claim
  const context = secretContext(scope.orgId, endpoint.id)
  const pair = keys(endpoint.wrappedSecret, () => app.keyring.unwrap(endpoint.wrappedSecret, context).toString('utf8'))
  const at = Math.floor(app.clock.now() / 1000)
  return {
    'Content-Type': 'application/json',
    'User-Agent': `Service-Webhooks/${app.version}`,
    'X-Service-Signature': signatureHeader(pair, at, body),
    'X-Service-Event-Id': delivery.eventId,
    'X-Service-Event-Type': delivery.eventType,
    'X-Service-Delivery-Id': delivery.id,
    'X-Service-Delivery-Attempt': String(delivery.attemptCount + 1),
    'webhook-id': delivery.eventId,
    'webhook-timestamp': String(at),
    'webhook-signature': standardSignature(pair, delivery.eventId, at, body),
  }
}

/**
 * Makes one attempt and records it. Rejects when nothing could be learnt about the receiver (our own failure, or the
 * process is stopping): the claim then runs out and another process takes the delivery.
 */
export const attemptDelivery = async (
  app: AppContext,
  claim: Claim,
  options: SendOptions,
): Promise<PostResult['outcome']> => {
  const envelope = await findEnvelope(app.db.reader, claim.scope, claim.delivery.eventSeq)
  const body = Buffer.from(envelope, 'utf8')
  const headers = headersOf(app, options.keys, claim, body)
  const at = app.clock.now()
  const { timeoutMs, signal } = options
  const result = await app.httpOut.post(claim.endpoint.url, { headers, body, timeoutMs, signal })
  app.metrics.delivery(result.outcome, result.durationMs / 1000)
  const step = nextStep(claim.delivery.attemptCount + 1, result, options.random())
  const held = await app.db.transact((tx) => settle(app, tx, claim, { at, result, step }))
  if (!held)
    app.log.warn({ deliveryId: claim.delivery.id }, 'an attempt ended after its delivery was cancelled or taken over')
  return result.outcome
}

interface Made {
  readonly at: number
  readonly result: PostResult
  readonly step: NextStep
}

/** Records an attempt and what follows from it; false when the claim was lost and nothing was written. */
const settle = async (app: AppContext, tx: Tx, claim: Claim, { at, result, step }: Made): Promise<boolean> => {
  const { scope, owner, delivery, endpoint } = claim
  const attempts = delivery.attemptCount + 1
  const held = await writeStep(app, tx, scope, { id: delivery.id, owner }, { step, attempts, endpointId: endpoint.id })
  if (!held) return false
  await insertAttempt(tx, scope, delivery.id, {
    attempt: attempts,
    at,
    durationMs: result.durationMs,
    outcome: result.outcome,
    statusCode: result.statusCode ?? null,
    excerpt: result.excerpt ?? null,
  })
  if (step.kind === 'dead_letter') {
    const count = await countFailure(tx, scope, endpoint.id)
    if (count?.status === 'enabled')
      await switchOff(app, tx, scope, endpoint, { failures: count.failures, gone: step.gone })
  }
  return true
}

/**
 * Rows are locked in one order everywhere: the organisation's head, the endpoint, its deliveries. Publishing an event
 * and changing an endpoint do the same, so none of them waits for another in a circle.
 */
const writeStep = async (
  app: AppContext,
  tx: Tx,
  scope: Scope,
  held: { id: string; owner: string },
  { step, attempts, endpointId }: { step: NextStep; attempts: number; endpointId: string },
): Promise<boolean> => {
  const now = app.clock.now()
  if (step.kind === 'retry') {
    const current = await findEndpoint(tx, scope, endpointId)
    return retryClaimed(tx, scope, held, { attempts, at: now + step.waitMs, hold: current?.status !== 'enabled' })
  }
  if (step.kind === 'delivered') await clearFailures(tx, scope, endpointId)
  else await lockHead(tx, scope.orgId)
  return finishClaimed(tx, scope, held, { status: step.kind, attempts, now })
}
