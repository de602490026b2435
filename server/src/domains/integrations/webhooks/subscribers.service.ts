import type { Reads, Writes } from '../../../kernel/call.ts'
import { findSubscribers, type Place, takePlaces, takeStretch } from './subscribers.store.ts'

/** Endpoints that subscribed to a type or to all, whatever their status. */
export const subscribersOf = (call: Reads, eventType: string): Promise<string[]> =>
  findSubscribers(call.reader, call.scope, eventType)

/** The next place in the log of each of these endpoints. Disabled and deleted ones get none. */
export const placesAt = (call: Writes, endpointIds: readonly string[]): Promise<Place[]> =>
  takePlaces(call.tx, call.scope, endpointIds)

/** So many places in a row in the log of one endpoint, which the caller has locked; answers the first. */
export const stretchAt = (
  call: Writes,
  { endpointId, n }: { readonly endpointId: string; readonly n: number },
): Promise<number> => takeStretch(call.tx, call.scope, endpointId, n)
