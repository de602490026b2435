import { once } from 'node:events'
import { connect } from 'node:net'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { buildItem } from '../../../test/test-support/film-fixtures.ts'
import { isSelfContained } from './item-bytes.ts'
import { ItemServer } from './item-server.ts'

const bytes = Buffer.from(Array.from({ length: 200_000 }, (_, index) => index % 251))
const errors: unknown[] = []
let server: ItemServer
beforeEach(async () => {
  errors.length = 0
  server = await ItemServer.start((error) => errors.push(error))
})
afterEach(() => server.stop())

const get = async (url: string, range?: string, method = 'GET') => {
  const answer = await fetch(url, { method, headers: range ? { range } : {} })
  return { status: answer.status, headers: answer.headers, body: Buffer.from(await answer.arrayBuffer()) }
}

describe('the server of plain bytes', () => {
  it('gives all bytes, or the range that is asked for', async () => {
    const { url } = server.offer(buildItem('clip', [0, 1], bytes))
    expect((await get(url)).body.equals(bytes)).toBe(true)
    const part = await get(url, 'bytes=100000-100009')
    expect(part.status).toBe(206)
    expect(part.headers.get('content-range')).toBe('bytes 100000-100009/200000')
    expect(part.body.equals(bytes.subarray(100_000, 100_010))).toBe(true)
    expect((await get(url, 'bytes=199990-')).body.equals(bytes.subarray(199_990))).toBe(true)
    expect((await get(url, 'bytes=200000-')).status).toBe(416)
  })

  it('knows no other path, no other method, and none that was withdrawn', async () => {
    const offer = server.offer(buildItem('clip', [0, 1], bytes))
    expect(new URL(offer.url).pathname).toMatch(/^\/[0-9a-f]{64}$/)
    expect((await get(new URL('/', offer.url).href)).status).toBe(404)
    expect((await get(`${offer.url}0`)).status).toBe(404)
    expect((await get(offer.url, undefined, 'POST')).status).toBe(404)
    offer.withdraw()
    expect((await get(offer.url)).status).toBe(404)
  })

  it('passes on why an item cannot be read, and not that a reader went away', async () => {
    const cause = new Error('the store is away')
    const broken = buildItem('clip', [0, 1], bytes, {
      read: async function* () {
        yield bytes.subarray(0, 10)
        throw cause
      },
    })
    await expect(get(server.offer(broken).url)).rejects.toThrow()
    expect(errors).toEqual([cause])

    let closed = false
    const long = buildItem('clip', [0, 1], Buffer.alloc(50_000_000), {
      read: async function* () {
        try {
          for (let n = 0; n < 50; n++) yield Buffer.alloc(1_000_000)
        } finally {
          closed = true
        }
      },
    })
    const { port, pathname } = new URL(server.offer(long).url)
    const socket = connect(Number(port), '127.0.0.1')
    socket.write(`GET ${pathname} HTTP/1.1\r\nHost: x\r\n\r\n`)
    await once(socket, 'data')
    socket.destroy()
    await server.stop()
    await expect.poll(() => closed).toBe(true)
    expect(errors).toEqual([cause])
    server = await ItemServer.start(() => undefined)
  })
})

describe('isSelfContained', () => {
  it.each([
    ['an HLS play list', '#EXTM3U\n#EXT-X-VERSION:3\n'],
    ['a list of files', 'ffconcat version 1.0\nfile x'],
    ['a session description', 'v=0\r\no=- 0 0 IN IP4 '],
    ['nothing', ''],
    ['an AVI', 'RIFF\0\0\0\0AVI LIST'],
  ])('refuses %s', (_, head) => {
    expect(isSelfContained(Buffer.from(head, 'latin1'))).toBe(false)
  })
  it.each([
    ['MP4', '\0\0\0\x20ftypisom'],
    ['old QuickTime', '\0\0\0\x20mdat'],
    ['WebM', '\x1a\x45\xdf\xa3'],
    ['Ogg', 'OggS\0'],
    ['WAVE', 'RIFF\0\0\0\0WAVEfmt '],
  ])('takes %s', (_, head) => {
    expect(isSelfContained(Buffer.from(head, 'latin1'))).toBe(true)
  })
})
