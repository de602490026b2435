import { randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { AgeError } from './age-error.ts'
import { chunkBytes, openChunk, openRange, payloadKey, payloadSize, plainSize, sealChunks } from './age-stream.ts'

const key = payloadKey(randomBytes(16), randomBytes(16))

describe('payload sizes', () => {
  it('are those of the format at every edge', () => {
    expect([0, 1, 65_535, 65_536, 65_537, 131_072].map(payloadSize)).toEqual([32, 33, 65_567, 65_568, 65_585, 131_120])
  })

  it('plainSize undoes payloadSize', () => {
    fc.assert(
      fc.property(fc.maxSafeNat(), (size) => {
        fc.pre(size < 2 ** 50)
        expect(plainSize(payloadSize(size))).toBe(size)
      }),
    )
  })

  it('a length that no payload has is refused: no chunk, a cut tag, a trailing empty chunk', () => {
    for (const size of [0, 16, 31, 65_568 + 1, 65_568 + 15, 65_568 + 16]) {
      expect(() => plainSize(size)).toThrow(AgeError)
    }
    expect(plainSize(65_568 + 17)).toBe(65_537)
  })
})

describe('sealing chunks', () => {
  it('in parts gives the same bytes as at once', () => {
    const plain = randomBytes(5 * chunkBytes + 99)
    const cut = 2 * chunkBytes
    const parts = [sealChunks(key, 0, plain.subarray(0, cut), false), sealChunks(key, 2, plain.subarray(cut), true)]
    expect(Buffer.concat(parts).equals(sealChunks(key, 0, plain, true))).toBe(true)
  })

  it('writes into the given buffer and no further', () => {
    const into = Buffer.alloc(chunkBytes + 100, 7)
    const sealed = sealChunks(key, 0, Buffer.alloc(chunkBytes), true, into)
    expect(sealed.buffer).toBe(into.buffer)
    expect(sealed.length).toBe(chunkBytes + 16)
    expect(into.subarray(sealed.length).equals(Buffer.alloc(84, 7))).toBe(true)
    expect(() => sealChunks(key, 0, Buffer.alloc(chunkBytes), true, Buffer.alloc(chunkBytes))).toThrow(RangeError)
  })

  it('refuses a part that ends within a chunk unless it is the last, and an empty chunk after others', () => {
    expect(() => sealChunks(key, 0, Buffer.alloc(chunkBytes - 1), false)).toThrow(RangeError)
    expect(() => sealChunks(key, 0, Buffer.alloc(0), false)).toThrow(RangeError)
    expect(() => sealChunks(key, 3, Buffer.alloc(0), true)).toThrow(RangeError)
    expect(sealChunks(key, 0, Buffer.alloc(0), true)).toHaveLength(16)
  })

  it('a chunk opens only at its own index, with its own final flag, under its own key', () => {
    const plain = randomBytes(chunkBytes)
    const sealed = sealChunks(key, 300, plain, false)
    expect(openChunk(key, 300, false, sealed).equals(plain)).toBe(true)
    const other = payloadKey(randomBytes(16), randomBytes(16))
    for (const open of [
      () => openChunk(key, 301, false, sealed),
      () => openChunk(key, 300 + 65_536, false, sealed),
      () => openChunk(key, 300, true, sealed),
      () => openChunk(other, 300, false, sealed),
      () => openChunk(key, 300, false, sealed.subarray(0, 15)),
    ]) {
      expect(open).toThrow(AgeError)
    }
  })
})

describe('reading a range', () => {
  it('reads only the chunks that the range touches', async () => {
    const plain = randomBytes(4 * chunkBytes)
    const payload = Buffer.concat([Buffer.alloc(16), sealChunks(key, 0, plain, true)])
    const reads: [number, number][] = []
    const readAt = async (offset: number, length: number) => {
      reads.push([offset, length])
      return payload.subarray(offset, offset + length)
    }
    const range = { size: plain.length, start: chunkBytes + 5, end: 2 * chunkBytes + 1 }
    const found = Buffer.concat(await Readable.from(openRange(readAt, key, range)).toArray())
    expect(found.equals(plain.subarray(range.start, range.end))).toBe(true)
    expect(reads).toEqual([[16 + 65_552, 2 * 65_552]])
  })

  it('that ends beyond the size is refused before anything is read', async () => {
    const readAt = () => Promise.reject(new Error('was read'))
    await expect(Readable.from(openRange(readAt, key, { size: 10, start: 0, end: 11 })).toArray()).rejects.toThrow(
      new AgeError('invalid_range', 'bytes 0 to 11 are not within 10'),
    )
  })

  it('a source that gives fewer bytes than its size asks for is an error', async () => {
    const short = async (_: number, length: number) => Buffer.alloc(length - 1)
    await expect(Readable.from(openRange(short, key, { size: 10, start: 0, end: 10 })).toArray()).rejects.toThrow(
      new AgeError('payload_corrupt', 'the payload is shorter than its size asks for'),
    )
  })
})
