import { invalid } from '@integrity/protocol'
import { decodeKey, encodeKey, type Key } from '../platform/cursor.ts'

/** What a caller says of the page it wants. */
export interface PageQuery {
  readonly limit: number
  readonly offset: number
  readonly cursor?: string | undefined
}

/** Rows behind a key (absent: from the beginning), after so many more. */
export interface Stretch {
  readonly after: Key | undefined
  readonly skip: number
  readonly take: number
}

export interface List<Row> {
  /** Says which list this is, its filters included: a cursor of one fits no other. */
  readonly of: readonly unknown[]
  readonly kinds: readonly ('string' | 'number')[]
  readonly keyOf: (row: Row) => Key
  readonly fetch: (stretch: Stretch) => Promise<readonly Row[]>
  /** Skipping is a subtraction there: however far, it costs nothing. */
  readonly dense?: boolean
}

export interface PageOf<Row> {
  readonly rows: readonly Row[]
  readonly limit: number
  readonly offset: number
  readonly nextCursor: string | null
}

/** A far offset is walked to in steps, so that no statement is long and others have their turn between two. */
const step = 2_000

const beginOf = <Row>(list: List<Row>, of: string, query: PageQuery): { offset: number; after: Key | undefined } => {
  if (query.cursor === undefined) return { offset: query.offset, after: undefined }
  const place = decodeKey(of, list.kinds, query.cursor)
  if (!place) throw invalid('cursor', 'is not a `nextCursor` of this list with these filters')
  if (query.offset > 0) throw invalid('offset', 'goes without `cursor`: either one says where the page begins')
  return { offset: place.rows, after: place.key }
}

/** A page by offset or by cursor. */
export const readPage = async <Row>(list: List<Row>, query: PageQuery): Promise<PageOf<Row>> => {
  const { limit } = query
  const of = JSON.stringify(list.of)
  const { offset, ...begin } = beginOf(list, of, query)
  let { after } = begin
  let skip = after === undefined ? offset : 0
  for (; !list.dense && skip > step; skip -= step) {
    const [last] = await list.fetch({ after, skip: step - 1, take: 1 })
    if (last === undefined) return { rows: [], limit, offset, nextCursor: null }
    after = list.keyOf(last)
  }
  // One more than is shown tells whether there is a next page.
  const found = await list.fetch({ after, skip, take: limit + 1 })
  const rows = found.slice(0, limit)
  const last = found.length > limit ? rows.at(-1) : undefined
  return { rows, limit, offset, nextCursor: last ? encodeKey(of, offset + limit, list.keyOf(last)) : null }
}

/** The page as it is answered. */
export const pageView = <Row, View>({ rows, ...page }: PageOf<Row>, total: number, view: (row: Row) => View) => ({
  items: rows.map(view),
  total,
  ...page,
})

/** Where a page of a short list begins, and how long it is; without a length all of it is the page. */
export interface WholeQuery extends Omit<PageQuery, 'limit'> {
  readonly limit?: number | undefined
}

/** A list that is read as a whole, since it is short by nature: all of it, or the page that was asked for. */
export const wholeView = async <Row, View>(
  rows: readonly Row[],
  { name, query, view }: { readonly name: string; readonly query: WholeQuery; readonly view: (row: Row) => View },
) => {
  const list: List<readonly [Row, number]> = {
    of: [name],
    kinds: ['number'],
    keyOf: ([, at]) => [at],
    fetch: ({ after, skip, take }) => {
      const from = (after === undefined ? 0 : Number(after[0]) + 1) + skip
      return Promise.resolve(rows.map((row, at) => [row, at] as const).slice(from, from + take))
    },
  }
  const page = await readPage(list, { ...query, limit: query.limit ?? Math.max(1, rows.length) })
  return pageView(page, rows.length, ([row]) => view(row))
}
