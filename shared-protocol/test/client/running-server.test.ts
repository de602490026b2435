import { openAsBlob } from 'node:fs'
import { open, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { buildCaptureSession, film, iso, published, sha256 } from '../../../server/test/test-support/capture-session.ts'
import { publish, publishMany } from '../../../server/test/test-support/publish.ts'
import { startServer, type TestServer } from '../../../server/test/test-support/server.ts'
import { startReceiver } from '../../../server/test/test-support/webhook-receiver.ts'
import {
  type ClientOptions,
  createIntegrityClient,
  type EventGap,
  type UploadOptions,
  type UploadProgress,
  verifyWebhook,
} from '../../client/src/index.ts'
import { platformRuntime } from '../../client/src/runtime.ts'
import { type ShakyProxy, startShakyProxy } from './shaky-proxy.ts'

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

/** Waits between attempts are real but short; limits on an attempt stay as long as they are. */
const hasty: ClientOptions['runtime'] = {
  sleep: (ms, signal) => platformRuntime.sleep(ms < 30_000 ? Math.min(ms, 5) : ms, signal),
}
const patient = { maxAttempts: 1000, capMs: 1000 }
const partBytes = 1024 * 1024

let server: TestServer
let proxy: ShakyProxy
beforeAll(async () => {
  server = await startServer()
  proxy = await startShakyProxy(() => server.url)
})
afterAll(async () => {
  await proxy.close()
  await server.stop()
})

const build = (apiKey = server.orgs[0].sandboxKey, options: Partial<ClientOptions> = {}) =>
  createIntegrityClient({ baseUrl: proxy.url, apiKey, runtime: hasty, retries: patient, ...options })

describe('against a running server, over a network that breaks', () => {
  it('a session is created once though the answer to it was lost', async () => {
    const client = build()
    const before = (await client.call('sessions.list')).total
    proxy.loseNextAnswer()
    const { data, attempts, replayed } = await client.request('sessions.create', { body: { externalId: 'order-1' } })
    expect({ attempts, replayed }).toEqual({ attempts: 2, replayed: true })
    expect((await client.call('sessions.list')).total).toBe(before + 1)
    expect((await client.call('sessions.get', { params: { id: data.id } })).externalId).toBe('order-1')
  })

  it('every session is met once while the server restarts and others are created', async () => {
    const client = build(server.orgs[1].sandboxKey)
    const ids = new Set<string>()
    for (let n = 0; n < 25; n += 1) ids.add((await client.call('sessions.create')).id)
    const met: string[] = []
    for await (const session of client.items('sessions.list', { query: { limit: 10 } })) {
      met.push(session.id)
      if (met.length === 10) {
        const restarted = server.restart()
        proxy.cut()
        await restarted
        await client.call('sessions.create')
      }
    }
    expect(met).toHaveLength(25)
    expect(new Set(met)).toEqual(ids)
  })

  it('a ceiling is waited for as long as the server asks', async () => {
    const strict = await startServer({ limits: { perKey: 2 } })
    const waits: number[] = []
    const sleep: NonNullable<ClientOptions['runtime']>['sleep'] = async (ms, signal) => {
      if (ms === 30_000) return platformRuntime.sleep(ms, signal)
      waits.push(ms)
      strict.clock.advance(ms)
    }
    try {
      const client = createIntegrityClient({ baseUrl: strict.url, apiKey: strict.orgs[0].liveKey, runtime: { sleep } })
      for (let n = 0; n < 2; n += 1) await client.call('orgs.me')
      const { attempts } = await client.request('orgs.me')
      expect(attempts).toBe(2)
      expect(waits).toHaveLength(1)
      expect(waits[0]).toBeGreaterThan(1000)
    } finally {
      await strict.stop()
    }
  })
})

describe('an upload', () => {
  const itemOf = (sessionId: string, bytes: Uint8Array, source: UploadOptions['source'] = bytes): UploadOptions => ({
    sessionId,
    source,
    evidenceType: 'screen_clip',
    contentType: 'video/webm',
    capturedAt: iso(server.clock.now()),
    durationMs: 10_000,
    metadata: { displayId: 'display-1' },
    partSize: partBytes,
  })
  const contentOf = async (id: string): Promise<Buffer> => {
    const { url } = await build().call('evidence.downloadUrl', { params: { id } })
    const answer = await fetch(server.url + url.slice(server.app.config.baseUrl.length))
    return Buffer.from(await answer.arrayBuffer())
  }

  it('that was cut off goes on where it was, after a restart of the server and in another client', async () => {
    const session = await buildCaptureSession(server)
    const bytes = film(5 * partBytes + 1234)
    const stopping = new AbortController()
    const reason = new Error('the laptop was closed')
    const onProgress = ({ phase, doneBytes }: UploadProgress) => {
      if (phase === 'sending' && doneBytes >= 2 * partBytes) stopping.abort(reason)
    }
    const first = build(session.token).upload({
      ...itemOf(session.id, bytes),
      parallel: 1,
      onProgress,
      signal: stopping.signal,
    })
    await expect(first).rejects.toBe(reason)
    await server.restart()
    const progress: UploadProgress[] = []
    const { evidence, resumedParts, deduplicated } = await build(session.token).upload({
      ...itemOf(session.id, bytes),
      onProgress: (now) => progress.push(now),
    })
    expect({ resumedParts, deduplicated }).toEqual({ resumedParts: 2, deduplicated: false })
    expect(progress.filter(({ phase }) => phase === 'sending').map(({ doneBytes }) => doneBytes)[0]).toBe(2 * partBytes)
    expect(progress.at(-1)).toEqual({ phase: 'sending', doneBytes: bytes.length, totalBytes: bytes.length })
    expect(evidence).toMatchObject({ sizeBytes: bytes.length, sha256: sha256(bytes), clientId: sha256(bytes) })
    expect((await contentOf(evidence.id)).equals(bytes)).toBe(true)
    const again = await build(session.token).upload(itemOf(session.id, bytes))
    expect(again).toEqual({ evidence, deduplicated: true, resumedParts: 0 })
    expect(await published(server, session, 'evidence.ready')).toBe(1)
  })

  it('lives through a restart and lost answers in the middle of it', async () => {
    const session = await buildCaptureSession(server)
    const bytes = film(6 * partBytes + 5)
    let restarted: Promise<void> | undefined
    const onProgress = ({ phase, doneBytes }: UploadProgress) => {
      if (phase !== 'sending' || doneBytes === 0) return
      if (restarted === undefined) {
        restarted = server.restart()
        proxy.cut()
      } else proxy.loseNextAnswer()
    }
    const { evidence } = await build(session.token).upload({ ...itemOf(session.id, bytes), onProgress })
    await restarted
    expect((await contentOf(evidence.id)).equals(bytes)).toBe(true)
    expect(await published(server, session, 'evidence.ready')).toBe(1)
  })

  it('takes a blob of a file, an open file, and a stream whose hash is known', async () => {
    const session = await buildCaptureSession(server)
    const path = join(tmpdir(), `client-upload-${process.pid}.webm`)
    const films = [film(2 * partBytes + 9), film(partBytes), film(2 * partBytes + 1)] as const
    const client = build(session.token)
    const upload = async (bytes: Buffer, source: UploadOptions['source'], extra: Partial<UploadOptions> = {}) => {
      const { evidence } = await client.upload({ ...itemOf(session.id, bytes, source), ...extra })
      expect((await contentOf(evidence.id)).equals(bytes)).toBe(true)
    }
    try {
      await writeFile(path, films[0])
      await upload(films[0], await openAsBlob(path))
      await writeFile(path, films[1])
      const handle = await open(path)
      try {
        await upload(films[1], handle)
      } finally {
        await handle.close()
      }
      const stream = () => new Blob([new Uint8Array(films[2])]).stream()
      const source = { stream: stream(), sizeBytes: films[2].length }
      await expect(client.upload(itemOf(session.id, films[2], source))).rejects.toThrow(/sha256/)
      const sha = sha256(films[2])
      await upload(films[2], { stream: stream(), sizeBytes: films[2].length }, { sha256: sha, clientId: 'film-0001' })
      const short = { stream: new Blob(['x']).stream(), sizeBytes: 100 }
      await expect(client.upload({ ...itemOf(session.id, films[2], short), sha256: 'a'.repeat(64) })).rejects.toThrow(
        /ended after 1 bytes/,
      )
    } finally {
      await rm(path, { force: true })
    }
  })

  it('that the server refuses says why, and is not tried again', async () => {
    const session = await buildCaptureSession(server)
    const bytes = film(partBytes + 1)
    const before = proxy.connections
    const wrong = build(session.token).upload({ ...itemOf(session.id, bytes), sha256: 'a'.repeat(64) })
    await expect(wrong).rejects.toMatchObject({ status: 400, code: 'invalid_request' })
    const text = build(session.token).upload({ ...itemOf(session.id, bytes), contentType: 'text/plain' })
    await expect(text).rejects.toMatchObject({ status: 400, details: [{ path: 'contentType' }], attempts: 1 })
    expect(proxy.connections - before).toBeLessThan(20)
  })
})

describe('the event stream', () => {
  it('loses nothing and repeats nothing over 20 drops, one of them a restart of the server', async () => {
    const expected: string[] = []
    const add = async (count: number) => {
      for (const { id } of await publishMany(server, count)) expected.push(id)
    }
    const first = await publish(server)
    const seen: string[] = []
    let drops = 0
    await add(1)
    for await (const event of build().streamEvents({ lastEventId: first.id })) {
      seen.push(event.id)
      if (seen.length < expected.length) continue
      if (drops === 20) break
      drops += 1
      // Some are published before the drop, some while nobody listens.
      await add(1)
      const restarted = drops === 10 ? server.restart() : undefined
      proxy.cut()
      await restarted
      await add(drops % 3)
    }
    expect(drops).toBe(20)
    expect(seen).toEqual(expected)
  })

  it('begins with what is published once it was asked for, whatever breaks before the first event', async () => {
    const client = build()
    await publish(server)
    const failures: number[] = []
    const streams = (count: number) =>
      vi.waitUntil(() => server.app.streams.size === count, { timeout: 10_000, interval: 5 })
    await streams(0)
    const onReconnect = (state: { readonly failures: number }) => void failures.push(state.failures)
    const events = client.streamEvents({ onReconnect })
    const next = events.next()
    // Until the stream is open there is no connection to cut.
    await streams(1)
    proxy.cut()
    const { id } = await publish(server)
    expect((await next).value?.id).toBe(id)
    expect(failures.length).toBeGreaterThan(0)
    await events.return()
  })

  it('closes a gap from the log and goes on live', async () => {
    const start = await publish(server)
    const missed = (await publishMany(server, 230)).map(({ id }) => id)
    const gaps: EventGap[] = []
    const seen: string[] = []
    for await (const event of build().streamEvents({ lastEventId: start.id, onGap: (gap) => gaps.push(gap) })) {
      seen.push(event.id)
      if (seen.length === 231) break
      if (seen.length === 230) missed.push((await publish(server)).id)
    }
    expect(gaps).toEqual([{ requested: start.id, oldest: missed[30], recovered: 230, complete: true }])
    expect(seen).toEqual(missed)
  })

  it('ends with the refusal when the key is wrong, or may not read events', async () => {
    await expect(build('sk_test_wrong').streamEvents().next()).rejects.toMatchObject({ status: 401 })
    const session = await buildCaptureSession(server)
    await expect(build(session.token).streamEvents().next()).rejects.toMatchObject({ code: 'unauthorized' })
  })
})

describe('a delivery of the server', () => {
  it('is verified with its secret, with the old and the new one while it is replaced, and never when it was changed', async () => {
    const receiver = await startReceiver(() => server.clock.now())
    const client = build()
    try {
      const created = await client.call('webhooks.create', {
        body: { url: receiver.url, eventTypes: ['webhook.test'] },
      })
      const params = { id: created.id }
      const { eventId } = await client.call('webhooks.test', { params })
      await server.processAll()
      const rotated = await client.call('webhooks.rotateSecret', { params })
      await client.call('webhooks.test', { params })
      await server.processAll()
      const [before, after] = receiver.received
      if (!before || !after) throw new Error('two deliveries were expected')
      const now = server.clock.now()
      const event = await verifyWebhook(before.body, before.headers, created.secret, { now })
      expect(event.id).toBe(eventId)
      if (event.type !== 'webhook.test') throw new Error('another type')
      expect(event.data.webhook.id).toBe(created.id)
      const both = [created.secret, rotated.secret]
      for (const { body, headers } of [before, after]) await verifyWebhook(body, headers, both, { now })
      const refusals: [Promise<unknown>, string][] = [
        [verifyWebhook(after.body, after.headers, created.secret, { now }), 'signature_mismatch'],
        [
          verifyWebhook(Buffer.concat([before.body, Buffer.from(' ')]), before.headers, both, { now }),
          'signature_mismatch',
        ],
        [verifyWebhook(before.body, before.headers, both, { now: now + 301_000 }), 'timestamp_too_old'],
      ]
      // All at once: one that is refused while another is awaited would have nobody to take it.
      await Promise.all(refusals.map(([refusal, reason]) => expect(refusal).rejects.toMatchObject({ reason })))
    } finally {
      await receiver.stop()
    }
  })
})
