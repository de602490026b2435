import { randomBytes } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type ObjectStore, StorageError, type StorageErrorCode } from './types.ts'

/** What a store's test hands to the suite: one empty place, and ways to look at it from outside. */
export interface StoreUnderTest {
  readonly store: ObjectStore
  /** Another instance over the same place, as after a restart. */
  reopen(): Promise<ObjectStore>
  /** Names of everything physically there, finished or not, temporary or not. */
  leftovers(): Promise<string[]>
  close(): Promise<void>
}

const kib = 1024
const KEY = 'org_a/evd_1'
const segmentedBytes = 300_000

export async function* pieces(bytes: Uint8Array, pieceBytes = 10_000): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += pieceBytes) yield bytes.subarray(at, at + pieceBytes)
}

/** Expects a `StorageError` with that code, whatever its words. */
export const refusal = (code: StorageErrorCode) =>
  expect.toSatisfy((error: unknown) => error instanceof StorageError && error.code === code, `StorageError ${code}`)

export const readWhole = async (store: ObjectStore, key: string): Promise<Buffer> => {
  const reader = await store.open(key)
  try {
    return await reader.read(0, reader.size)
  } finally {
    await reader.close()
  }
}

/** The behaviour every `ObjectStore` must show. A store whose test does not run this suite is not a store. */
export const describeObjectStore = (name: string, makeStore: () => Promise<StoreUnderTest>): void => {
  describe(`object store ${name}`, () => {
    let place: StoreUnderTest
    let store: ObjectStore
    beforeEach(async () => {
      place = await makeStore()
      store = place.store
    })
    afterEach(() => place.close())

    describePut(() => place)
    describeConflicts(() => place)
    describeReading(() => store)
    describeRemoval(() => place)
    describeSegments(() => place)
    describeSegmentKnowledge(() => place)
    describeSegmentEnds(() => place)

    it.each(['', 'evd_1', '/org_a/evd_1', 'org_a/', 'org_a//evd_1', '../evd_1', 'org_a/..', 'org_a/../../etc/passwd'])(
      'MUST refuse the hostile key %j everywhere and touch nothing',
      async (key) => {
        await expectRefusedEverywhere(store, key)
        expect(await place.leftovers()).toEqual([])
      },
    )

    it.each([
      'org_a\\evd',
      'org_a/evd.1',
      'org_a/e\0vd',
      'org_a/é',
      'org_a/-rf',
      `org_a/${'x'.repeat(300)}`,
      'a/b/c/d/e',
    ])('MUST refuse the malformed key %j everywhere', (key) => expectRefusedEverywhere(store, key))

    it('a probe MUST succeed on a working store and leave nothing behind', async () => {
      await store.probe()
      expect(await place.leftovers()).toEqual([])
    })
  })
}

const expectRefusedEverywhere = async (store: ObjectStore, key: string): Promise<void> => {
  await expect(store.put(key, pieces(Buffer.from('x')), { size: 1 })).rejects.toEqual(refusal('invalid_key'))
  await expect(store.openSegmented(key, { size: 1 })).rejects.toEqual(refusal('invalid_key'))
  await expect(store.open(key)).rejects.toEqual(refusal('invalid_key'))
  await expect(store.remove(key)).rejects.toEqual(refusal('invalid_key'))
  await expect(store.exists(key)).rejects.toEqual(refusal('invalid_key'))
}

const describePut = (place: () => StoreUnderTest): void => {
  it.each([0, 1, 64 * kib, 64 * kib + 1, 5 * kib * kib + 3])(
    'MUST give back exactly the %i bytes put',
    async (size) => {
      const bytes = randomBytes(size)
      await place().store.put(KEY, pieces(bytes, 300_000), { size })
      const again = await place().reopen()
      expect(await again.exists(KEY)).toBe(true)
      expect((await readWhole(again, KEY)).equals(bytes)).toBe(true)
    },
  )

  it('MUST store what a source yields even if it reuses one buffer for all its pieces', async () => {
    async function* reusing() {
      const buffer = Buffer.alloc(100_000)
      for (let i = 1; i <= 30; i++) yield buffer.fill(i)
    }
    await place().store.put(KEY, reusing(), { size: 3_000_000 })
    const found = await readWhole(place().store, KEY)
    for (let i = 1; i <= 30; i++) expect(found[(i - 1) * 100_000 + 99_999]).toBe(i)
  })

  it('an object MUST NOT be visible before all of its bytes are there', async () => {
    const { store } = place()
    const seen: boolean[] = []
    async function* watching() {
      for (let i = 0; i < 3; i++) {
        yield Buffer.alloc(100)
        seen.push(await store.exists(KEY))
      }
    }
    await store.put(KEY, watching(), { size: 300 })
    expect(seen).toEqual([false, false, false])
    expect(await store.exists(KEY)).toBe(true)
  })

  it.each([99, 101])('MUST refuse 100 bytes declared as %i and leave nothing behind', async (size) => {
    await expect(place().store.put(KEY, pieces(Buffer.alloc(100)), { size })).rejects.toEqual(refusal('size_mismatch'))
    expect(await place().leftovers()).toEqual([])
  })

  it('MUST pass on the error of a source that throws and leave nothing behind', async () => {
    async function* failing() {
      yield Buffer.alloc(70_000)
      throw new Error('the client went away')
    }
    await expect(place().store.put(KEY, failing(), { size: 100_000 })).rejects.toThrow('the client went away')
    expect(await place().leftovers()).toEqual([])
    expect(await place().store.exists(KEY)).toBe(false)
  })
}

const describeConflicts = (place: () => StoreUnderTest): void => {
  it('MUST refuse a taken key and keep the first bytes', async () => {
    const { store } = place()
    await store.put(KEY, pieces(Buffer.from('first')), { size: 5 })
    await expect(store.put(KEY, pieces(Buffer.from('other')), { size: 5 })).rejects.toEqual(refusal('conflict'))
    expect((await readWhole(store, KEY)).toString()).toBe('first')
    expect(await place().leftovers()).toHaveLength(1)
  })

  it('of two puts of one key at once exactly one MUST win, whole', async () => {
    const { store } = place()
    const results = await Promise.allSettled(
      ['a', 'b'].map((letter) => store.put(KEY, pieces(Buffer.alloc(200_000, letter)), { size: 200_000 })),
    )
    expect(results.map((result) => result.status).sort()).toEqual(['fulfilled', 'rejected'])
    const lost = results.find((result) => result.status === 'rejected')
    expect(lost?.reason).toEqual(refusal('conflict'))
    const winner = results[0]?.status === 'fulfilled' ? 'a' : 'b'
    expect((await readWhole(store, KEY)).equals(Buffer.alloc(200_000, winner))).toBe(true)
    expect(await place().leftovers()).toHaveLength(1)
  })

  it('two puts of different keys at once MUST NOT disturb each other', async () => {
    const { store } = place()
    const bodies = [randomBytes(300_000), randomBytes(300_001)]
    await Promise.all(bodies.map((body, i) => store.put(`org_a/evd_${i}`, pieces(body), { size: body.length })))
    for (const [i, body] of bodies.entries()) expect((await readWhole(store, `org_a/evd_${i}`)).equals(body)).toBe(true)
  })

  it('keys that a careless join would confuse MUST stay apart', async () => {
    const { store } = place()
    const keys = ['org_a/b/c', 'org_a/b_c', 'org_a/b-c', 'org_b/b/c', 'org_a/bc']
    for (const key of keys) await store.put(key, pieces(Buffer.from(key)), { size: key.length })
    for (const key of keys) expect((await readWhole(store, key)).toString()).toBe(key)
  })
}

const describeReading = (store: () => ObjectStore): void => {
  it('a range read MUST give exactly the bytes asked for, and fewer only where the object ends', async () => {
    const bytes = randomBytes(200_000)
    await store().put(KEY, pieces(bytes), { size: bytes.length })
    const reader = await store().open(KEY)
    expect(reader.size).toBe(bytes.length)
    for (const [offset, length] of [
      [0, 1],
      [65_535, 2],
      [100, 150_000],
      [199_999, 1],
    ] as const) {
      expect((await reader.read(offset, length)).equals(bytes.subarray(offset, offset + length))).toBe(true)
    }
    expect((await reader.read(199_990, 100)).equals(bytes.subarray(199_990))).toBe(true)
    expect(await reader.read(200_000, 10)).toHaveLength(0)
    await reader.close()
  })

  it('a read into a given buffer MUST fill that buffer and return a view of it', async () => {
    await store().put(KEY, pieces(Buffer.from('abcdef')), { size: 6 })
    const reader = await store().open(KEY)
    const into = Buffer.alloc(10)
    const found = await reader.read(2, 3, into)
    await reader.close()
    expect(found.toString()).toBe('cde')
    expect(found.buffer).toBe(into.buffer)
    expect(into.toString('latin1', 0, 3)).toBe('cde')
  })

  it('opening what is not there MUST be not_found', async () => {
    await expect(store().open(KEY)).rejects.toEqual(refusal('not_found'))
    expect(await store().exists(KEY)).toBe(false)
  })
}

const describeRemoval = (place: () => StoreUnderTest): void => {
  it('removing MUST take the bytes away, and again MUST NOT be an error', async () => {
    const { store } = place()
    await store.put(KEY, pieces(Buffer.from('x')), { size: 1 })
    await store.remove(KEY)
    expect(await store.exists(KEY)).toBe(false)
    expect(await place().leftovers()).toEqual([])
    await store.remove(KEY)
    await store.put(KEY, pieces(Buffer.from('y')), { size: 1 })
    expect((await readWhole(store, KEY)).toString()).toBe('y')
  })
}

const describeSegments = (place: () => StoreUnderTest): void => {
  const size = segmentedBytes
  const open = (store = place().store) => store.openSegmented(KEY, { size })

  it('parts written out of order MUST come out in order, and only after finish', async () => {
    const bytes = randomBytes(size)
    const writer = await open()
    for (const [start, end] of [
      [200_000, 300_000],
      [0, 70_000],
      [70_000, 200_000],
    ] as const) {
      await writer.writeAt(start, [bytes.subarray(start, start + 7), bytes.subarray(start + 7, end)])
      await writer.sync()
      expect(await place().store.exists(KEY)).toBe(false)
    }
    await writer.finish()
    expect((await readWhole(place().store, KEY)).equals(bytes)).toBe(true)
    expect(await place().leftovers()).toHaveLength(1)
  })

  it('after a restart the synced parts MUST still be there and the rest can be written', async () => {
    const bytes = randomBytes(size)
    const before = await open()
    await before.writeAt(100_000, [bytes.subarray(100_000)])
    await before.sync()
    await before.close()
    const after = await open(await place().reopen())
    expect(after.finished).toBe(false)
    expect((await after.read(100_000, 200_000)).equals(bytes.subarray(100_000))).toBe(true)
    expect((await after.read(0, 100_000)).equals(Buffer.alloc(100_000))).toBe(true)
    await after.writeAt(0, [bytes.subarray(0, 100_000)])
    await after.sync()
    await after.finish()
    expect((await readWhole(place().store, KEY)).equals(bytes)).toBe(true)
  })

  it.each([
    [0, 299_999],
    [1, 300_000],
  ])('finish MUST refuse when only bytes %i to %i were written', async (start, end) => {
    const writer = await open()
    await writer.writeAt(start, [Buffer.alloc(end - start)])
    await writer.sync()
    await expect(writer.finish()).rejects.toEqual(refusal('incomplete'))
    await writer.close()
    const after = await open(await place().reopen())
    await expect(after.finish()).rejects.toEqual(refusal('incomplete'))
    await after.close()
    expect(await place().store.exists(KEY)).toBe(false)
  })

  it('an object of zeros MUST count as written', async () => {
    const writer = await open()
    await writer.writeAt(0, [Buffer.alloc(size)])
    await writer.sync()
    await writer.close()
    await (await open(await place().reopen())).finish()
    expect((await readWhole(place().store, KEY)).equals(Buffer.alloc(size))).toBe(true)
  })
}

const describeSegmentKnowledge = (place: () => StoreUnderTest): void => {
  const size = segmentedBytes
  const open = (store = place().store) => store.openSegmented(KEY, { size })

  it('bytes that any writer wrote MUST NOT be called untouched', async () => {
    const [writer, other] = [await open(), await open(await place().reopen())]
    await other.writeAt(50_000, [Buffer.alloc(1)])
    expect(await writer.isUntouched(0, 100_000)).toBe(false)
    expect(await other.isUntouched(0, 100_000)).toBe(false)
    await writer.close()
    await other.close()
    const late = await open(await place().reopen())
    expect(await late.isUntouched(50_000, 1)).toBe(false)
    await late.close()
  })

  it('an object that the caller confirms MUST be finished without asking what was written', async () => {
    const writer = await open()
    await writer.writeAt(10, [Buffer.from('x')])
    writer.confirm()
    await writer.finish()
    const whole = await readWhole(place().store, KEY)
    expect([whole.length, whole[10], whole[11]]).toEqual([size, 0x78, 0])
  })
}

const describeSegmentEnds = (place: () => StoreUnderTest): void => {
  const size = segmentedBytes
  const open = (store = place().store) => store.openSegmented(KEY, { size })

  it('discard MUST remove everything, and the key is free again', async () => {
    const writer = await open()
    await writer.writeAt(0, [Buffer.alloc(1000, 1)])
    await writer.sync()
    await writer.discard()
    expect(await place().leftovers()).toEqual([])
    const again = await open()
    expect((await again.read(0, 10)).equals(Buffer.alloc(10))).toBe(true)
    await again.discard()
  })

  it('a writer opened after finish MUST say so, be readable, refuse bytes, and finish again without effect', async () => {
    const writer = await open()
    await writer.writeAt(0, [Buffer.alloc(size, 1)])
    await writer.finish()
    const late = await open(await place().reopen())
    expect(late.finished).toBe(true)
    expect((await late.read(0, 3)).equals(Buffer.from([1, 1, 1]))).toBe(true)
    await expect(late.writeAt(0, [Buffer.alloc(1)])).rejects.toEqual(refusal('conflict'))
    await late.finish()
    await (await open()).discard()
    expect((await readWhole(place().store, KEY)).equals(Buffer.alloc(size, 1))).toBe(true)
  })

  it('MUST refuse bytes outside the object, and another size for a key begun', async () => {
    const writer = await open()
    await expect(writer.writeAt(size - 1, [Buffer.alloc(2)])).rejects.toEqual(refusal('out_of_range'))
    await expect(writer.writeAt(-1, [Buffer.alloc(2)])).rejects.toEqual(refusal('out_of_range'))
    await expect(place().store.openSegmented(KEY, { size: size + 1 })).rejects.toEqual(refusal('size_mismatch'))
    await expect(place().store.openSegmented(KEY, { size: size - 1 })).rejects.toEqual(refusal('size_mismatch'))
    await writer.discard()
  })

  it('finish MUST NOT replace an object put under the key meanwhile', async () => {
    const writer = await open()
    await writer.writeAt(0, [Buffer.alloc(size, 1)])
    await place().store.put(KEY, pieces(Buffer.from('first')), { size: 5 })
    await expect(writer.finish()).rejects.toEqual(refusal('conflict'))
    expect((await readWhole(place().store, KEY)).toString()).toBe('first')
  })
}
