import type { Reads } from '../../kernel/call.ts'
import { type List, type PageQuery, readPage } from '../../kernel/paging.ts'
import { countExternal, countSessions } from './sessions.counts.store.ts'
import { type ListedSession, matching, pageOfAll, pageOfMatching } from './sessions.list.store.ts'
import { countAllSessions } from './sessions.store.ts'
import type { SessionFilters } from './sessions.types.ts'

/** A page of sessions, newest first, and how many there are. */
export const listSessions = async (call: Reads, filters: SessionFilters, query: PageQuery) => {
  const { reader, scope } = call
  const all = Object.values(filters).every((value) => value === undefined)
  const total = all
    ? await countAllSessions(reader, scope)
    : filters.externalId === undefined
      ? await countSessions(reader, scope, filters)
      : await countExternal(reader, matching(scope, filters, undefined))
  const list: List<ListedSession> = {
    of: ['sessions', scope, filters],
    kinds: ['number', 'number'],
    keyOf: ({ createdAt, position }) => [createdAt, position],
    fetch: (stretch) =>
      all ? pageOfAll(reader, scope, total, stretch) : pageOfMatching(reader, scope, filters, stretch),
  }
  return { page: await readPage(list, query), total }
}
