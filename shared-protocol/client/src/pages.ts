import type { ItemOf, ListId, LooseInput, ResultOf, Send } from './calls.ts'
import { IntegrityError } from './errors.ts'

interface Page {
  readonly items: readonly unknown[]
  readonly nextCursor: string | null
}

const largestPage = 100

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

/** Pages of a list, one request for each, as the service gives them: each begins behind the last row of the one before. */
export async function* pagesOf<Id extends ListId>(
  send: Send,
  id: Id,
  input: LooseInput,
): AsyncGenerator<ResultOf<Id>, void, undefined> {
  const { offset, ...asked } = { limit: largestPage, ...input.query } as Readonly<Record<string, unknown>>
  let query: Readonly<Record<string, unknown>> = offset === undefined ? asked : { ...asked, offset }
  for (;;) {
    const { data } = await send(id, { ...input, query })
    yield data
    const { nextCursor } = data as Page
    if (nextCursor === null) return
    // Going on without a place would give the first page forever.
    if (typeof nextCursor !== 'string')
      throw new IntegrityError({ code: 'not_the_service', message: 'a list says of no page whether it is the last' })
    query = { ...asked, cursor: nextCursor }
  }
}

/** Every row of a list. Rows that arrive or go meanwhile neither repeat others nor hide them. */
export async function* itemsOf<Id extends ListId>(
  send: Send,
  id: Id,
  input: LooseInput,
): AsyncGenerator<ItemOf<Id>, void, undefined> {
  for await (const page of pagesOf(send, id, input)) yield* (page as Page).items as readonly ItemOf<Id>[]
}
