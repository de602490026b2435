import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { generateIdentity } from '../crypto/age-keys.ts'
import { LocalStore } from './local.store.ts'
import { OrgStore } from './org.store.ts'
import { openSealed } from './sealed-object.ts'
import { sealPack } from './sealed-pack.ts'
import { SliceWindows } from './slice-windows.ts'
import type { ObjectStore } from './types.ts'

const identity = generateIdentity()

describe('slices of an object that are read together', () => {
  let root: string
  let store: OrgStore
  let opened: string[]
  let counted: Pick<ObjectStore, 'open'>
  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'slice-windows-'))
    const local = new LocalStore(root)
    store = new OrgStore({ local, placesOf: async () => undefined, noteRemoval: async () => undefined })
    opened = []
    counted = {
      open: (key) => {
        opened.push(key)
        return store.open(key)
      },
    }
  })
  afterEach(() => rm(root, { recursive: true }))

  const seal = (key: string, sizes: readonly number[]) => {
    const parts = sizes.map((size) => ({ bytes: randomBytes(size), beside: {} }))
    const place = { store, key, recipients: [identity.recipient] }
    return sealPack(parts, place).then((sealed) => sealed.map((one, n) => ({ ...one, bytes: parts[n]!.bytes })))
  }
  const read = async (from: Pick<ObjectStore, 'open'>, part: { header: string; storeKey: string; bytes: Buffer }) => {
    const pieces = []
    const range = { sizeBytes: part.bytes.length }
    for await (const piece of openSealed(part.header, identity, from, part.storeKey, range))
      pieces.push(Buffer.from(piece))
    return Buffer.concat(pieces)
  }

  it('are the bytes of each, by one opening of the object', async () => {
    const parts = await seal('org_a/pck_1', [1000, 200_000, 70_000])
    const windows = new SliceWindows(
      counted,
      parts.map(({ storeKey }) => storeKey),
    )
    const found = await Promise.all(parts.map((part) => read(windows, part)))
    for (const [n, bytes] of found.entries()) expect(bytes.equals(parts[n]!.bytes)).toBe(true)
    expect(opened).toEqual(['org_a/pck_1'])
  })

  it('are read each for itself where much lies between them, and where one is alone', async () => {
    const far = await seal('org_a/pck_1', [1000, 300_000, 1000])
    const [alone] = await seal('org_a/pck_2', [1000, 1000])
    const wanted = [far[0]!, far[2]!, alone!]
    const windows = new SliceWindows(
      counted,
      wanted.map(({ storeKey }) => storeKey),
    )
    for (const part of wanted) expect((await read(windows, part)).equals(part.bytes)).toBe(true)
    expect(opened).toEqual(wanted.map(({ storeKey }) => storeKey))
  })

  it('fail each, where the object is not there', async () => {
    const parts = await seal('org_a/pck_1', [1000, 1000])
    await store.remove('org_a/pck_1')
    const windows = new SliceWindows(
      counted,
      parts.map(({ storeKey }) => storeKey),
    )
    for (const part of parts) await expect(read(windows, part)).rejects.toMatchObject({ code: 'not_found' })
  })
})
