import type { EventCategory } from '@integrity/protocol'
import type { Reads } from '../../kernel/call.ts'
import { type List, type PageQuery, readPage } from '../../kernel/paging.ts'
import { getSession } from '../sessions/sessions.read.service.ts'
import {
  type EventRow,
  eventCounts,
  eventExists,
  listEvents,
  listEventsOfMoments,
  type ToldEvent,
} from './integrity-events.store.ts'

/** A page of a session's events in the order of receipt, how many there are, and how many of each kind. */
export const readEvents = async (
  call: Reads,
  { sessionId, query }: { readonly sessionId: string; readonly query: PageQuery & { category: EventCategory | 'all' } },
) => {
  const { reader, scope } = call
  const { id } = await getSession(call, sessionId)
  const { category } = query
  const list: List<EventRow> = {
    of: ['integrity-events', scope, id, category],
    kinds: ['number'],
    keyOf: ({ place }) => [place],
    dense: true,
    fetch: (stretch) => listEvents(reader, scope, id, category, stretch),
  }
  const page = await readPage(list, query)
  const counts = await eventCounts(reader, scope, id, category)
  return { page, total: Object.values(counts).reduce((sum, n) => sum + n, 0), counts }
}

/** Every event of a category of a session in the order of receipt, page by page. The caller has found the session in this scope. */
export async function* eventPages(
  call: Reads,
  { sessionId, category }: { readonly sessionId: string; readonly category: EventCategory },
): AsyncGenerator<EventRow[]> {
  const take = 500
  for (let after: number[] | undefined; ; ) {
    const page = await listEvents(call.reader, call.scope, sessionId, category, { after, skip: 0, take })
    yield page
    const last = page.at(-1)
    if (!last || page.length < take) return
    after = [last.place]
  }
}

/** One page of observations in the order of receipt. The caller has found the session in this scope. */
export const observationsOf = (
  call: Reads,
  { sessionId, limit, offset }: { readonly sessionId: string; readonly limit: number; readonly offset: number },
) => listEvents(call.reader, call.scope, sessionId, 'observation', { after: undefined, skip: offset, take: limit })

/** How many events of a category a session has. The caller has found the session in this scope. */
export const totalOf = async (
  call: Reads,
  { sessionId, category }: { readonly sessionId: string; readonly category: EventCategory },
): Promise<number> => {
  const counts = await eventCounts(call.reader, call.scope, sessionId, category)
  return Object.values(counts).reduce((sum, n) => sum + n, 0)
}

/** Of what an observer says, in characters: anything longer is not read for moments. */
const longestData = 2000

/**
 * What rules about moments read, so many of each kind, the earliest, and one more where there are more. The caller has found
 * the session in this scope.
 */
export const eventsOfMoments = (
  call: Reads,
  { sessionId, ofKind }: { readonly sessionId: string; readonly ofKind: number },
): Promise<ToldEvent[]> =>
  listEventsOfMoments(call.reader, call.scope, sessionId, { ofKind: ofKind + 1, longest: longestData })

/** Whether an event is one of this session, which the caller has found in this scope. No event ever leaves its session. */
export const hasEvent = async (
  call: Reads,
  { sessionId, eventId }: { readonly sessionId: string; readonly eventId: string },
): Promise<boolean> => {
  const counts = await eventCounts(call.reader, call.scope, sessionId, 'all')
  const last = Object.values(counts).reduce((sum, n) => sum + n, 0)
  return eventExists(call.reader, call.scope, sessionId, { id: eventId, last })
}
