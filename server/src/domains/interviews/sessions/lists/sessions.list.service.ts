import { searchTotalMax } from '@integrity/protocol'
import type { Reads } from '../../../../kernel/call.ts'
import type { Environment, Scope } from '../../../../kernel/identity/scope.ts'
import { type List, type PageOf, type PageQuery, readPage } from '../../../../kernel/paging.ts'
import type { Reader } from '../../../../platform/db/types.ts'
import { countInReview } from '../../reviews/queue-counts.service.ts'
import { countAllSessions } from '../sessions.store.ts'
import type { SessionFilters } from '../sessions.types.ts'
import { wantedWords } from './session-words.model.ts'
import { countBeginning } from './session-words.store.ts'
import { countExternal, countSessions } from './sessions.counts.store.ts'
import {
  type Asked,
  isSearch,
  type ListedSession,
  matching,
  pageOfAll,
  pageOfBoth,
  pageOfMatching,
} from './sessions.list.store.ts'
import { countFound, type ReadBy } from './sessions.search.store.ts'

const instant = (text: string | undefined): number | undefined => (text === undefined ? undefined : Date.parse(text))

type FilterQuery = Readonly<
  Partial<Record<'state' | 'from' | 'to' | 'provisionedBy' | 'externalId' | 'q', string | undefined>>
> & { readonly reviewState?: SessionFilters['reviewState'] }

/** The filters of a list as they came. */
const filtersOf = (query: FilterQuery): SessionFilters => {
  const { state, provisionedBy, externalId, reviewState, q } = query
  const words = q === undefined ? undefined : wantedWords(q)
  return {
    state,
    provisionedBy,
    externalId,
    reviewState,
    words,
    from: instant(query.from),
    to: instant(query.to),
  }
}

/** Of what is searched, which index to read it by: that with the fewest rows, as far as anybody counts. */
const readingOf = async (reader: Reader, scopes: readonly Scope[], filters: SessionFilters): Promise<Asked> => {
  const { words = [], reviewState, ...own } = filters
  const count = async (of: (scope: Scope) => Promise<number>): Promise<number> => {
    let sum = 0
    for (const scope of scopes) sum += await of(scope)
    return sum
  }
  const ways: { readonly by: ReadBy; readonly n: number }[] = []
  for (const word of words)
    ways.push({ by: { word }, n: await count((scope) => countBeginning(reader, scope, word, searchTotalMax)) })
  if (reviewState !== undefined && reviewState !== 'none')
    ways.push({ by: 'review', n: await count((scope) => countInReview({ reader, scope }, reviewState)) })
  const listed = await count((scope) => countIn(reader, scope, { ...own, oldest: undefined }))
  const best = ways.reduce((least, way) => (way.n < least.n ? way : least), { by: 'list' as ReadBy, n: listed })
  return { filters, by: best.by }
}

const countIn = (reader: Reader, scope: Scope, filters: SessionFilters): Promise<number> => {
  if (Object.values(filters).every((value) => value === undefined)) return countAllSessions(reader, scope)
  return filters.externalId === undefined
    ? countSessions(reader, scope, filters)
    : countExternal(reader, matching(scope, filters, undefined))
}

/** In one environment. */
const listOfOne = (reader: Reader, scope: Scope, asked: Asked, total: number): List<ListedSession> => {
  const { filters } = asked
  // Positions are in the order of creation where nothing is dated back, which interviews of the sandbox are.
  const all = scope.environment === 'live' && Object.values(filters).every((value) => value === undefined)
  return {
    of: ['sessions', scope, filters],
    kinds: ['number', 'number'],
    keyOf: ({ createdAt, position }) => [createdAt, position],
    dense: all,
    fetch: (stretch) =>
      all ? pageOfAll(reader, scope, total, stretch) : pageOfMatching(reader, scope, asked, stretch),
  }
}

/** Environments have positions of their own: a place in both is one of them with its environment. */
const listOfBoth = (reader: Reader, orgId: string, asked: Asked): List<ListedSession> => ({
  of: ['sessions', orgId, asked.filters],
  kinds: ['number', 'number', 'string'],
  keyOf: ({ createdAt, position, environment }) => [createdAt, position, environment],
  fetch: (stretch) => pageOfBoth(reader, orgId, asked, stretch),
})

interface Listed {
  /** The environments that the caller sees. */
  readonly among: readonly Environment[]
  readonly query: PageQuery &
    FilterQuery & { readonly sandbox?: 'true' | 'false' | undefined } & {
      readonly sort?: 'newest' | 'oldest' | undefined
    }
}

/** Words that are none find nothing; only what has ended has a review. */
const isEmpty = ({ words, reviewState, state }: SessionFilters): boolean =>
  words?.length === 0 ||
  (reviewState !== undefined && reviewState !== 'none' && state !== undefined && state !== 'ended')

interface ListedPage {
  readonly page: PageOf<ListedSession>
  readonly total: number
  readonly totalIsExact: boolean
}

/** What is searched is counted as far as anybody wants to know; everything else has kept counts. */
const totalOf = async (reader: Reader, scopes: readonly Scope[], asked: Asked) => {
  const { filters } = asked
  let total = 0
  for (const scope of scopes)
    total += isSearch(filters)
      ? await countFound(reader, scope, asked, searchTotalMax + 1)
      : await countIn(reader, scope, filters)
  const totalIsExact = !isSearch(filters) || total <= searchTotalMax
  return { total: totalIsExact ? total : searchTotalMax, totalIsExact }
}

/**
 * A page of an organisation's sessions, in the order of `sort`, and how many there are. Asking for an environment that the caller does
 * not see is an empty list, not an error.
 */
export const listSessions = async (
  { reader, scope: { orgId } }: Reads,
  { among, query }: Listed,
): Promise<ListedPage> => {
  const wanted = query.sandbox === undefined ? undefined : query.sandbox === 'true' ? 'sandbox' : 'live'
  const seen = among.filter((environment) => wanted === undefined || environment === wanted)
  const scopes = seen.map((environment): Scope => ({ orgId, environment }))
  const [only, ...more] = scopes
  const filters = filtersOf(query)
  const nothing = { rows: [], limit: query.limit, offset: query.offset, nextCursor: null }
  if (!only || isEmpty(filters)) return { page: nothing, total: 0, totalIsExact: true }
  const plain: Asked = { filters, by: 'list' }
  const asked = isSearch(filters) ? await readingOf(reader, scopes, filters) : plain
  const counted = await totalOf(reader, scopes, asked)
  const ordered: Asked = { ...asked, filters: { ...filters, oldest: query.sort === 'oldest' ? true : undefined } }
  const list = more.length === 0 ? listOfOne(reader, only, ordered, counted.total) : listOfBoth(reader, orgId, ordered)
  return { page: await readPage(list, query), ...counted }
}
