import { randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { unzip } from '../../../test/test-support/zips.ts'
import { dataDescriptor } from './zip.ts'
import { type StreamedMember, zipStream } from './zip-stream.ts'

async function* given<T>(...items: readonly T[]): AsyncGenerator<T> {
  yield* items
}
const written = async (members: AsyncIterable<StreamedMember>): Promise<Buffer> => {
  const pieces: Buffer[] = []
  for await (const piece of zipStream(members)) pieces.push(piece)
  return Buffer.concat(pieces)
}

describe('a ZIP file that is written as it goes', () => {
  it('gives back what was put in, in its order, the empty and the large, with its checksums', async () => {
    const noise = randomBytes(300_000)
    const file = await written(
      given<StreamedMember>(
        { name: 'a/noise.webp', bytes: given(noise.subarray(0, 7), noise.subarray(7)), isSmall: true },
        { name: 'empty', bytes: given<Buffer>() },
        { name: 'text.txt', bytes: given('नमस्ते ', 'x'.repeat(100_000)) },
      ),
    )
    const members = unzip(file)
    expect([...members.keys()]).toEqual(['a/noise.webp', 'empty', 'text.txt'])
    expect(members.get('a/noise.webp')?.equals(noise)).toBe(true)
    expect(members.get('empty')).toHaveLength(0)
    expect(members.get('text.txt')?.toString()).toBe(`नमस्ते ${'x'.repeat(100_000)}`)
    expect(file.length).toBeLessThan(310_000)
  })

  it('holds nothing but what is on its way: a member is read when the one before it is written', async () => {
    let [made, atOnce] = [0, 0]
    let open = 0
    async function* bytes(): AsyncGenerator<Buffer> {
      open += 1
      atOnce = Math.max(atOnce, open)
      for (let n = 0; n < 20; n++) {
        made += 1
        yield Buffer.alloc(65_536, n)
      }
      open -= 1
    }
    async function* members(): AsyncGenerator<StreamedMember> {
      for (let n = 0; n < 10; n++) yield { name: `${n}`, bytes: bytes(), isSmall: true }
    }
    let longest = 0
    let first: number | undefined
    for await (const piece of zipStream(members())) {
      first ??= made
      longest = Math.max(longest, piece.length)
    }
    expect([first, made, atOnce]).toEqual([0, 200, 1])
    expect(longest).toBeLessThan(300_000)
  })

  it('ends without its directory when a member cannot be read to its end', async () => {
    async function* failing(): AsyncGenerator<Buffer> {
      yield Buffer.from('x')
      throw new RangeError('gone')
    }
    const pieces: Buffer[] = []
    const read = async () => {
      for await (const piece of zipStream(given<StreamedMember>({ name: 'x', bytes: failing() }))) pieces.push(piece)
    }
    await expect(read()).rejects.toThrow('gone')
    expect(Buffer.concat(pieces).includes(Buffer.from('504b0506', 'hex'))).toBe(false)
  })

  it('refuses a member that the short form has no room for', () => {
    expect(() => dataDescriptor({ name: 'x', size: 2 ** 32, crc32: 0, packed: 1 })).toThrow(RangeError)
  })
})
