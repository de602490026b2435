import type { Needs } from '../../kernel/call.ts'
import type { Environment, Scope } from '../../kernel/identity/scope.ts'
import { type List, type PageQuery, readPage } from '../../kernel/paging.ts'
import type { Reader } from '../../platform/db/types.ts'
import { countExternal, countSessions } from './sessions.counts.store.ts'
import { type ListedSession, matching, pageOfAll, pageOfBoth, pageOfMatching } from './sessions.list.store.ts'
import { countAllSessions } from './sessions.store.ts'
import type { SessionFilters } from './sessions.types.ts'

const instant = (text: string | undefined): number | undefined => (text === undefined ? undefined : Date.parse(text))

/** The filters of a list as they came. */
export const filtersOf = (
  query: Readonly<Partial<Record<'state' | 'from' | 'to' | 'provisionedBy' | 'externalId', string | undefined>>>,
): SessionFilters => {
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

/** A page of the sessions of one organisation in these environments, newest first, and how many there are. */
export const listSessions = async (
  { reader }: Needs<'reader'>,
  of: { readonly orgId: string; readonly environments: readonly Environment[] },
  filters: SessionFilters,
  query: PageQuery,
) => {
  const { orgId } = of
  const [only, ...more] = of.environments.map((environment): Scope => ({ orgId, environment }))
  let total = 0
  for (const environment of of.environments) total += await countIn(reader, { orgId, environment }, filters)
  const list = only && more.length === 0 ? listOfOne(reader, only, filters, total) : listOfBoth(reader, orgId, filters)
  return { page: await readPage(list, query), total }
}
