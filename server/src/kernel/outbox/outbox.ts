import { catalogVersion } from '@integrity/protocol'
import type { Clock } from '../../platform/clock.ts'
import type { Db, Tx } from '../../platform/db/types.ts'
import type { NewId } from '../../platform/ids.ts'
import type { Traces } from '../../platform/traces/traces.ts'
import type { Scope } from '../identity/scope.ts'
import { insertEvent, nextSequence } from './outbox.store.ts'
import type { Outbox, PublishedEvent } from './outbox.types.ts'

/** Writes the deliveries of an event, in the same transaction; given by the webhooks domain. */
export type FanOut = (tx: Tx, scope: Scope, event: PublishedEvent, onlyEndpoint: string | undefined) => Promise<void>

/** The wake-up channel of the outbox: a hint only, readers poll as well. */
export const eventsChannel = 'events'

interface OutboxParts {
  readonly db: Db
  readonly clock: Clock
  readonly newId: NewId
  readonly traces: Traces
  readonly fanOut: FanOut
}

export const createOutbox = (parts: OutboxParts): Outbox => ({
  publish({ tx, scope, requestId }, { type, sessionId, data, onlyEndpoint }) {
    const publishing = async (): Promise<PublishedEvent> => {
      const id = parts.newId('evt')
      const createdAt = parts.clock.now()
      const seq = await nextSequence(tx, scope)
      const envelope = JSON.stringify({
        id,
        type,
        ...(sessionId === undefined ? {} : { sessionId }),
        createdAt: new Date(createdAt).toISOString(),
        apiVersion: 'v1',
        catalogVersion,
        data,
      })
      const of = { requestId: requestId ?? null, traceparent: parts.traces.here(requestId) }
      const event: PublishedEvent = { id, seq, type, sessionId: sessionId ?? null, createdAt, envelope, ...of }
      await insertEvent(tx, scope, event)
      await parts.fanOut(tx, scope, event, onlyEndpoint)
      tx.afterCommit(() => parts.db.notify(eventsChannel))
      return event
    }
    const span = { kind: 'outbox', name: 'outbox.publish', facts: { 'app.event_type': type } } as const
    return parts.traces.step({ ...span, requestId }, publishing)
  },
})
