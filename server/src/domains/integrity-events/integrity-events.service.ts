import type { Reads } from '../../kernel/call.ts'
import { type EventRow, eventCounts, listEvents } from './integrity-events.store.ts'

/** Every event of a session in the order of receipt, page by page. The caller has found the session in this scope. */
export async function* eventPages(call: Reads, sessionId: string): AsyncGenerator<EventRow[]> {
  const limit = 500
  for (let offset = 0; ; offset += limit) {
    const page = await listEvents(call.reader, call.scope, sessionId, { limit, offset })
    yield page
    if (page.length < limit) return
  }
}

/** How many events of each kind a session has. The caller has found the session in this scope. */
export const countsOf = (call: Reads, sessionId: string) => eventCounts(call.reader, call.scope, sessionId)

/** One page in the order of receipt. The caller has found the session in this scope. */
export const eventsOf = (call: Reads, sessionId: string, page: { limit: number; offset: number }) =>
  listEvents(call.reader, call.scope, sessionId, page)
