import type { EndpointMap } from '@integrity/protocol'
import type { Needs, Reads } from '../../kernel/call.ts'
import type { EventFeed, Input } from '../../kernel/handler.ts'
import { eventsChannel } from '../../kernel/outbox/outbox.ts'
import { readFilters } from './events.service.ts'
import { findStart, followKey, readerOf, readLastEventId } from './events.stream.service.ts'

/** What a client missed, and what comes. */
export const followEvents = async (
  call: Reads & Needs<'db'> & { readonly lastEventId: string | undefined },
  { query }: Pick<Input<EndpointMap['events.stream']>, 'query'>,
): Promise<EventFeed> => {
  const filters = readFilters(query)
  const start = await findStart(call, { filters, requested: readLastEventId(call.lastEventId, query.lastEventId) })
  return {
    first: start.gap,
    from: start.from,
    key: followKey(call.scope, filters),
    readAfter: readerOf(call, filters),
    wake: (listener) => call.db.listen(eventsChannel, listener),
  }
}
