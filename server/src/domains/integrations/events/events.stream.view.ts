import type { Needs, Reads } from '../../../kernel/call.ts'
import type { EventFeed } from '../../../kernel/handler.ts'
import { eventsChannel } from '../../../kernel/outbox/outbox.ts'
import type { EventFilters } from './events.store.ts'
import { findStart, followKey, readerOf, readLastEventId } from './events.stream.service.ts'

/** What a client missed, and what comes. */
export const followEvents = async (
  call: Reads & Needs<'db'> & { readonly lastEventId: string | undefined },
  { filters, lastEventId }: { readonly filters: EventFilters; readonly lastEventId: string | undefined },
): Promise<EventFeed> => {
  const start = await findStart(call, { filters, requested: readLastEventId(call.lastEventId, lastEventId) })
  return {
    first: start.gap,
    from: start.from,
    key: followKey(call.scope, filters),
    readAfter: readerOf(call, filters),
    wake: (listener) => call.db.listen(eventsChannel, listener),
  }
}
