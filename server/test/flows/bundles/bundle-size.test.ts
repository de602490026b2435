import { createHash, randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { downloadBundle } from '../../../src/domains/review/bundles/bundles.service.ts'
import type { ObjectReader, ObjectStore } from '../../../src/platform/storage/types.ts'
import { startServer, type TestServer } from '../../test-support/server.ts'
import { beginFor, fullConfig, register, scheduleSession, type WorldSession } from '../../test-support/world.ts'
import { download } from './bundles.test-support.ts'

const MiB = 2 ** 20
/** Twenty times what may be read or given on at once. */
const soundBytes = 40 * MiB
const longest = 2 * MiB

describe('a bundle of a long session', () => {
  let server: TestServer
  let session: WorldSession
  const sound = randomBytes(soundBytes)

  beforeAll(async () => {
    server = await startServer({ engine: 'sqlite' })
    const api = server.client(server.orgs[0].sandboxKey)
    session = await scheduleSession(api, { config: fullConfig })
    await register(server, session)
    const agent = server.client(session.agent)
    sound.write('OggS')
    const begun = { ...beginFor(server, sound), partSize: 16 * MiB }
    const { data } = await agent.call('agent.uploads.begin', { params: { id: session.id }, body: begun })
    if (!('uploadId' in data)) throw new Error('these bytes are here already')
    const params = { uploadId: data.uploadId }
    for (let index = 0; index * 16 * MiB < sound.length; index++) {
      const bytes = sound.subarray(index * 16 * MiB, (index + 1) * 16 * MiB)
      const meta = { index, sha256: createHash('sha256').update(bytes).digest('hex') }
      await agent.call('agent.uploads.part', { params, raw: { bytes, contentType: 'application/octet-stream', meta } })
    }
    await agent.call('agent.uploads.complete', { params })
    await api.call('sessions.end', { params: { id: session.id } })
  })
  afterAll(() => server.stop())

  /** The parts of the server with a store that notes how much is asked of it at once. */
  const watched = () => {
    const seen = { longestRead: 0, readBytes: 0 }
    const { store } = server.app
    const open: ObjectStore['open'] = async (key) => {
      const reader = await store.open(key)
      const read: ObjectReader['read'] = async (...asked) => {
        const bytes = await reader.read(...asked)
        seen.longestRead = Math.max(seen.longestRead, bytes.length)
        seen.readBytes += bytes.length
        return bytes
      }
      return { size: reader.size, read, close: () => reader.close() }
    }
    const watching = new Proxy(store, {
      get(target, name) {
        if (name === 'open') return open
        const value: unknown = Reflect.get(target, name)
        return typeof value === 'function' ? value.bind(target) : value
      },
    })
    return { seen, store: watching }
  }

  it('is built and read in pieces: no part of it is ever in memory as a whole, and evidence is not copied', async () => {
    const { orgId } = server.orgs[0]
    const { seen, store } = watched()
    const { reader } = server.app.db
    const call = { ...server.app, reader, scope: { orgId, environment: 'sandbox' as const }, store }
    const actor = { kind: 'system', id: 'test' } as never
    const query = {}
    const content = await downloadBundle(
      { ...call, actor },
      { sessionId: session.id, wanted: { audience: 'api', reports: true, query } },
    )
    expect(content.sizeBytes).toBeGreaterThan(soundBytes)
    expect(seen.readBytes).toBeGreaterThan(soundBytes)
    const lengths: number[] = []
    for await (const piece of content.read({ start: 0, end: content.sizeBytes })) lengths.push(piece.length)
    expect(lengths.reduce((sum, length) => sum + length)).toBe(content.sizeBytes)
    expect(Math.max(...lengths)).toBeLessThanOrEqual(longest)
    expect(seen.longestRead).toBeLessThanOrEqual(longest)
    const [kept] = await reader.all<{ bytes: number }>('SELECT kept_bytes + plan_bytes AS bytes FROM bundles', [])
    expect(kept!.bytes).toBeLessThan(MiB)
  })

  it('reads for a range in the middle what the range holds, and no more than a few chunks beside it', async () => {
    const { bytes } = await download(server, session)
    const at = bytes.indexOf(sound.subarray(0, 4096))
    const [start, end] = [at + 20 * MiB + 77, at + 20 * MiB + 77 + 300_000]
    const { orgId } = server.orgs[0]
    const { seen, store } = watched()
    const call = {
      ...server.app,
      reader: server.app.db.reader,
      scope: { orgId, environment: 'sandbox' as const },
      store,
    }
    const actor = { kind: 'system', id: 'test' } as never
    const wanted = { audience: 'organisation', reports: true, query: {} } as const
    const content = await downloadBundle({ ...call, actor }, { sessionId: session.id, wanted })
    const pieces: Buffer[] = []
    for await (const piece of content.read({ start, end })) pieces.push(piece)
    expect(Buffer.concat(pieces).equals(bytes.subarray(start, end))).toBe(true)
    expect(seen.readBytes).toBeLessThan(300_000 + MiB)
    const range = { range: `bytes=${start}-${end - 1}` }
    const part = await download(server, session, { headers: range })
    expect([part.status, part.bytes.equals(sound.subarray(start - at, end - at))]).toEqual([206, true])
  })
})
