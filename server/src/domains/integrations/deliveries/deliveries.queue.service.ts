import type { Needs } from '../../../kernel/call.ts'
import type { DeliveryQueue } from '../webhooks/delivery-queue.parts.ts'
import { cancelDeliveries, holdDeliveries, nextDueAcrossOrgs, releaseDeliveries } from './deliveries.queue.store.ts'

/** The channel on which dispatchers of every process are told that something is due. */
export const deliveriesChannel = 'deliveries'
export const wakeDispatchers = (call: Needs<'db' | 'tx'>): void =>
  call.tx.afterCommit(() => call.db.notify(deliveriesChannel))

/** What the changes of an endpoint do to its deliveries. */
export const deliveryQueue: DeliveryQueue = {
  hold: ({ tx, scope }, endpointId) => holdDeliveries(tx, scope, endpointId),
  release: async (call, endpointId) => {
    await releaseDeliveries(call.tx, call.scope, endpointId)
    wakeDispatchers(call)
  },
  cancel: ({ tx, scope, clock }, endpointId) => cancelDeliveries(tx, scope, endpointId, clock.now()),
}

/** How long the most overdue delivery of any organisation has been waiting. */
export const secondsOverdue = async ({ reader, clock }: Needs<'reader' | 'clock'>): Promise<number> => {
  const next = await nextDueAcrossOrgs(reader)
  return next === null ? 0 : Math.max(0, (clock.now() - next) / 1000)
}
