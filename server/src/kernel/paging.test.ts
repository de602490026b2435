import { describe, expect, it } from 'vitest'
import { type List, readPage, type Stretch } from './paging.ts'

const rows = 100_000

/** Numbers from one on, and how often it was asked for some. */
const numbers = (dense: boolean) => {
  const asked: Stretch[] = []
  const list: List<number> = {
    of: ['numbers'],
    kinds: ['number'],
    keyOf: (n) => [n],
    dense,
    fetch: (stretch) => {
      asked.push(stretch)
      const first = Number(stretch.after?.[0] ?? 0) + stretch.skip + 1
      const take = Math.max(0, Math.min(stretch.take, rows - first + 1))
      return Promise.resolve(Array.from({ length: take }, (_, n) => first + n))
    },
  }
  return { list, asked }
}

describe('a page far from the beginning', () => {
  it('is the same, and leads on to the same, whether its offset is subtracted or walked to', async () => {
    const pages = [true, false].map((dense) => readPage(numbers(dense).list, { limit: 10, offset: 98_765 }))
    const [subtracted, walked] = await Promise.all(pages)
    expect(subtracted).toEqual(walked)
    expect(subtracted?.rows[0]).toBe(98_766)
    const more = { limit: 10, offset: 0, cursor: subtracted?.nextCursor ?? '' }
    expect((await readPage(numbers(true).list, more)).rows[0]).toBe(98_776)
  })

  it('is asked for at once where the offset is a subtraction, and walked to in short steps elsewhere', async () => {
    const [dense, other] = [numbers(true), numbers(false)]
    await readPage(dense.list, { limit: 10, offset: 98_765 })
    await readPage(other.list, { limit: 10, offset: 98_765 })
    expect(dense.asked).toEqual([{ after: undefined, skip: 98_765, take: 11 }])
    expect(other.asked.length).toBe(50)
    expect(Math.max(...other.asked.map(({ skip }) => skip))).toBeLessThan(2_000)
  })
})
