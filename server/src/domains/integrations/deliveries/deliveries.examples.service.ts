import { type EventType, examplesPerMinute } from '@integrity/protocol'
import { causeOf, type Needs, type WriteCall } from '../../../kernel/call.ts'
import type { Actor } from '../../../kernel/identity/actor.ts'
import { rateLimited } from '../../../kernel/rate-limited.ts'
import { placesAt } from '../webhooks/subscribers.service.ts'
import { lockEndpoint } from '../webhooks/webhooks.service.ts'
import { insertDeliveries } from './deliveries.log.store.ts'
import { requireEnabled } from './deliveries.policy.ts'
import { wakeDispatchers } from './deliveries.queue.service.ts'

/** Refuses more examples within a minute than a receiver needs to be written against. */
export const admitExample = async ({ rate }: Needs<'rate'>, endpointId: string): Promise<void> => {
  const { allowed, limit, resetSeconds } = await rate.take(`examples ${endpointId}`, examplesPerMinute)
  if (!allowed)
    throw rateLimited(`an endpoint is sent ${limit} examples a minute`, {
      limit,
      waitSeconds: resetSeconds,
      windowSeconds: 60,
    })
}

/**
 * Sends the example of an event type to one endpoint. What is published is a test, so that no reader of the stream takes it for
 * an interview; this endpoint alone gets the example in its place.
 */
export const sendExample = async (
  call: WriteCall<Actor> & Needs<'db' | 'traces'>,
  { endpointId, eventType }: { readonly endpointId: string; readonly eventType: EventType },
): Promise<{ eventId: string; deliveryId: string }> => {
  const { tx, scope } = call
  requireEnabled(await lockEndpoint(call, endpointId))
  const { id: eventId, seq: eventSeq } = await call.outbox.publish(call, {
    type: 'webhook.test',
    data: { webhook: { id: endpointId } },
    onlyEndpoint: nobody,
  })
  const [place] = await placesAt(call, [endpointId])
  if (!place) throw new Error(`endpoint ${endpointId} gave no place for a delivery`)
  const deliveryId = call.newId('dlv')
  const queued = { eventId, eventSeq, eventType, now: call.clock.now(), ...causeOf(call) }
  await insertDeliveries(tx, scope, queued, [{ ...place, id: deliveryId, replayOf: null, isExample: 1 }])
  await call.audit.append(call, { action: 'webhook.tested', target: endpointId, payload: { eventId, eventType } })
  wakeDispatchers(call)
  return { eventId, deliveryId }
}

/** No endpoint has this id: the delivery is queued here, with the type of the example. */
const nobody = 'whk_none'
