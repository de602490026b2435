import { setImmediate as nextTurn } from 'node:timers/promises'

/** A list as the last member so far of a JSON document, an item a line, in pieces of a page. */
export async function* jsonList(name: string, pages: AsyncIterable<readonly unknown[]>): AsyncGenerator<string> {
  let separator = '\n    '
  yield `,\n  ${JSON.stringify(name)}: [`
  for await (const page of pages) {
    if (page.length === 0) continue
    yield separator + page.map((item) => JSON.stringify(item)).join(',\n    ')
    separator = ',\n    '
  }
  yield '\n  ]'
}

/** The beginning of a JSON document, which is open for lists. */
export const jsonHead = (head: object): string => JSON.stringify(head, null, 2).replace(/\n\}$/, '')
/** The text of one more member of a JSON document that is written in parts. */
export const jsonMember = (name: string, value: unknown): string =>
  `,\n  ${JSON.stringify(name)}: ${JSON.stringify(value)}`
export const jsonEnd = '\n}\n'

/** So many items are written in one turn: others have theirs between, however long an item is. */
const atOnce = 50

export async function* mappedPages<T>(
  pages: AsyncIterable<readonly T[]>,
  view: (item: T) => unknown,
): AsyncGenerator<unknown[]> {
  for await (const page of pages)
    for (let n = 0; n < page.length; n += atOnce) {
      yield page.slice(n, n + atOnce).map(view)
      await nextTurn()
    }
}
