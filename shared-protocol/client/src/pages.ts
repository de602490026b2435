import type { ItemOf, ListId, LooseInput, ResultOf, Send } from './calls.ts'

interface Page {
  readonly items: readonly unknown[]
  readonly total: number
}

/** Ids remembered to tell a row that is met again; further back than any shift between two pages. */
const REMEMBERED = 10_000
const LARGEST_PAGE = 100

const idOf = (item: unknown): string | undefined => {
  const id = typeof item === 'object' && item !== null && 'id' in item ? item.id : undefined
  return typeof id === 'string' ? id : undefined
}

/** The newest ids that were met, bounded. */
export const createRecentIds = (most: number) => {
  const ids = new Set<string>()
  return {
    /** False when it was met already. */
    add(id: string): boolean {
      if (ids.has(id)) return false
      const [oldest] = ids.size < most ? [] : ids
      if (oldest !== undefined) ids.delete(oldest)
      ids.add(id)
      return true
    },
  }
}

/**
 * Pages of a list, one request for each, as the service gives them. A total that shrank between two pages means that
 * rows before this place are gone: it steps back by as many, so that none is passed over.
 */
export async function* pagesOf<Id extends ListId>(
  send: Send,
  id: Id,
  input: LooseInput,
): AsyncGenerator<ResultOf<Id>, void, undefined> {
  const limit = Number(input.query?.['limit'] ?? LARGEST_PAGE)
  let offset = Number(input.query?.['offset'] ?? 0)
  let total: number | undefined
  for (;;) {
    const { data } = await send(id, { ...input, query: { ...input.query, limit, offset } })
    const page = data as Page
    const shrunk = total === undefined ? 0 : Math.max(0, total - page.total)
    total = page.total
    if (shrunk > 0 && offset > 0) {
      offset = Math.max(0, offset - shrunk)
      continue
    }
    yield data
    offset += page.items.length
    if (page.items.length === 0 || offset >= page.total) return
  }
}

/** Every row of a list once. Rows that arrive meanwhile push others onto the next page; those are not given again. */
export async function* itemsOf<Id extends ListId>(
  send: Send,
  id: Id,
  input: LooseInput,
): AsyncGenerator<ItemOf<Id>, void, undefined> {
  const seen = createRecentIds(REMEMBERED)
  for await (const page of pagesOf(send, id, input)) {
    for (const item of (page as Page).items) {
      const key = idOf(item)
      if (key === undefined || seen.add(key)) yield item as ItemOf<Id>
    }
  }
}
