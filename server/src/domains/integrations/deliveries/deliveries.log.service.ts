import { notFound, ServiceError } from '@integrity/protocol'
import { causeOf, type Needs, type Reads, type WriteCall } from '../../../kernel/call.ts'
import type { Actor } from '../../../kernel/identity/actor.ts'
import { type List, type PageQuery, pageView, readPage } from '../../../kernel/paging.ts'
import { findEnvelope } from '../events/events.service.ts'
import { placesAt } from '../webhooks/subscribers.service.ts'
import { getEndpoint, lockEndpoint } from '../webhooks/webhooks.service.ts'
import { countDeliveries } from './deliveries.counts.store.ts'
import {
  type DeliveryRow,
  findDelivery,
  findDeliveryOfEvent,
  insertDeliveries,
  type LogFilters,
  listAttempts,
  pageOfLog,
  pageOfMatching,
} from './deliveries.log.store.ts'
import { requireEnabled } from './deliveries.policy.ts'
import { wakeDispatchers } from './deliveries.queue.service.ts'
import { postedBody, standingHeaders } from './deliveries.request.model.ts'
import { deliveryView } from './deliveries.view.ts'

/** Publishes a real event to one endpoint, also when it did not subscribe to tests. */
export const testEndpoint = async (
  call: WriteCall<Actor>,
  id: string,
): Promise<{ eventId: string; deliveryId: string }> => {
  const { tx, scope } = call
  requireEnabled(await lockEndpoint(call, id))
  const event = await call.outbox.publish(call, {
    type: 'webhook.test',
    data: { webhook: { id } },
    onlyEndpoint: id,
  })
  const deliveryId = await findDeliveryOfEvent(tx, scope, id, event.id)
  if (!deliveryId) throw new Error(`event ${event.id} has no delivery for endpoint ${id}`)
  await call.audit.append(call, {
    action: 'webhook.tested',
    target: id,
    payload: { eventId: event.id },
  })
  return { eventId: event.id, deliveryId }
}

export const readDeliveries = async (
  call: Reads,
  { id, query }: { readonly id: string; readonly query: LogFilters & PageQuery },
) => {
  const { reader, scope } = call
  const endpoint = await getEndpoint(call, id)
  const { status, eventType } = query
  const all = status === undefined && eventType === undefined
  const total = await countDeliveries(reader, scope, id, { status, eventType })
  const list: List<DeliveryRow> = {
    of: ['deliveries', scope, id, status, eventType],
    kinds: ['number'],
    keyOf: ({ position }) => [position],
    dense: all,
    fetch: (stretch) =>
      all
        ? pageOfLog(reader, scope, endpoint, stretch)
        : pageOfMatching(reader, scope, id, { status, eventType }, stretch),
  }
  const page = await readPage(list, query)
  const ids = page.rows.map((row) => row.id)
  const attempts = await listAttempts(reader, scope, ids)
  return pageView(page, total, (row) => deliveryView(row, attempts))
}

/** What a delivery posts, as it would be posted now. */
export const readRequest = async (
  call: Reads,
  { endpointId, deliveryId }: { readonly endpointId: string; readonly deliveryId: string },
) => {
  const delivery = await findDelivery(call.reader, call.scope, endpointId, deliveryId)
  if (!delivery) throw notFound('delivery')
  const published = Buffer.from(await findEnvelope(call, delivery.eventSeq), 'utf8')
  return { headers: standingHeaders(delivery), body: postedBody(delivery, published).toString('utf8') }
}

/** Sends a finished delivery again: a new row with the same event; the old one and its attempts stay as they are. */
export const replayDelivery = async (
  call: WriteCall<Actor> & Needs<'db' | 'traces'>,
  { endpointId, deliveryId }: { readonly endpointId: string; readonly deliveryId: string },
) => {
  const { tx, scope } = call
  const endpoint = await lockEndpoint(call, endpointId)
  const old = await findDelivery(tx, scope, endpointId, deliveryId)
  if (!old) throw notFound('delivery')
  if (old.status === 'pending' || old.status === 'retrying')
    throw new ServiceError('conflict', 'this delivery is not finished; it is still being sent')
  requireEnabled(endpoint)
  const [place] = await placesAt(call, [endpointId])
  if (!place) throw new Error(`endpoint ${endpointId} gave no place for a delivery`)
  const id = call.newId('dlv')
  await insertDeliveries(tx, scope, { ...old, now: call.clock.now(), ...causeOf(call) }, [
    { ...place, id, replayOf: old.id, isExample: old.isExample },
  ])
  await call.audit.append(call, {
    action: 'webhook.replayed',
    target: id,
    payload: { endpointId, replayOf: old.id, eventId: old.eventId },
  })
  wakeDispatchers(call)
  const replay = await findDelivery(tx, scope, endpointId, id)
  if (!replay) throw new Error(`delivery ${id} vanished`)
  return deliveryView(replay, [])
}
