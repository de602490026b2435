import { eventCatalog, eventWords } from '@integrity/protocol'
import { listEnvelopes, replaceEnvelope } from './outbox/outbox.store.ts'
import type { SessionEraser } from './session-eraser.ts'

const wordyTypes = eventCatalog.filter((event) => eventWords(event.type).length > 0).map(({ type }) => type)

/** Published events stay, for whoever reads or replays them, without the words that somebody wrote. */
export const outboxEraser: SessionEraser = {
  async erase({ tx, scope }, sessionId) {
    for (const { seq, type, envelope } of await listEnvelopes(tx, scope, sessionId, wordyTypes)) {
      const event = JSON.parse(envelope) as { data: object }
      const gone = Object.fromEntries(eventWords(type).map((field) => [field, null]))
      await replaceEnvelope(tx, scope, seq, JSON.stringify({ ...event, data: { ...event.data, ...gone } }))
    }
    return undefined
  },
}
