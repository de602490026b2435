import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { joinFrames } from '../../client/src/generated/join-frames.ts'
import { createIntegrityClient, type PackItem } from '../../client/src/index.ts'
import { splitFrames } from '../../src/core/frames.ts'
import { createTestRuntime, ok, refused } from './test-runtime.ts'

interface Vectors {
  readonly frames: readonly {
    readonly name: string
    readonly items: readonly { readonly head: object; readonly bodyHex: string }[]
    readonly hex: string
  }[]
}
const vectors = JSON.parse(readFileSync(new URL('../../vectors/pack-frames.json', import.meta.url), 'utf8')) as Vectors
const encoded = (head: object) => new TextEncoder().encode(JSON.stringify(head))

/** A service that stores every item of a pack but those that are not pictures; `answer` comes first. */
const service = (answers: (() => Response | undefined)[] = []) => {
  const packs: { head: Record<string, unknown>; body: string }[][] = []
  const types: (string | null)[] = []
  const fetch = async (_url: string, init: RequestInit): Promise<Response> => {
    const headers = new Headers(init.headers)
    types.push(headers.get('content-type'))
    const frames = splitFrames(init.body as Uint8Array, { frames: 64, headBytes: 32_768 })
    const read = frames.map(({ head, body }) => ({
      head: JSON.parse(new TextDecoder().decode(head)) as Record<string, unknown>,
      body: Buffer.from(body).toString('latin1'),
    }))
    packs.push(read)
    const first = answers.shift()?.()
    if (first) return first
    const items = read.map(({ head }) => ({ clientId: head['clientId'], status: 'stored', evidence: { id: 'evd_1' } }))
    return ok({ items })
  }
  const client = createIntegrityClient({ baseUrl: 'https://service.test', fetch, runtime: createTestRuntime() })
  return { client, packs, types }
}

const item = (text: string, more: Partial<PackItem> = {}): PackItem =>
  ({
    evidenceType: 'screenshot',
    contentType: 'image/webp',
    capturedAt: '2027-01-01T00:00:00.000Z',
    bytes: Buffer.from(text, 'latin1'),
    ...more,
  }) as PackItem

describe('packs.send', () => {
  it.each(vectors.frames)('frames as the vectors have it: $name', ({ items, hex }) => {
    const frames = items.map(({ head, bodyHex }) => ({ head: encoded(head), body: Buffer.from(bodyHex, 'hex') }))
    expect(Buffer.from(joinFrames(frames)).toString('hex')).toBe(hex)
  })

  it('sends what is said of each item with its hash, its own id, small picture and levels', async () => {
    const { client, packs, types } = service()
    const small = Buffer.from([1, 2, 255])
    const items = [item('one'), item('two', { clientId: 'own-id-0002', small })]
    const outcomes = await client.packs.send({ sessionId: 'ses_1', items })
    const sha256 = createHash('sha256').update('one').digest('hex')
    expect(types).toEqual(['application/vnd.integrity.pack'])
    expect(packs[0]).toMatchObject([
      { head: { evidenceType: 'screenshot', sha256, clientId: sha256 }, body: 'one' },
      { head: { clientId: 'own-id-0002', small: small.toString('base64') }, body: 'two' },
    ])
    expect(packs[0]![0]!.head).not.toHaveProperty('bytes')
    expect(outcomes.map(({ clientId }) => clientId)).toEqual([sha256, 'own-id-0002'])
  })

  it('takes as few requests as the limits allow, and keeps the order', async () => {
    const { client, packs } = service()
    const large = 'x'.repeat(5 * 1024 * 1024)
    const items = [...Array.from({ length: 70 }, (_, n) => item(`item ${n}`)), item(large), item(`${large}y`)]
    const outcomes = await client.packs.send({ sessionId: 'ses_1', items })
    expect(packs.map((pack) => pack.length)).toEqual([64, 7, 1])
    expect(outcomes).toHaveLength(72)
    expect(packs.flat().map(({ body }) => body.slice(0, 7))).toEqual(
      items.map(({ bytes }) => Buffer.from(bytes.subarray(0, 7)).toString('latin1')),
    )
  })

  it('sends nothing where there is nothing, and says which item is too large before anything is sent', async () => {
    const { client, packs } = service()
    expect(await client.packs.send({ sessionId: 'ses_1', items: [] })).toEqual([])
    const items = [item('one'), item('x'.repeat(8 * 1024 * 1024))]
    await expect(client.packs.send({ sessionId: 'ses_1', items })).rejects.toThrow(RangeError)
    expect(packs).toEqual([])
  })

  it('sends the same pack again after an answer that got lost, and stops at a refusal of the whole', async () => {
    const busy = () => refused(503, 'service_unavailable')
    const { client, packs } = service([busy, () => undefined, () => refused(400, 'invalid_request')])
    const outcomes = await client.packs.send({ sessionId: 'ses_1', items: [item('one')] })
    expect(outcomes).toMatchObject([{ status: 'stored' }])
    expect(packs).toHaveLength(2)
    expect(packs[1]).toEqual(packs[0])
    await expect(client.packs.send({ sessionId: 'ses_1', items: [item('two')] })).rejects.toMatchObject({ status: 400 })
  })
})
