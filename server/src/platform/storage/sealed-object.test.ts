import { createHash, randomBytes } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { AgeError, type AgeErrorCode } from '../crypto/age-error.ts'
import { generateIdentity } from '../crypto/age-keys.ts'
import { chunkBytes, chunkOffset, payloadSize, sealedChunkBytes } from '../crypto/age-stream.ts'
import { LocalStore } from './local.store.ts'
import { pieces, readWhole, refusal } from './place.conformance.ts'
import { openSealed, sealWhole } from './sealed-object.ts'

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')
const failure = (...codes: AgeErrorCode[]) =>
  expect.toSatisfy((error: unknown) => error instanceof AgeError && codes.includes(error.code), codes.join(' or '))

describe('sealed objects', () => {
  let root: string
  let store: LocalStore
  let count = 0
  const identity = generateIdentity()
  const newKey = () => `org_a/evd_${count++}`

  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'sealed-object-'))
    store = new LocalStore(root)
  })
  afterEach(() => rm(root, { recursive: true }))

  const seal = async (bytes: Buffer, pieceBytes?: number) => {
    const key = newKey()
    const options = { store, key, size: bytes.length, recipients: [identity.recipient] }
    return { key, ...(await sealWhole(pieces(bytes, pieceBytes), options)) }
  }
  const open = async (header: string, key: string, range: { sizeBytes: number; start?: number; end?: number }) =>
    Buffer.concat(await Readable.from(openSealed(header, identity, store, key, range)).toArray())
  const putRaw = async (payload: Buffer): Promise<string> => {
    const key = newKey()
    await store.put(key, pieces(payload, 1 << 20), { size: payload.length })
    return key
  }

  it.each([0, 1, 65_535, 65_536, 65_537, 1_048_576, 1_048_577, 2_500_000])(
    'gives back exactly the %i bytes that were sealed',
    async (size) => {
      const bytes = randomBytes(size)
      const sealed = await seal(bytes, 40_000)
      expect(sealed).toMatchObject({ sha256: sha256(bytes), sizeBytes: size })
      expect((await open(sealed.header, sealed.key, { sizeBytes: size })).equals(bytes)).toBe(true)
    },
  )

  it('any range gives exactly the bytes of that range', async () => {
    const size = 1_300_000
    const bytes = randomBytes(size)
    const { header, key } = await seal(bytes)
    const edge = fc.oneof(
      fc.integer({ min: 0, max: size }),
      fc.constantFrom(0, 65_535, 65_536, 65_537, 1_048_576, size),
    )
    await fc.assert(
      fc.asyncProperty(edge, edge, async (a, b) => {
        const range = { sizeBytes: size, start: Math.min(a, b), end: Math.max(a, b) }
        const found = await open(header, key, range)
        expect(found.equals(bytes.subarray(range.start, range.end))).toBe(true)
      }),
      { numRuns: 40 },
    )
  })

  it('a range outside the object is refused', async () => {
    const { header, key } = await seal(Buffer.alloc(10))
    for (const [start, end] of [
      [0, 11],
      [5, 4],
      [-1, 3],
      [0.5, 3],
    ] as const) {
      await expect(open(header, key, { sizeBytes: 10, start, end })).rejects.toEqual(failure('invalid_range'))
    }
  })

  it('the stored bytes hold nothing of the plaintext, and two seals of the same bytes differ', async () => {
    const bytes = Buffer.alloc(5000, 'the candidate said')
    const [a, b] = [await seal(bytes), await seal(bytes)]
    const stored = [await readWhole(store, a.key), await readWhole(store, b.key)]
    expect(stored[0]!.includes('candidate')).toBe(false)
    expect(stored[0]!.equals(stored[1]!)).toBe(false)
  })

  it.each([
    ['more', 9],
    ['fewer', 11],
  ])('%s bytes than declared are refused and nothing is left', async (_, size) => {
    const options = { store, key: newKey(), size, recipients: [identity.recipient] }
    await expect(sealWhole(pieces(Buffer.alloc(10)), options)).rejects.toEqual(refusal('size_mismatch'))
    expect(await store.exists(options.key)).toBe(false)
  })

  it('other bytes than the declared sha256 are refused and nothing is left', async () => {
    const options = { store, key: newKey(), size: 3, recipients: [identity.recipient] }
    const wrong = sealWhole(pieces(Buffer.from('abd')), { ...options, expectedSha256: sha256(Buffer.from('abc')) })
    await expect(wrong).rejects.toEqual(refusal('digest_mismatch'))
    expect((await readdir(root, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile())).toEqual(
      [],
    )
    await sealWhole(pieces(Buffer.from('abc')), { ...options, expectedSha256: sha256(Buffer.from('abc')) })
  })

  describe('bytes changed in the store', () => {
    const size = 3 * chunkBytes + 1234
    const bytes = randomBytes(size)
    let header: string
    let payload: Buffer
    beforeEach(async () => {
      const sealed = await seal(bytes)
      header = sealed.header
      payload = await readWhole(store, sealed.key)
    })

    /** Everything given out before the error must be the true beginning: changed content is never given out. */
    const expectNeverContent = async (changed: Buffer, ...codes: AgeErrorCode[]): Promise<void> => {
      const key = await putRaw(changed)
      let given = 0
      const reading = (async () => {
        for await (const piece of openSealed(header, identity, store, key, { sizeBytes: size })) {
          expect(piece.equals(bytes.subarray(given, given + piece.length))).toBe(true)
          given += piece.length
        }
      })()
      await expect(reading).rejects.toEqual(failure(...codes))
    }

    it('a flip of any bit of any byte is an error, never content', async () => {
      const places = fc.integer({ min: 0, max: payloadSize(size) - 1 })
      await fc.assert(
        fc.asyncProperty(places, fc.integer({ min: 0, max: 7 }), async (at, bit) => {
          const changed = Buffer.from(payload)
          changed[at]! ^= 1 << bit
          await expectNeverContent(changed, 'payload_corrupt')
        }),
        { numRuns: 60 },
      )
    })

    it('an object cut at any place, chunk boundaries included, is an error', async () => {
      const cuts = [0, 15, 16, chunkOffset(1), chunkOffset(2), chunkOffset(3), payload.length - 1]
      for (const cut of cuts) await expectNeverContent(payload.subarray(0, cut), 'payload_size')
      await expectNeverContent(Buffer.concat([payload, Buffer.alloc(1)]), 'payload_size')
    })

    it('an object cut at a chunk boundary is an error even for a reader that believes the shorter size', async () => {
      for (let chunks = 1; chunks <= 3; chunks++) {
        const key = await putRaw(payload.subarray(0, chunkOffset(chunks)))
        const read = open(header, key, { sizeBytes: chunks * chunkBytes })
        await expect(read).rejects.toEqual(failure('payload_corrupt'))
      }
    })

    it('any two chunks swapped are an error', async () => {
      for (const [a, b] of [
        [0, 1],
        [1, 2],
        [0, 2],
      ] as const) {
        const changed = Buffer.from(payload)
        payload.copy(changed, chunkOffset(a), chunkOffset(b), chunkOffset(b) + sealedChunkBytes)
        payload.copy(changed, chunkOffset(b), chunkOffset(a), chunkOffset(a) + sealedChunkBytes)
        await expectNeverContent(changed, 'payload_corrupt')
      }
    })

    it('a chunk of another object, and the whole payload of another object, are errors', async () => {
      const other = await readWhole(store, (await seal(randomBytes(size))).key)
      const spliced = Buffer.from(payload)
      other.copy(spliced, chunkOffset(1), chunkOffset(1), chunkOffset(2))
      await expectNeverContent(spliced, 'payload_corrupt')
      await expectNeverContent(other, 'payload_corrupt')
    })

    it('a range is spared by damage elsewhere and refused by damage within', async () => {
      const changed = Buffer.from(payload)
      changed[chunkOffset(2) + 100]! ^= 1
      const key = await putRaw(changed)
      const range = (start: number, end: number) => open(header, key, { sizeBytes: size, start, end })
      expect((await range(10, 70_000)).equals(bytes.subarray(10, 70_000))).toBe(true)
      await expect(range(2 * chunkBytes, 2 * chunkBytes + 1)).rejects.toEqual(failure('payload_corrupt'))
    })
  })

  it('a wrong size in the row, another identity, and a missing object are errors', async () => {
    const { header, key } = await seal(Buffer.alloc(100))
    await expect(open(header, key, { sizeBytes: 99 })).rejects.toEqual(failure('payload_size'))
    const stranger = Readable.from(openSealed(header, generateIdentity(), store, key, { sizeBytes: 100 })).toArray()
    await expect(stranger).rejects.toEqual(failure('no_matching_identity'))
    await store.remove(key)
    await expect(open(header, key, { sizeBytes: 100 })).rejects.toEqual(refusal('not_found'))
  })

  it('a reader that stops early leaves no file open', async () => {
    const { header, key } = await seal(randomBytes(200_000))
    let opened = 0
    const real = store.open.bind(store)
    store.open = async (wanted) => {
      const reader = await real(wanted)
      opened++
      return { ...reader, close: () => reader.close().then(() => void opened--) }
    }
    for await (const piece of openSealed(header, identity, store, key, { sizeBytes: 200_000 })) {
      expect(piece.length).toBe(chunkBytes)
      expect(opened).toBe(1)
      break
    }
    expect(opened).toBe(0)
  })

  it('header and stored payload are kept apart: no file holds the header', async () => {
    const { key } = await seal(Buffer.from('x'))
    expect((await readWhole(store, key)).includes('age-encryption.org')).toBe(false)
    for (const entry of await readdir(root, { recursive: true, withFileTypes: true })) {
      if (!entry.isFile()) continue
      expect((await readFile(join(entry.parentPath, entry.name))).includes('X25519')).toBe(false)
    }
  })
})
