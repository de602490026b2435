import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { generateIdentity } from '../crypto/age-keys.ts'
import { payloadSize } from '../crypto/age-stream.ts'
import { LocalStore } from './local.store.ts'
import { OrgStore } from './org.store.ts'
import { openSealed } from './sealed-object.ts'
import { openBeside, type PackPart, sealPack } from './sealed-pack.ts'
import { readSliceKey, sliceKey, wholeKey } from './slice-key.ts'

const identity = generateIdentity()
const key = 'org_a/pck_1'

describe('a pack', () => {
  let root: string
  let store: OrgStore
  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'sealed-pack-'))
    const local = new LocalStore(root)
    store = new OrgStore({ local, placesOf: async () => undefined, noteRemoval: async () => undefined })
  })
  afterEach(() => rm(root, { recursive: true }))

  const part = (size: number, beside: PackPart['beside'] = {}): PackPart => ({ bytes: randomBytes(size), beside })
  const seal = (parts: readonly PackPart[]) => sealPack(parts, { store, key, recipients: [identity.recipient] })
  const read = async (header: string, storeKey: string, sizeBytes: number, range = {}) => {
    const pieces = []
    for await (const piece of openSealed(header, identity, store, storeKey, { sizeBytes, ...range })) pieces.push(piece)
    return Buffer.concat(pieces)
  }

  it('gives each item back, whole and in ranges, as if it were alone', async () => {
    const parts = [part(1), part(65_536), part(200_000, { small: randomBytes(900) }), part(65_537)]
    const sealed = await seal(parts)
    expect(await store.exists(key)).toBe(true)
    for (const [n, { header, storeKey }] of sealed.entries()) {
      const { bytes } = parts[n]!
      expect((await read(header, storeKey, bytes.length)).equals(bytes)).toBe(true)
      const [start, end] = [Math.floor(bytes.length / 3), Math.ceil(bytes.length / 2)]
      expect((await read(header, storeKey, bytes.length, { start, end })).equals(bytes.subarray(start, end))).toBe(true)
    }
  })

  it('gives what lies beside an item to its own header alone', async () => {
    const beside = { small: randomBytes(900), levels: randomBytes(100) }
    const [own, other] = await seal([part(1000, beside), part(1000, { small: randomBytes(900) })])
    const open = (header: string, name: 'small' | 'levels') =>
      openBeside({ header, identity, name, place: own!.beside[name]! }, store)
    expect((await open(own!.header, 'small')).equals(beside.small)).toBe(true)
    expect((await open(own!.header, 'levels')).equals(beside.levels)).toBe(true)
    await expect(open(other!.header, 'small')).rejects.toMatchObject({ code: 'payload_corrupt' })
    const swapped = { header: own!.header, identity, name: 'levels', place: own!.beside.small! } as const
    await expect(openBeside(swapped, store)).rejects.toMatchObject({ code: 'payload_corrupt' })
  })

  it('opens no item by the header of another one, nor at the place of another one', async () => {
    const parts = [part(1000), part(1000)]
    const [a, b] = await seal(parts)
    await expect(read(a!.header, b!.storeKey, 1000)).rejects.toMatchObject({ code: 'payload_corrupt' })
    const { from } = readSliceKey(a!.storeKey)!
    const shifted = sliceKey({ key, from: from + 1, length: payloadSize(1000) })
    await expect(read(a!.header, shifted, 1000)).rejects.toMatchObject({ code: 'payload_corrupt' })
  })

  it('that is cut opens as far as it reaches', async () => {
    const parts = [part(1000), part(1000)]
    const [a, b] = await seal(parts)
    const reader = await store.open(key)
    const whole = Buffer.from(await reader.read(0, reader.size - 1))
    await reader.close()
    await store.remove(key)
    async function* source() {
      yield whole
    }
    await store.put(key, source(), { size: whole.length })
    expect(await read(a!.header, a!.storeKey, 1000)).toHaveLength(1000)
    await expect(read(b!.header, b!.storeKey, 1000)).rejects.toMatchObject({ code: 'payload_size' })
  })

  it('is removed as a whole: a slice is opened, and nothing else', async () => {
    const [a] = await seal([part(10)])
    await expect(store.remove(a!.storeKey)).rejects.toMatchObject({ code: 'invalid_key' })
    await expect(store.exists(a!.storeKey)).rejects.toMatchObject({ code: 'invalid_key' })
    await store.remove(wholeKey(a!.storeKey))
    await expect(read(a!.header, a!.storeKey, 10)).rejects.toMatchObject({ code: 'not_found' })
  })
})

describe('the key of a slice', () => {
  it('is read as it was written, and no other key is one', () => {
    const slice = { key, from: 16, length: 1032 }
    expect(readSliceKey(sliceKey(slice))).toEqual(slice)
    for (const other of [key, `${key}@`, `${key}@1+`, `${key}@-1+2`, `${key}@1+2@3+4`, '@1+2'])
      expect(readSliceKey(other), other).toBeUndefined()
    expect([wholeKey(key), wholeKey(sliceKey(slice))]).toEqual([key, key])
  })
})
