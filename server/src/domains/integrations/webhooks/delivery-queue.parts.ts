import type { Needs, Writes } from '../../../kernel/call.ts'

/** The queue of what is to be sent to an endpoint, as its changes reach it; whoever delivers fills it. */
export interface DeliveryQueue {
  /** Takes the waiting deliveries of an endpoint out of the queue. Those under way are held when their attempt ends. */
  hold(call: Writes, endpointId: string): Promise<void>
  /** Puts held deliveries back, due when they were due before. */
  release(call: Writes & Needs<'db'>, endpointId: string): Promise<void>
  /** Ends everything of an endpoint that was still to be sent. */
  cancel(call: Writes & Needs<'clock'>, endpointId: string): Promise<void>
}

declare module '../../../kernel/parts.ts' {
  interface Parts {
    readonly deliveryQueue: DeliveryQueue
  }
}
