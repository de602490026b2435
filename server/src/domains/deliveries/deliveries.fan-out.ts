import type { FanOut } from '../../kernel/outbox/outbox.ts'
import type { NewId } from '../../platform/ids.ts'
import { findSubscribers, insertDeliveries, takePlaces } from './deliveries.log.store.ts'

/**
 * Writes one delivery for each enabled endpoint that subscribed to the event, in the transaction that publishes it.
 * Without subscribers it costs one indexed query.
 */
export const webhookFanOut =
  (newId: NewId): FanOut =>
  async (tx, scope, event, onlyEndpoint) => {
    const chosen = onlyEndpoint === undefined ? await findSubscribers(tx, scope, event.type) : [onlyEndpoint]
    if (chosen.length === 0) return
    const places = await takePlaces(tx, scope, chosen)
    const deliveries = places.map((place) => ({ ...place, id: newId('dlv'), replayOf: null }))
    const of = { eventId: event.id, eventSeq: event.seq, eventType: event.type, now: event.createdAt }
    await insertDeliveries(tx, scope, of, deliveries)
  }
