import type { DeliveryFault, DeliveryHeader } from '@integrity/protocol'
import type { Needs } from '../../../kernel/call.ts'
import type { PostResult } from '../../../platform/http-out/http-out.ts'
import { endpointIfThere } from '../webhooks/webhooks.service.ts'
import {
  type KeyCache,
  secretContext,
  signatureHeader,
  standardSignature,
} from '../webhooks/webhooks.signature.model.ts'
import type { EndpointRow } from '../webhooks/webhooks.types.ts'
import type { BodyOf } from './deliveries.bodies.parts.ts'
import type { Claim } from './deliveries.claim.service.ts'
import { bodyWith, signedAs } from './deliveries.faults.model.ts'
import { postedBody, standingHeaders } from './deliveries.request.model.ts'
import { type NextStep, nextStep } from './deliveries.schedule.model.ts'

export interface SendOptions {
  readonly keys: KeyCache
  readonly bodyOf: BodyOf
  readonly timeoutMs: number
  readonly random: () => number
  readonly signal: AbortSignal
}

/** One attempt and what follows from it. */
export interface MadeAttempt {
  readonly kind: 'made'
  readonly claim: Claim
  readonly at: number
  readonly result: PostResult
  readonly step: NextStep
}
/** No attempt was made: the endpoint was deleted, or disabled, after the delivery was queued. */
export interface NotMade {
  readonly kind: 'cancel' | 'hold'
  readonly claim: Claim
}
export type Made = MadeAttempt | NotMade

/** Of rehearsals only, and only of their first attempt: what is sent again is whole. */
const faultOf = ({ scope, delivery }: Claim): DeliveryFault | null =>
  scope.environment === 'sandbox' && delivery.attemptCount === 0 ? delivery.fault : null

/** What signs beside the endpoint's secret for as long as the overlap of its last rotation lasts. */
const previousSecretOf = ({ previousSecret, previousUntil }: EndpointRow, now: number): string | undefined =>
  previousSecret !== null && previousUntil !== null && now < previousUntil ? previousSecret : undefined

const headersOf = (
  call: Needs<'clock' | 'keyring' | 'version'>,
  keys: KeyCache,
  claim: Claim,
  endpoint: EndpointRow,
  whole: Buffer,
): Record<DeliveryHeader | 'Content-Type' | 'User-Agent', string> => {
  const { scope, delivery } = claim
  const context = secretContext(scope.orgId, endpoint.id)
  const keysOf = (wrapped: string) => keys(wrapped, () => call.keyring.unwrap(wrapped, context).toString('utf8'))
  const own = keysOf(endpoint.wrappedSecret)
  const now = Math.floor(call.clock.now() / 1000)
  const { keys: pair, at, body } = signedAs(faultOf(claim), { keys: own, at: now, body: whole })
  const previous = previousSecretOf(endpoint, call.clock.now())
  // A fault of a rehearsal is one for every secret.
  const older = previous === undefined || pair !== own ? [] : [keysOf(previous)]
  return {
    ...standingHeaders(delivery),
    'User-Agent': `Service-Webhooks/${call.version}`,
    'X-Service-Signature': signatureHeader(pair, at, body, older),
    'X-Service-Delivery-Attempt': String(delivery.attemptCount + 1),
    'webhook-timestamp': String(at),
    'webhook-signature': [pair, ...older]
      .map((signing) => standardSignature(signing, delivery.eventId, at, body))
      .join(' '),
  }
}

/** The attempt as part of the trace that its event was published in, with the header that tells the receiver of it. */
const traced = async (
  { traces }: Needs<'traces'>,
  { delivery }: Claim,
  post: (headers: { readonly traceparent?: string }) => Promise<PostResult>,
): Promise<PostResult> => {
  const facts = { 'app.event_type': delivery.eventType, 'app.attempt': delivery.attemptCount + 1 }
  const span = traces.begin({
    kind: 'delivery',
    name: 'webhook.deliver',
    facts,
    parent: delivery.traceparent,
    decides: true,
    requestId: undefined,
  })
  const traceparent = span.traceparent()
  try {
    const result = await span.run(() => post(traceparent === null ? {} : { traceparent }))
    span.end({
      'app.outcome': result.outcome,
      ...(result.statusCode === undefined ? {} : { 'http.response.status_code': result.statusCode }),
      ...(result.outcome === 'success' ? {} : { 'error.type': result.outcome }),
    })
    return result
  } finally {
    span.end()
  }
}

/**
 * Makes one attempt. Rejects when nothing could be learnt about the receiver (our own failure, or the process is
 * stopping): the claim then runs out and another process takes the delivery.
 */
export const attemptDelivery = async (
  call: Needs<'clock' | 'httpOut' | 'keyring' | 'metrics' | 'reader' | 'traces' | 'version'>,
  { claim, options }: { readonly claim: Claim; readonly options: SendOptions },
): Promise<Made> => {
  const { scope, delivery } = claim
  const body = postedBody(delivery, await options.bodyOf(scope, delivery.eventSeq))
  // Read last, when it is sent: a new secret signs from its commit on, and a deleted endpoint gets nothing more.
  const endpoint = await endpointIfThere({ ...call, scope }, delivery.endpointId)
  if (!endpoint) return { kind: 'cancel', claim }
  if (endpoint.status === 'disabled') return { kind: 'hold', claim }
  const headers = headersOf(call, options.keys, claim, endpoint, body)
  const at = call.clock.now()
  // A process that stood still after it claimed: by now another may be sending this.
  if (at >= claim.leaseUntil) throw new Error('the lease ran out before the attempt began')
  const { timeoutMs, signal } = options
  const post = { body: bodyWith(faultOf(claim), body), timeoutMs, signal }
  const result = await traced(call, claim, (trace) =>
    call.httpOut.post(endpoint.url, { ...post, headers: { ...headers, ...trace } }),
  )
  call.metrics.delivery(result.outcome, result.durationMs / 1000)
  return { kind: 'made', claim, at, result, step: nextStep(delivery.attemptCount + 1, result, options.random()) }
}
