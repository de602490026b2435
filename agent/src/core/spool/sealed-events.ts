import { randomUUIDv7 } from 'node:crypto'
import { seal, unseal } from './seal.ts'
import type { EventRow, SealedEvent } from './spool-index.ts'
import type { EventInput, QueuedEvent } from './types.ts'

/** An event with an id of its own, as its row keeps it. */
export const sealEvent = (key: Buffer, event: EventInput): SealedEvent => ({
  clientId: randomUUIDv7(),
  body: seal(key, 'event', Buffer.from(JSON.stringify(event))),
})

export const openEvent = (key: Buffer, row: EventRow): QueuedEvent => {
  const event = JSON.parse(unseal(key, 'event', row.body).toString('utf8')) as EventInput
  return { ...event, clientId: row.client_id, attempts: row.attempts }
}
