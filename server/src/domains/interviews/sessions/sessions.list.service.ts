import type { Reads } from '../../../kernel/call.ts'
import type { Environment, Scope } from '../../../kernel/identity/scope.ts'
import { type List, type PageOf, type PageQuery, readPage } from '../../../kernel/paging.ts'
import type { Reader } from '../../../platform/db/types.ts'
import { countExternal, countSessions } from './sessions.counts.store.ts'
import { type ListedSession, matching, pageOfAll, pageOfBoth, pageOfMatching } from './sessions.list.store.ts'
import { countAllSessions } from './sessions.store.ts'
import type { SessionFilters } from './sessions.types.ts'

const instant = (text: string | undefined): number | undefined => (text === undefined ? undefined : Date.parse(text))

type FilterQuery = Readonly<
  Partial<Record<'state' | 'from' | 'to' | 'provisionedBy' | 'externalId', string | undefined>>
>

/** The filters of a list as they came. */
const filtersOf = (query: FilterQuery): SessionFilters => {
  const { state, provisionedBy, externalId } = query
  return { state, provisionedBy, externalId, from: instant(query.from), to: instant(query.to) }
}

const countIn = (reader: Reader, scope: Scope, filters: SessionFilters): Promise<number> => {
  if (Object.values(filters).every((value) => value === undefined)) return countAllSessions(reader, scope)
  return filters.externalId === undefined
    ? countSessions(reader, scope, filters)
    : countExternal(reader, matching(scope, filters, undefined))
}

/** In one environment. */
const listOfOne = (reader: Reader, scope: Scope, filters: SessionFilters, total: number): List<ListedSession> => {
  // Positions are in the order of creation where nothing is dated back, which interviews of the sandbox are.
  const all = scope.environment === 'live' && Object.values(filters).every((value) => value === undefined)
  return {
    of: ['sessions', scope, filters],
    kinds: ['number', 'number'],
    keyOf: ({ createdAt, position }) => [createdAt, position],
    dense: all,
    fetch: (stretch) =>
      all ? pageOfAll(reader, scope, total, stretch) : pageOfMatching(reader, scope, filters, stretch),
  }
}

/** Environments have positions of their own: a place in both is one of them with its environment. */
const listOfBoth = (reader: Reader, orgId: string, filters: SessionFilters): List<ListedSession> => ({
  of: ['sessions', orgId, filters],
  kinds: ['number', 'number', 'string'],
  keyOf: ({ createdAt, position, environment }) => [createdAt, position, environment],
  fetch: (stretch) => pageOfBoth(reader, orgId, filters, stretch),
})

interface Listed {
  /** The environments that the caller sees. */
  readonly among: readonly Environment[]
  readonly query: PageQuery &
    FilterQuery & { readonly sandbox?: 'true' | 'false' | undefined } & {
      readonly sort?: 'newest' | 'oldest' | undefined
    }
}

/**
 * A page of an organisation's sessions, in the order of `sort`, and how many there are. Asking for an environment that the caller does
 * not see is an empty list, not an error.
 */
export const listSessions = async (
  { reader, scope: { orgId } }: Reads,
  { among, query }: Listed,
): Promise<{ readonly page: PageOf<ListedSession>; readonly total: number }> => {
  const wanted = query.sandbox === undefined ? undefined : query.sandbox === 'true' ? 'sandbox' : 'live'
  const seen = among.filter((environment) => wanted === undefined || environment === wanted)
  const [only, ...more] = seen.map((environment): Scope => ({ orgId, environment }))
  if (!only) return { page: { rows: [], limit: query.limit, offset: query.offset, nextCursor: null }, total: 0 }
  const filters = filtersOf(query)
  let total = 0
  for (const environment of seen) total += await countIn(reader, { orgId, environment }, filters)
  const ordered: SessionFilters = { ...filters, oldest: query.sort === 'oldest' ? true : undefined }
  const list = more.length === 0 ? listOfOne(reader, only, ordered, total) : listOfBoth(reader, orgId, ordered)
  return { page: await readPage(list, query), total }
}
