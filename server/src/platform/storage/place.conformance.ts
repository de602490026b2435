import { randomBytes } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type ObjectPlace, StorageError, type StorageErrorCode } from './types.ts'

/** What a place's test hands to the suite: an empty one, and ways to look at it from outside. */
export interface PlaceUnderTest {
  readonly store: ObjectPlace
  /** Another instance over the same place, as after a restart. */
  reopen(): Promise<ObjectPlace>
  /** False where two writes of one free name at the same moment cannot be told apart: names are ids, never used twice. */
  readonly decidesRaces?: boolean
  /** Names of everything physically there, finished or not, temporary or not. */
  leftovers(): Promise<string[]>
  close(): Promise<void>
}

const kib = 1024
export const objectKey = 'org_a/evd_1'

export async function* pieces(bytes: Uint8Array, pieceBytes = 10_000): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += pieceBytes) yield bytes.subarray(at, at + pieceBytes)
}

/** Expects a `StorageError` with that code, whatever its words. */
export const refusal = (code: StorageErrorCode) =>
  expect.toSatisfy((error: unknown) => error instanceof StorageError && error.code === code, `StorageError ${code}`)

export const readWhole = async (store: ObjectPlace, key: string): Promise<Buffer> => {
  const reader = await store.open(key)
  try {
    return await reader.read(0, reader.size)
  } finally {
    await reader.close()
  }
}

export const hostileKeys = [
  '',
  'evd_1',
  '/org_a/evd_1',
  'org_a/',
  'org_a//evd_1',
  '../evd_1',
  'org_a/..',
  'org_a/../../etc/passwd',
]
export const malformedKeys = [
  ...['org_a\\evd', 'org_a/evd.1', 'org_a/e\0vd', 'org_a/é', 'org_a/-rf', `org_a/${'x'.repeat(300)}`, 'a/b/c/d/e'],
]

/** The behaviour every `ObjectPlace` must show. A place whose test does not run this suite is none. */
export const describeObjectPlace = (name: string, makePlace: () => Promise<PlaceUnderTest>): void => {
  describe(`object place ${name}`, () => {
    let place: PlaceUnderTest
    beforeEach(async () => {
      place = await makePlace()
    })
    afterEach(() => place.close())

    describePut(() => place)
    describeConflicts(() => place)
    describeReading(() => place.store)
    describeRemoval(() => place)
    describeListing(() => place)

    it.each(hostileKeys)('MUST refuse the hostile key %j everywhere and touch nothing', async (key) => {
      await expectRefusedEverywhere(place.store, key)
      expect(await place.leftovers()).toEqual([])
    })

    it.each(malformedKeys)('MUST refuse the malformed key %j everywhere', (key) =>
      expectRefusedEverywhere(place.store, key),
    )
  })
}

const expectRefusedEverywhere = async (store: ObjectPlace, key: string): Promise<void> => {
  await expect(store.put(key, pieces(Buffer.from('x')), { size: 1 })).rejects.toEqual(refusal('invalid_key'))
  await expect(store.open(key)).rejects.toEqual(refusal('invalid_key'))
  await expect(store.remove(key)).rejects.toEqual(refusal('invalid_key'))
  await expect(store.exists(key)).rejects.toEqual(refusal('invalid_key'))
}

const listAll = async (store: ObjectPlace, orgId: string, limit: number): Promise<string[]> => {
  const found: string[] = []
  for (let after: string | undefined; ; ) {
    const { keys, next } = await store.list(orgId, { limit, after })
    expect(keys.length).toBeLessThanOrEqual(limit)
    found.push(...keys)
    if (next === undefined) return found.sort()
    after = next
  }
}

const describeListing = (place: () => PlaceUnderTest): void => {
  it('MUST list the keys of an organisation, all of them and no others, page by page', async () => {
    const { store } = place()
    const keys = ['org_a/evd_1', 'org_a/evd_2', 'org_a/cmp/evd_1', 'org_a/x', 'org_a/y']
    for (const key of [...keys, 'org_ab/evd_1', 'org_b/evd_1'])
      await store.put(key, pieces(Buffer.from('x')), { size: 1 })
    expect(await listAll(store, 'org_a', 2)).toEqual(keys.toSorted())
    expect(await listAll(store, 'org_a', 100)).toEqual(keys.toSorted())
    expect(await listAll(store, 'org_c', 100)).toEqual([])
  })

  it('a listing MUST go on when what it listed was removed', async () => {
    const { store } = place()
    const keys = ['org_a/a', 'org_a/b', 'org_a/c', 'org_a/d', 'org_a/e']
    for (const key of keys) await store.put(key, pieces(Buffer.from('x')), { size: 1 })
    const first = await store.list('org_a', { limit: 2 })
    for (const key of first.keys) await store.remove(key)
    const found = [...first.keys]
    for (let after = first.next; after !== undefined; ) {
      const page = await store.list('org_a', { limit: 2, after })
      found.push(...page.keys)
      after = page.next
    }
    expect(found.sort()).toEqual(keys)
  })
}

const describePut = (place: () => PlaceUnderTest): void => {
  it.each([0, 1, 64 * kib, 64 * kib + 1, 5 * kib * kib + 3, 9 * kib * kib + 3])(
    'MUST give back exactly the %i bytes put',
    async (size) => {
      const bytes = randomBytes(size)
      await place().store.put(objectKey, pieces(bytes, 300_000), { size })
      const again = await place().reopen()
      expect(await again.exists(objectKey)).toBe(true)
      expect((await readWhole(again, objectKey)).equals(bytes)).toBe(true)
    },
  )

  it('MUST store what a source yields even if it reuses one buffer for all its pieces', async () => {
    async function* reusing() {
      const buffer = Buffer.alloc(100_000)
      for (let i = 1; i <= 30; i++) yield buffer.fill(i)
    }
    await place().store.put(objectKey, reusing(), { size: 3_000_000 })
    const found = await readWhole(place().store, objectKey)
    for (let i = 1; i <= 30; i++) expect(found[(i - 1) * 100_000 + 99_999]).toBe(i)
  })

  it('an object MUST NOT be visible before all of its bytes are there', async () => {
    const { store } = place()
    const seen: boolean[] = []
    async function* watching() {
      for (let i = 0; i < 3; i++) {
        yield Buffer.alloc(100)
        seen.push(await store.exists(objectKey))
      }
    }
    await store.put(objectKey, watching(), { size: 300 })
    expect(seen).toEqual([false, false, false])
    expect(await store.exists(objectKey)).toBe(true)
  })

  it.each([99, 101])('MUST refuse 100 bytes declared as %i and leave nothing behind', async (size) => {
    await expect(place().store.put(objectKey, pieces(Buffer.alloc(100)), { size })).rejects.toEqual(
      refusal('size_mismatch'),
    )
    expect(await place().leftovers()).toEqual([])
  })

  it('MUST pass on the error of a source that throws and leave nothing behind', async () => {
    async function* failing() {
      yield Buffer.alloc(70_000)
      throw new Error('the client went away')
    }
    await expect(place().store.put(objectKey, failing(), { size: 100_000 })).rejects.toThrow('the client went away')
    expect(await place().leftovers()).toEqual([])
    expect(await place().store.exists(objectKey)).toBe(false)
  })
}

const describeConflicts = (place: () => PlaceUnderTest): void => {
  it('MUST refuse a taken key and keep the first bytes', async () => {
    const { store } = place()
    await store.put(objectKey, pieces(Buffer.from('first')), { size: 5 })
    await expect(store.put(objectKey, pieces(Buffer.from('other')), { size: 5 })).rejects.toEqual(refusal('conflict'))
    expect((await readWhole(store, objectKey)).toString()).toBe('first')
    expect(await place().leftovers()).toHaveLength(1)
  })

  it('of two puts of one key at once exactly one MUST win, whole', async () => {
    const { store, decidesRaces = true } = place()
    if (!decidesRaces) return
    const results = await Promise.allSettled(
      ['a', 'b'].map((letter) => store.put(objectKey, pieces(Buffer.alloc(200_000, letter)), { size: 200_000 })),
    )
    expect(results.map((result) => result.status).sort()).toEqual(['fulfilled', 'rejected'])
    const lost = results.find((result) => result.status === 'rejected')
    expect(lost?.reason).toEqual(refusal('conflict'))
    const winner = results[0]?.status === 'fulfilled' ? 'a' : 'b'
    expect((await readWhole(store, objectKey)).equals(Buffer.alloc(200_000, winner))).toBe(true)
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

const describeReading = (store: () => ObjectPlace): void => {
  it('a range read MUST give exactly the bytes asked for, and fewer only where the object ends', async () => {
    const bytes = randomBytes(200_000)
    await store().put(objectKey, pieces(bytes), { size: bytes.length })
    const reader = await store().open(objectKey)
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
    await store().put(objectKey, pieces(Buffer.from('abcdef')), { size: 6 })
    const reader = await store().open(objectKey)
    const into = Buffer.alloc(10)
    const found = await reader.read(2, 3, into)
    await reader.close()
    expect(found.toString()).toBe('cde')
    expect(found.buffer).toBe(into.buffer)
    expect(into.toString('latin1', 0, 3)).toBe('cde')
  })

  it('opening what is not there MUST be not_found', async () => {
    await expect(store().open(objectKey)).rejects.toEqual(refusal('not_found'))
    expect(await store().exists(objectKey)).toBe(false)
  })
}

const describeRemoval = (place: () => PlaceUnderTest): void => {
  it('removing MUST take the bytes away, and again MUST NOT be an error', async () => {
    const { store } = place()
    await store.put(objectKey, pieces(Buffer.from('x')), { size: 1 })
    await store.remove(objectKey)
    expect(await store.exists(objectKey)).toBe(false)
    expect(await place().leftovers()).toEqual([])
    await store.remove(objectKey)
    await store.put(objectKey, pieces(Buffer.from('y')), { size: 1 })
    expect((await readWhole(store, objectKey)).toString()).toBe('y')
  })
}
