import { randomBytes } from 'node:crypto'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type S3Double, startS3Double } from '../../../test/test-support/s3-double.ts'
import { until } from '../../../test/test-support/until.ts'
import type { HttpOut } from '../http-out/http-out.ts'
import { LocalStore } from './local.store.ts'
import { OrgStore } from './org.store.ts'
import { readWhole, refusal } from './place.conformance.ts'
import { RemoteStore } from './remote/remote.store.ts'
import { openHttp, openS3 } from './remote/remote.test-support.ts'

const mib = 1024 * 1024
const key = 'org_a/obj_1'
const size = 20 * mib + 5
const bytes = randomBytes(size)
/** As an upload's parts: of these the provider's parts are made, and no two of them end at the same place. */
const spans = [0, 5, 10, 15].map((at) => [at * mib, Math.min(size, (at + 5) * mib + (at === 15 ? 5 : 0))] as const)

describe('a large object that comes in pieces for a place elsewhere', () => {
  let root: string
  let double: S3Double
  let http: HttpOut
  let store: OrgStore

  const open = (): OrgStore => {
    const place = new RemoteStore(openS3(http, { endpoint: double.endpoint, bucket: 'evidence' }), '')
    const placesOf = () => Promise.resolve({ current: place, others: [], moving: false })
    return new OrgStore({ local: new LocalStore(root), placesOf, noteRemoval: () => Promise.resolve() })
  }
  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'head-start-'))
    double = await startS3Double()
    http = openHttp()
    store = open()
    return async () => {
      await http.close()
      await double.stop()
      await rm(root, { recursive: true, force: true })
    }
  })
  afterEach(() => {
    double.fault = () => undefined
  })

  const partsSent = () => double.asks.filter(({ method, query }) => method === 'PUT' && query.has('partNumber')).length
  const filesHere = async () =>
    (await readdir(root, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile()).length
  const write = async (writer: Awaited<ReturnType<OrgStore['openSegmented']>>, which: readonly number[]) => {
    for (const n of which) {
      const [start, end] = spans[n] ?? [0, 0]
      await writer.writeAt(start, [bytes.subarray(start, end)])
      await writer.sync()
    }
  }
  const isThere = async () => (await readWhole(store, key)).equals(bytes)

  it('is on its way before it is whole, visible only when it is, and sent once', async () => {
    const writer = await store.openSegmented(key, { size })
    await write(writer, [1, 0])
    await until(() => partsSent() === 1)
    await write(writer, [3])
    await until(() => partsSent() === 2)
    expect(await store.exists(key)).toBe(false)
    await write(writer, [2])
    await writer.finish()
    await writer.close()
    expect(await isThere()).toBe(true)
    expect([partsSent(), double.uploads.size, await filesHere()]).toEqual([3, 0, 0])
  })

  it('is sent as a whole when another process goes on with it', async () => {
    const before = await store.openSegmented(key, { size })
    await write(before, [0, 1, 2])
    store = open()
    const after = await store.openSegmented(key, { size })
    await write(after, [3])
    await after.finish()
    expect(await isThere()).toBe(true)
    await before.close()
    expect([double.uploads.size, await filesHere()]).toEqual([0, 0])
  })

  it('is brought there in the end when the provider failed meanwhile', async () => {
    const writer = await store.openSegmented(key, { size })
    double.fault = ({ query }) => (query.has('partNumber') ? { status: 403, code: 'AccessDenied' } : undefined)
    await write(writer, [0, 1])
    await until(() => partsSent() > 0)
    await write(writer, [2, 3])
    double.fault = () => undefined
    await writer.finish()
    expect(await isThere()).toBe(true)
    expect([double.uploads.size, await filesHere()]).toEqual([0, 0])
  })

  it('keeps what is here when its end fails, and is finished later', async () => {
    const writer = await store.openSegmented(key, { size })
    await write(writer, [0, 1, 2, 3])
    double.fault = ({ method }) => (method === 'POST' ? { status: 403, code: 'AccessDenied' } : undefined)
    await expect(writer.finish()).rejects.toEqual(refusal('denied'))
    await writer.close()
    double.fault = () => undefined
    store = open()
    const again = await store.openSegmented(key, { size })
    expect(again.finished).toBe(true)
    await again.finish()
    expect(await isThere()).toBe(true)
    expect([double.uploads.size, await filesHere()]).toEqual([0, 0])
  })

  it.each(['discard', 'close'] as const)('leaves nothing at the provider after %s', async (how) => {
    const writer = await store.openSegmented(key, { size })
    await write(writer, [0, 1, 2])
    await writer[how]()
    expect([double.objects.size, double.uploads.size]).toEqual([0, 0])
    expect((await filesHere()) > 0).toBe(how === 'close')
  })

  it.each(['finish', 'discard'] as const)(
    'leaves nothing here when a kill came after its name was given: %s',
    async (how) => {
      const killed = await new LocalStore(root).openSegmented('org_a/staged/obj_1', { size })
      await write(killed, [0, 1, 2, 3])
      await killed.finish()
      double.objects.set(key, { bytes, putId: 'of-the-killed' })
      expect(await filesHere()).toBe(1)
      const again = await store.openSegmented(key, { size })
      expect(again.finished).toBe(true)
      expect(await filesHere()).toBe(1)
      await again[how]()
      expect(await filesHere()).toBe(0)
      expect(await isThere()).toBe(true)
    },
  )

  it('takes what lies here along when it is removed', async () => {
    const killed = await new LocalStore(root).openSegmented('org_a/staged/obj_1', { size })
    await write(killed, [0, 1, 2, 3])
    await killed.finish()
    double.objects.set(key, { bytes, putId: 'of-the-killed' })
    await store.remove(key)
    expect([double.objects.size, await filesHere()]).toEqual([0, 0])
  })

  it.each([true, false])(
    'that was brought there by another one meanwhile is no error if it is the same: %s',
    async (same) => {
      const writer = await store.openSegmented(key, { size })
      await write(writer, [0, 1, 2, 3])
      const there = same ? bytes : randomBytes(size)
      double.objects.set(key, { bytes: there, putId: 'of-another' })
      if (same) await writer.finish()
      else await expect(writer.finish()).rejects.toEqual(refusal('conflict'))
      expect((await readWhole(store, key)).equals(there)).toBe(true)
      expect([double.uploads.size, await filesHere()]).toEqual([0, 0])
    },
  )
})
