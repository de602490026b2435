import { createHash, randomBytes } from 'node:crypto'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { AgeError } from '../crypto/age-error.ts'
import { generateIdentity } from '../crypto/age-keys.ts'
import { chunkBytes, payloadSize } from '../crypto/age-stream.ts'
import { BufferPool } from './buffer-pool.ts'
import { LocalStore } from './local.store.ts'
import { refusal } from './place.conformance.ts'
import { openSealed } from './sealed-object.ts'
import { SealedUpload } from './sealed-upload.ts'
import { type ObjectStore, StorageError } from './types.ts'

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')
const objectKey = 'org_a/evd_1'
const partBytes = 2 * chunkBytes
const objectBytes = 2 * partBytes + 70_000

describe('an upload in sealed parts', () => {
  let root: string
  const identity = generateIdentity()
  const bytes = randomBytes(objectBytes)
  const part = (index: number) => bytes.subarray(index * partBytes, (index + 1) * partBytes)
  const place = (store: ObjectStore = new LocalStore(root), size = objectBytes) => {
    return { store, key: objectKey, size, partSize: partBytes, buffers: new BufferPool(partBytes + 1024, 2) }
  }
  const begin = () => SealedUpload.begin({ ...place(), recipients: [identity.recipient] })
  const resume = (upload: SealedUpload, store?: ObjectStore) =>
    SealedUpload.resume({ ...place(store), state: upload.state, identity })
  const write = (upload: SealedUpload, index: number) => upload.writePart(index, part(index), sha256(part(index)))
  const content = async (header: string) =>
    Buffer.concat(
      await Readable.from(
        openSealed(header, identity, new LocalStore(root), objectKey, { sizeBytes: objectBytes }),
      ).toArray(),
    )
  const files = async () =>
    (await readdir(root, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile())

  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'sealed-upload-'))
  })
  afterEach(() => rm(root, { recursive: true }))

  it('parts sent at once and out of order make the object', async () => {
    const upload = await begin()
    expect(upload.partCount).toBe(3)
    await Promise.all([2, 0, 1].map((index) => write(upload, index)))
    expect(await upload.verifyTotal()).toBe(sha256(bytes))
    await upload.finish()
    await upload.finish()
    expect((await content(upload.state.header)).equals(bytes)).toBe(true)
    expect(await files()).toHaveLength(1)
  })

  it('goes on after a restart before every step', async () => {
    let upload = await begin()
    for (const index of [1, 2, 0]) {
      await write(upload, index)
      await upload.close()
      upload = await resume(upload)
    }
    expect(await upload.verifyTotal()).toBe(sha256(bytes))
    await upload.close()
    await (await resume(upload)).finish()
    // Killed before its row was written: complete is asked for again.
    upload = await resume(upload)
    await write(upload, 1)
    expect(await upload.verifyTotal()).toBe(sha256(bytes))
    await upload.finish()
    expect((await content(upload.state.header)).equals(bytes)).toBe(true)
  })

  it('the same part again is a no-op; another sha256 for its index is a conflict', async () => {
    const upload = await begin()
    await write(upload, 0)
    await write(upload, 0)
    const other = randomBytes(partBytes)
    await expect(upload.writePart(0, other, sha256(other))).rejects.toEqual(refusal('conflict'))
    await write(upload, 1)
    await write(upload, 2)
    expect(await upload.verifyTotal()).toBe(sha256(bytes))
    await upload.close()
  })

  it('of two different parts sent at once for one index only one is ever sealed', async () => {
    const upload = await begin()
    const other = randomBytes(partBytes)
    const results = await Promise.allSettled([write(upload, 0), upload.writePart(0, other, sha256(other))])
    expect(results.map((result) => result.status)).toEqual(['fulfilled', 'rejected'])
    await write(upload, 1)
    await write(upload, 2)
    expect(await upload.verifyTotal()).toBe(sha256(bytes))
    await upload.close()
  })

  it('after a restart bytes that differ from those on the disk are never sealed over them', async () => {
    const first = await begin()
    await write(first, 1)
    await first.close()
    const later = await resume(first)
    const other = Buffer.from(part(1))
    other[partBytes - 1]! ^= 1
    await expect(later.writePart(1, other, sha256(other))).rejects.toEqual(refusal('conflict'))
    await write(later, 1)
    await write(later, 0)
    await write(later, 2)
    expect(await later.verifyTotal()).toBe(sha256(bytes))
    await later.close()
  })

  it('bytes that another process sealed meanwhile are never sealed over with different ones', async () => {
    const first = await begin()
    await write(first, 0)
    const second = await resume(first)
    await write(second, 1)
    const other = randomBytes(partBytes)
    await expect(first.writePart(1, other, sha256(other))).rejects.toEqual(refusal('conflict'))
    await write(first, 1)
    await write(first, 2)
    expect(await first.verifyTotal()).toBe(sha256(bytes))
    await first.close()
    await second.close()
  })

  it('the whole is hashed from what comes; only parts far out of their turn are read back at the end', async () => {
    const store = new LocalStore(root)
    const open = store.openSegmented.bind(store)
    let readBack = 0
    store.openSegmented = async (key, options) => {
      const segment = await open(key, options)
      const read = segment.read.bind(segment)
      segment.read = (offset, length, into) => {
        if (length > chunkBytes) readBack++
        return read(offset, length, into)
      }
      return segment
    }
    const many = { ...place(store), size: 8 * chunkBytes, partSize: chunkBytes }
    const plain = randomBytes(many.size)
    const readsOf = async (order: readonly number[]) => {
      const upload = await SealedUpload.begin({ ...many, recipients: [identity.recipient] })
      const piece = (index: number) => plain.subarray(index * chunkBytes, (index + 1) * chunkBytes)
      readBack = 0
      for (const index of order) await upload.writePart(index, piece(index), sha256(piece(index)))
      const meanwhile = readBack
      expect(await upload.verifyTotal()).toBe(sha256(plain))
      await upload.discard()
      return { meanwhile, atTheEnd: readBack - meanwhile }
    }
    expect(await readsOf([0, 1, 2, 3, 4, 5, 6, 7])).toEqual({ meanwhile: 0, atTheEnd: 0 })
    expect(await readsOf([1, 0, 3, 2, 5, 4, 7, 6])).toEqual({ meanwhile: 4, atTheEnd: 0 })
    expect(await readsOf([2, 1, 0, 3, 4, 7, 6, 5])).toEqual({ meanwhile: 4, atTheEnd: 0 })
    expect(await readsOf([7, 6, 5, 4, 3, 2, 1, 0])).toEqual({ meanwhile: 2, atTheEnd: 5 })
  })

  it.each([
    [0, 1, 2],
    [2, 1, 0],
  ])('goes on from the hashes that its parts came with (%i, %i, %i), and leaves them as they are', async (...order) => {
    const upload = await begin()
    const hashes = order.map((index) => createHash('sha256').update(part(index)))
    for (const [n, index] of order.entries()) await upload.writePart(index, part(index), sha256(part(index)), hashes[n])
    expect(await upload.verifyTotal()).toBe(sha256(Buffer.concat([part(0), part(1), part(2)])))
    expect(hashes.map((hash) => hash.digest('hex'))).toEqual(order.map((index) => sha256(part(index))))
    await upload.discard()
  })

  it('a part that cannot be read back in its turn is found at the end', async () => {
    const upload = await begin()
    await write(upload, 1)
    const segment = await new LocalStore(root).openSegmented(objectKey, { size: payloadSize(objectBytes) })
    await segment.writeAt(payloadSize(partBytes) + 100, [Buffer.from('not what was sealed')])
    await segment.close()
    await write(upload, 0)
    await write(upload, 2)
    await expect(upload.verifyTotal()).rejects.toThrow(AgeError)
    await upload.close()
  })

  it('a part of many pieces is the same as its chunks sealed at once, whatever was there', async () => {
    const long = { ...place(), size: 40 * chunkBytes + 5, partSize: 40 * chunkBytes, buffers: new BufferPool(1, 0) }
    const plain = randomBytes(long.size)
    const pieces = [plain.subarray(0, long.partSize), plain.subarray(long.partSize)]
    let upload = await SealedUpload.begin({ ...long, recipients: [identity.recipient] })
    await upload.writePart(0, pieces[0]!, sha256(pieces[0]!))
    await upload.close()
    upload = await SealedUpload.resume({ ...long, state: upload.state, identity })
    for (const index of [0, 1]) await upload.writePart(index, pieces[index]!, sha256(pieces[index]!))
    expect(await upload.verifyTotal()).toBe(sha256(plain))
    await upload.finish()
    const opened = openSealed(upload.state.header, identity, new LocalStore(root), objectKey, { sizeBytes: long.size })
    expect(Buffer.concat(await Readable.from(opened).toArray()).equals(plain)).toBe(true)
  })

  it('a part of which one piece could not be written is refused when the others are through, and can be sent again', async () => {
    const store = new LocalStore(root)
    const open = store.openSegmented.bind(store)
    let left = 1
    store.openSegmented = async (key, options) => {
      const segment = await open(key, options)
      const writeAt = segment.writeAt.bind(segment)
      segment.writeAt = (...bytes) => (left-- === 1 ? Promise.reject(new Error('ENOSPC')) : writeAt(...bytes))
      return segment
    }
    const long = { ...place(store), size: 40 * chunkBytes, partSize: 40 * chunkBytes }
    const plain = randomBytes(long.size)
    const upload = await SealedUpload.begin({ ...long, recipients: [identity.recipient] })
    await expect(upload.writePart(0, plain, sha256(plain))).rejects.toThrow('ENOSPC')
    expect(left).toBe(-1)
    await upload.writePart(0, plain, sha256(plain))
    expect(await upload.verifyTotal()).toBe(sha256(plain))
    await upload.finish()
  })

  it('a part that a kill left half written can be sent again, and only that part', async () => {
    const torn = await begin()
    await write(torn, 0)
    await torn.close()
    const store = new LocalStore(root)
    const segment = await store.openSegmented(objectKey, { size: payloadSize(objectBytes) })
    // As if only the first 70,000 bytes had come through.
    await segment.writeAt(70_000, [Buffer.alloc(partBytes + 48 - 70_000)])
    await segment.close()
    const later = await resume(torn)
    const other = randomBytes(partBytes)
    await expect(later.writePart(0, other, sha256(other))).rejects.toEqual(refusal('conflict'))
    for (const index of [0, 1, 2]) await write(later, index)
    expect(await later.verifyTotal()).toBe(sha256(bytes))
    await later.close()
  })

  it('a part whose write failed is not taken for written and can be sent again', async () => {
    const store = new LocalStore(root)
    let broken = false
    const open = store.openSegmented.bind(store)
    store.openSegmented = async (key, options) => {
      const segment = await open(key, options)
      const sync = segment.sync.bind(segment)
      segment.sync = () => (broken ? Promise.reject(new Error('ENOSPC')) : sync())
      return segment
    }
    const upload = await SealedUpload.begin({ ...place(store), recipients: [identity.recipient] })
    broken = true
    await expect(write(upload, 0)).rejects.toThrow('ENOSPC')
    broken = false
    for (const index of [0, 1, 2]) await write(upload, index)
    await upload.finish()
    expect((await content(upload.state.header)).equals(bytes)).toBe(true)
  })

  it('refuses a part of the wrong size or index', async () => {
    const upload = await begin()
    await expect(upload.writePart(0, bytes.subarray(0, partBytes - 1), 'x')).rejects.toEqual(refusal('size_mismatch'))
    await expect(upload.writePart(2, part(0), 'x')).rejects.toEqual(refusal('size_mismatch'))
    await expect(upload.writePart(3, part(0), 'x')).rejects.toEqual(refusal('out_of_range'))
    await expect(upload.writePart(-1, part(0), 'x')).rejects.toEqual(refusal('out_of_range'))
    await expect(upload.writePart(0.5, part(0), 'x')).rejects.toEqual(refusal('out_of_range'))
    await upload.close()
  })

  it('refuses to verify or finish while a part is missing', async () => {
    const upload = await begin()
    await write(upload, 0)
    await write(upload, 2)
    await expect(upload.verifyTotal()).rejects.toThrow(AgeError)
    await expect(upload.finish()).rejects.toEqual(refusal('incomplete'))
    await write(upload, 1)
    await upload.finish()
  })

  it('discard leaves nothing, also of an object finished before a kill; after its own finish it is refused', async () => {
    const upload = await begin()
    await write(upload, 0)
    await upload.discard()
    expect(await files()).toEqual([])
    const second = await begin()
    for (const index of [0, 1, 2]) await write(second, index)
    await second.finish()
    await expect(second.discard()).rejects.toThrow(StorageError)
    await (await resume(second)).discard()
    expect(await files()).toEqual([])
  })

  it('an identity that is not of this upload cannot resume it', async () => {
    const upload = await begin()
    await upload.close()
    const stranger = SealedUpload.resume({ ...place(), state: upload.state, identity: generateIdentity() })
    await expect(stranger).rejects.toThrow(AgeError)
  })

  it('an empty object is one empty part, and plain bytes never reach the disk', async () => {
    const store = new LocalStore(root)
    const upload = await SealedUpload.begin({ ...place(store, 0), recipients: [identity.recipient] })
    await upload.writePart(0, Buffer.alloc(0), sha256(Buffer.alloc(0)))
    expect(await upload.verifyTotal()).toBe(sha256(Buffer.alloc(0)))
    await upload.finish()
    const reader = await store.open(objectKey)
    expect(reader.size).toBe(32)
    await reader.close()
  })

  it('asks for a part size of whole chunks', async () => {
    const odd = SealedUpload.begin({ ...place(), partSize: chunkBytes + 1, recipients: [identity.recipient] })
    await expect(odd).rejects.toThrow(RangeError)
  })
})
