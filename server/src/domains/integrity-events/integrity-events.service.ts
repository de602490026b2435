import type { Reads } from '../../kernel/call.ts'
import { type EventRow, listEvents } from './integrity-events.store.ts'

export { ingestEvents } from './integrity-events.ingest.service.ts'
export { eventCounts, listEvents } from './integrity-events.store.ts'

/** Every event of a session in the order of receipt, page by page. The caller has found the session in this scope. */
export async function* eventPages(call: Reads, sessionId: string): AsyncGenerator<EventRow[]> {
  const limit = 500
  for (let offset = 0; ; offset += limit) {
    const page = await listEvents(call.reader, call.scope, sessionId, { limit, offset })
    yield page
    if (page.length < limit) return
  }
}
