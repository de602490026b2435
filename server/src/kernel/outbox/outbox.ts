import { catalogVersion } from '@integrity/protocol'
import type { Clock } from '../../platform/clock.ts'
import type { Db, Tx } from '../../platform/db/types.ts'
import type { NewId } from '../../platform/ids.ts'
import type { Scope } from '../identity/scope.ts'
import { insertEvent, nextSequence } from './outbox.store.ts'
import type { Outbox, PublishedEvent } from './outbox.types.ts'

/** Writes the deliveries of an event, in the same transaction; given by the webhooks domain. */
export type FanOut = (tx: Tx, scope: Scope, event: PublishedEvent, onlyEndpoint: string | undefined) => Promise<void>

/** The wake-up channel of the outbox: a hint only, readers poll as well. */
export const eventsChannel = 'events'

export const createOutbox = (parts: { db: Db; clock: Clock; newId: NewId; fanOut: FanOut }): Outbox => ({
  async publish({ tx, scope, requestId = null }, { type, sessionId, data, onlyEndpoint }) {
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
    const event: PublishedEvent = { id, seq, type, sessionId: sessionId ?? null, createdAt, envelope, requestId }
    await insertEvent(tx, scope, event)
    await parts.fanOut(tx, scope, event, onlyEndpoint)
    tx.afterCommit(() => parts.db.notify(eventsChannel))
    return event
  },
})
