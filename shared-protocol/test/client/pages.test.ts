import { describe, expect, it } from 'vitest'
import { createIntegrityClient } from '../../client/src/index.ts'
import { ok } from './test-runtime.ts'

interface Asked {
  readonly limit: number
  readonly offset: number
  readonly cursor?: string
}

/** A list that newest rows join at the head, and what is done to it after each page. Its cursors are names of rows. */
const listing = (rows: string[], after: (page: number) => void = () => undefined) => {
  const asked: Asked[] = []
  const fetch = async (url: string): Promise<Response> => {
    const { searchParams } = new URL(url)
    const [limit, offset] = [Number(searchParams.get('limit')), Number(searchParams.get('offset'))]
    const cursor = searchParams.get('cursor')
    asked.push({ limit, offset, ...(cursor !== null && { cursor }) })
    const rest = cursor === null ? rows.slice(offset) : rows.slice(rows.indexOf(cursor) + 1)
    const page = rest.slice(0, limit)
    const nextCursor = rest.length > limit ? (page.at(-1) ?? null) : null
    const answer = ok({ items: page.map((id) => ({ id })), total: rows.length, limit, offset, nextCursor })
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

  it('ends with an error where a page does not say whether it is the last', async () => {
    const fetch = async () => ok({ items: [{ id: 'a' }], total: 2, limit: 100, offset: 0 })
    const client = createIntegrityClient({ baseUrl: 'https://service.test', apiKey: 'k', fetch })
    await expect(collect(client.items('sessions.list'))).rejects.toMatchObject({ code: 'not_the_service' })
  })

  it('begins at the offset that is asked for, with pages of 100', async () => {
    const { client, asked } = listing(names(150))
    expect(await collect(client.items('sessions.list', { query: { offset: 20 } }))).toEqual(names(150).slice(20))
    expect(asked).toEqual([
      { limit: 100, offset: 20 },
      { limit: 100, offset: 0, cursor: 'row-119' },
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

  it('stops asking when its reader stops', async () => {
    const { client, asked } = listing(names(100))
    for await (const { id } of client.items('sessions.list', { query: { limit: 10 } })) if (id === 'row-12') break
    expect(asked).toHaveLength(2)
  })

  it('gives whole pages too', async () => {
    const { client } = listing(names(25))
    const sizes: number[] = []
    for await (const page of client.pages('sessions.list', { query: { limit: 10 } })) sizes.push(page.items.length)
    expect(sizes).toEqual([10, 10, 5])
  })
})
