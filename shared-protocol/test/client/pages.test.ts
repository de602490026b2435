import { describe, expect, it } from 'vitest'
import { createIntegrityClient } from '../../client/src/index.ts'
import { ok } from './test-runtime.ts'

/** A list that newest rows join at the head, and what is done to it after each page. */
const listing = (rows: string[], after: (page: number) => void = () => undefined) => {
  const asked: { limit: number; offset: number }[] = []
  const fetch = async (url: string): Promise<Response> => {
    const { searchParams } = new URL(url)
    const [limit, offset] = [Number(searchParams.get('limit')), Number(searchParams.get('offset'))]
    asked.push({ limit, offset })
    const items = rows.slice(offset, offset + limit).map((id) => ({ id }))
    const answer = ok({ items, total: rows.length, limit, offset })
    after(asked.length)
    return answer
  }
  return { client: createIntegrityClient({ baseUrl: 'https://service.test', fetch }), asked }
}
const names = (count: number) => Array.from({ length: count }, (_, n) => `row-${n}`)
const collect = async (items: AsyncIterable<{ readonly id: string }>) => {
  const ids: string[] = []
  for await (const { id } of items) ids.push(id)
  return ids
}

describe('iterating over a list', () => {
  it('gives every row once, in as few requests as there are pages', async () => {
    for (const count of [0, 1, 9, 10, 11, 25]) {
      const { client, asked } = listing(names(count))
      expect(await collect(client.items('sessions.list', { query: { limit: 10 } }))).toEqual(names(count))
      expect(asked).toHaveLength(Math.max(1, Math.ceil(count / 10)))
    }
  })

  it('begins at the offset that is asked for, with pages of 100', async () => {
    const { client, asked } = listing(names(150))
    expect(await collect(client.items('sessions.list', { query: { offset: 20 } }))).toEqual(names(150).slice(20))
    expect(asked).toEqual([
      { limit: 100, offset: 20 },
      { limit: 100, offset: 120 },
    ])
  })

  it('gives no row twice while others arrive at the head', async () => {
    const rows = names(30)
    const { client } = listing(rows, (page) => page < 4 && rows.unshift(`new-${page}-a`, `new-${page}-b`))
    expect(await collect(client.items('sessions.list', { query: { limit: 10 } }))).toEqual(names(30))
  })

  it('passes over no row while others before it go away', async () => {
    const rows = names(30)
    const { client } = listing(rows, (page) => page === 1 && rows.splice(2, 3))
    expect(await collect(client.items('sessions.list', { query: { limit: 10 } }))).toEqual(names(30))
  })

  it('ends at an empty page whatever the total says, and stops asking when its reader stops', async () => {
    const fetch = async () => ok({ items: [], total: 5, limit: 10, offset: 0 })
    const client = createIntegrityClient({ baseUrl: 'https://service.test', fetch })
    expect(await collect(client.items('sessions.list'))).toEqual([])
    const { client: long, asked } = listing(names(100))
    for await (const { id } of long.items('sessions.list', { query: { limit: 10 } })) if (id === 'row-12') break
    expect(asked).toHaveLength(2)
  })

  it('gives whole pages too', async () => {
    const { client } = listing(names(25))
    const sizes: number[] = []
    for await (const page of client.pages('sessions.list', { query: { limit: 10 } })) sizes.push(page.items.length)
    expect(sizes).toEqual([10, 10, 5])
  })
})
