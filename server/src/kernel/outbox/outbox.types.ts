import type { EventData, EventType } from '@integrity/protocol'
import type { Cause } from '../identity/cause.ts'

/** A published event as it is stored and sent, by webhook and stream alike. */
export interface PublishedEvent {
  readonly id: string
  readonly seq: number
  readonly type: EventType
  readonly sessionId: string | null
  readonly createdAt: number
  /** The envelope as JSON text; the same bytes go to every consumer. */
  readonly envelope: string
  /** The request that it goes back to; for us alone, consumers are not told. */
  readonly requestId: string | null
  /** Where its publishing stands in a trace. */
  readonly traceparent: string | null
}

export interface Outbox {
  /**
   * Publishes in the caller's transaction: the event row and a delivery row for each subscribed webhook endpoint.
   * `onlyEndpoint` limits the deliveries to one endpoint (webhook.test).
   */
  publish<T extends EventType>(
    call: Cause,
    event: { type: T; sessionId?: string; data: EventData<T>; onlyEndpoint?: string },
  ): Promise<PublishedEvent>
}
