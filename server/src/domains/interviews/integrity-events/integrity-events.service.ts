import type { EventCategory } from '@integrity/protocol'
import { type AskedPeriod, askedPeriod, type PeriodQuery } from '../../../kernel/asked-period.ts'
import type { Reads } from '../../../kernel/call.ts'
import { type List, type PageQuery, readPage } from '../../../kernel/paging.ts'
import { getSession } from '../sessions/sessions.read.service.ts'
import { countEventsInPeriod, keyInPeriod, listEventsInPeriod } from './integrity-events.period.store.ts'
import {
  type EventRow,
  eventCounts,
  eventExists,
  listEvents,
  listEventsOfMoments,
  type ToldEvent,
} from './integrity-events.store.ts'

type EventQuery = PageQuery & PeriodQuery & { readonly category: EventCategory | 'all' }

const listOf = (
  { reader, scope }: Reads,
  id: string,
  category: EventCategory | 'all',
  period: AskedPeriod | undefined,
): List<EventRow> => {
  const of = ['integrity-events', scope, id, category, period]
  if (period)
    return {
      of,
      kinds: ['number', 'number'],
      keyOf: keyInPeriod,
      fetch: (stretch) => listEventsInPeriod(reader, scope, id, category, period, stretch),
    }
  return {
    of,
    kinds: ['number'],
    keyOf: ({ place }) => [place],
    dense: true,
    fetch: (stretch) => listEvents(reader, scope, id, category, stretch),
  }
}

/**
 * A page of a session's events in the order of receipt, or of a period's in the order of time, how many there are, and how many
 * of each kind the session has.
 */
export const readEvents = async (
  call: Reads,
  { sessionId, query }: { readonly sessionId: string; readonly query: EventQuery },
) => {
  const { reader, scope } = call
  const { id } = await getSession(call, sessionId)
  const { category } = query
  const period = askedPeriod(query)
  const page = await readPage(listOf(call, id, category, period), query)
  const counts = await eventCounts(reader, scope, id, category)
  const total = period
    ? await countEventsInPeriod(reader, scope, id, category, period)
    : Object.values(counts).reduce((sum, n) => sum + n, 0)
  return { page, total, counts }
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
