import { randomBytes } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  describeObjectPlace,
  hostileKeys,
  malformedKeys,
  objectKey,
  type PlaceUnderTest,
  pieces,
  readWhole,
  refusal,
} from './place.conformance.ts'
import type { ObjectStore } from './types.ts'

const segmentedBytes = 300_000

/** The same for a store, which takes objects in pieces too. */
export interface StoreUnderTest extends PlaceUnderTest {
  readonly store: ObjectStore
  reopen(): Promise<ObjectStore>
}

/** The behaviour every `ObjectStore` must show: that of a place, and of large objects that arrive in pieces. */
export const describeObjectStore = (name: string, makeStore: () => Promise<StoreUnderTest>): void => {
  describeObjectPlace(name, makeStore)
  describe(`object store ${name}`, () => {
    let place: StoreUnderTest
    beforeEach(async () => {
      place = await makeStore()
    })
    afterEach(() => place.close())

    describeSegments(() => place)
    describeSegmentKnowledge(() => place)
    describeSegmentEnds(() => place)

    it.each([...hostileKeys, ...malformedKeys])('MUST open no pieces under the key %j', async (key) => {
      await expect(place.store.openSegmented(key, { size: 1 })).rejects.toEqual(refusal('invalid_key'))
      expect(await place.leftovers()).toEqual([])
    })

    it('a probe MUST succeed on a working store and leave nothing behind', async () => {
      await place.store.probe()
      expect(await place.leftovers()).toEqual([])
    })
  })
}

const describeSegments = (place: () => StoreUnderTest): void => {
  const size = segmentedBytes
  const open = (store = place().store) => store.openSegmented(objectKey, { size })

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
      expect(await place().store.exists(objectKey)).toBe(false)
    }
    await writer.finish()
    expect((await readWhole(place().store, objectKey)).equals(bytes)).toBe(true)
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
    expect((await readWhole(place().store, objectKey)).equals(bytes)).toBe(true)
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
    expect(await place().store.exists(objectKey)).toBe(false)
  })
}

const describeSegmentKnowledge = (place: () => StoreUnderTest): void => {
  const size = segmentedBytes
  const open = (store = place().store) => store.openSegmented(objectKey, { size })

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

  it('an object of zeros MUST count as written', async () => {
    const writer = await open()
    await writer.writeAt(0, [Buffer.alloc(size)])
    await writer.sync()
    await writer.close()
    await (await open(await place().reopen())).finish()
    expect((await readWhole(place().store, objectKey)).equals(Buffer.alloc(size))).toBe(true)
  })

  it('an object that the caller confirms MUST be finished without asking what was written', async () => {
    const writer = await open()
    await writer.writeAt(10, [Buffer.from('x')])
    writer.confirm()
    await writer.finish()
    const whole = await readWhole(place().store, objectKey)
    expect([whole.length, whole[10], whole[11]]).toEqual([size, 0x78, 0])
  })
}

const describeSegmentEnds = (place: () => StoreUnderTest): void => {
  const size = segmentedBytes
  const open = (store = place().store) => store.openSegmented(objectKey, { size })

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
    expect((await readWhole(place().store, objectKey)).equals(Buffer.alloc(size, 1))).toBe(true)
  })

  it('MUST refuse bytes outside the object, and another size for a key begun', async () => {
    const writer = await open()
    await expect(writer.writeAt(size - 1, [Buffer.alloc(2)])).rejects.toEqual(refusal('out_of_range'))
    await expect(writer.writeAt(-1, [Buffer.alloc(2)])).rejects.toEqual(refusal('out_of_range'))
    await expect(place().store.openSegmented(objectKey, { size: size + 1 })).rejects.toEqual(refusal('size_mismatch'))
    await expect(place().store.openSegmented(objectKey, { size: size - 1 })).rejects.toEqual(refusal('size_mismatch'))
    await writer.discard()
  })

  it('finish MUST NOT replace an object put under the key meanwhile', async () => {
    const writer = await open()
    await writer.writeAt(0, [Buffer.alloc(size, 1)])
    await place().store.put(objectKey, pieces(Buffer.from('first')), { size: 5 })
    await expect(writer.finish()).rejects.toEqual(refusal('conflict'))
    expect((await readWhole(place().store, objectKey)).toString()).toBe('first')
  })
}
