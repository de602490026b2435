import type { Needs } from '../../../kernel/call.ts'
import type { FanOut } from '../../../kernel/outbox/outbox.ts'
import { placesAt, subscribersOf } from '../webhooks/subscribers.service.ts'
import { insertDeliveries } from './deliveries.log.store.ts'

/**
 * Writes one delivery for each enabled endpoint that subscribed to the event, in the transaction that publishes it.
 * Without subscribers it costs one indexed query.
 */
export const deliveriesFanOut =
  ({ newId }: Needs<'newId'>): FanOut =>
  async (tx, scope, event, onlyEndpoint) => {
    const call = { tx, reader: tx, scope }
    const chosen = onlyEndpoint === undefined ? await subscribersOf(call, event.type) : [onlyEndpoint]
    if (chosen.length === 0) return
    const places = await placesAt(call, chosen)
    const deliveries = places.map((place) => ({ ...place, id: newId('dlv'), replayOf: null }))
    const { id: eventId, seq: eventSeq, type: eventType, createdAt: now, requestId, traceparent } = event
    const of = { eventId, eventSeq, eventType, now, requestId, traceparent }
    await insertDeliveries(tx, scope, of, deliveries)
  }
