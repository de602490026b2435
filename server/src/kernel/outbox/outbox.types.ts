import type { EventData, EventType } from '@integrity/protocol'
import type { Tx } from '../../platform/db/types.ts'
import type { Scope } from '../identity/scope.ts'

/** A published event as it is stored and sent, by webhook and stream alike. */
export interface PublishedEvent {
  readonly id: string
  readonly seq: number
  readonly type: EventType
  readonly sessionId: string | null
  readonly createdAt: number
  /** The envelope as JSON text; the same bytes go to every consumer. */
  readonly envelope: string
}

export interface Outbox {
  /**
   * Publishes in the caller's transaction: the event row and a delivery row for each subscribed webhook endpoint.
   * `onlyEndpoint` limits the deliveries to one endpoint (webhook.test).
   */
  publish<T extends EventType>(
    call: { readonly tx: Tx; readonly scope: Scope },
    event: { type: T; sessionId?: string; data: EventData<T>; onlyEndpoint?: string },
  ): Promise<PublishedEvent>
}
