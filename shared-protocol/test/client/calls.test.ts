import { describe, expect, expectTypeOf, it } from 'vitest'
import { endpointTable } from '../../client/src/generated/endpoint-table.ts'
import { type ClientOptions, createIntegrityClient, IntegrityError, type Session } from '../../client/src/index.ts'
import { clientEndpointIds, clientTable } from '../../src/client-table.ts'
import { type EndpointSpec, obeysKey } from '../../src/core/endpoint.ts'
import { endpoint } from '../../src/registry.ts'
import { createTestRuntime, ok, refused, scriptedFetch } from './test-runtime.ts'

const build = (script: ReturnType<typeof scriptedFetch>, options: Partial<ClientOptions> = {}) => {
  const runtime = createTestRuntime(options.runtime?.random)
  const client = createIntegrityClient({
    baseUrl: 'https://service.test/',
    apiKey: 'sk_test_1',
    fetch: script.fetch,
    ...options,
    runtime,
  })
  return { client, runtime, sent: script.sent }
}
const failure = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => 'no failure',
    (error: unknown) => error,
  )

describe('a call', () => {
  it('goes to the address of its endpoint with the key, and gives the data', async () => {
    const { client, sent } = build(scriptedFetch(ok({ id: 'ses_1' })))
    const session = await client.call('sessions.get', { params: { id: 'ses/1' } })
    expectTypeOf(session).toEqualTypeOf<Session>()
    expect(session.id).toBe('ses_1')
    expect(sent[0]).toMatchObject({ url: 'https://service.test/v1/api/sessions/ses%2F1', method: 'GET' })
    expect(sent[0]?.headers.get('authorization')).toBe('Bearer sk_test_1')
    expect(sent[0]?.headers.has('idempotency-key')).toBe(false)
  })

  it('asks a function for the key at each call', async () => {
    let asked = 0
    const apiKey = async () => `sk_${++asked}`
    const { client, sent } = build(scriptedFetch(ok({})), { apiKey })
    await client.call('orgs.me')
    await client.call('orgs.me')
    expect(sent.map(({ headers }) => headers.get('authorization'))).toEqual(['Bearer sk_1', 'Bearer sk_2'])
  })

  it('sends raw bytes with their metadata in a header that holds ASCII only', async () => {
    const { client, sent } = build(scriptedFetch(ok({})))
    const meta = { clientId: 'client-1', contentType: 'image/webp', sha256: 'a'.repeat(64), capturedAt: 'x' }
    const raw = { bytes: new Uint8Array([1, 2]), contentType: 'image/webp', meta: { ...meta, trigger: 'é' } }
    await client.call('agent.screenshots.upload', { params: { id: 'ses_1' }, raw })
    expect(sent[0]?.headers.get('x-service-evidence-meta')).toBe(
      JSON.stringify({ ...meta, trigger: '\\' }).replace('\\\\', '\\u00e9'),
    )
    expect(sent[0]?.body).toBe(raw.bytes)
  })

  it('says what is wrong before it sends anything', async () => {
    const { client, sent } = build(scriptedFetch(ok({})))
    expect(await failure(client.call('sessions.get', { params: { id: '' } }))).toBeInstanceOf(TypeError)
    expect(await failure(client.call('no.such' as 'orgs.me'))).toBeInstanceOf(TypeError)
    expect(await failure(client.call('events.stream'))).toBeInstanceOf(TypeError)
    expect(() => createIntegrityClient({ baseUrl: 'service.test' })).toThrow(TypeError)
    expect(sent).toHaveLength(0)
  })

  it('throws a refusal with its code, details and request id', async () => {
    const body = { code: 'invalid_request', message: 'bad', details: [{ path: 'query.limit', message: 'too big' }] }
    const answer = Response.json({ success: false, error: body, requestId: 'req_9' }, { status: 400 })
    const { client } = build(scriptedFetch(answer))
    const error = await failure(client.call('sessions.list'))
    expect(error).toBeInstanceOf(IntegrityError)
    expect(error).toMatchObject({
      status: 400,
      code: 'invalid_request',
      details: body.details,
      requestId: 'req_9',
      attempts: 1,
    })
  })

  it('tells an answer that is not of the service', async () => {
    for (const answer of [
      new Response('<html>', { status: 200 }),
      new Response('null'),
      new Response('', { status: 404 }),
    ]) {
      const { client, sent } = build(scriptedFetch(answer))
      expect(await failure(client.call('orgs.me'))).toMatchObject({ code: 'not_the_service', status: answer.status })
      expect(sent).toHaveLength(1)
    }
  })

  it('gives the unread response for bytes', async () => {
    const { client } = build(scriptedFetch(new Response(new Uint8Array([7, 8]))))
    const response = await client.call('evidence.content', { params: { id: 'evd_1' }, query: { token: 't' } })
    expect([...new Uint8Array(await response.arrayBuffer())]).toEqual([7, 8])
  })
})

/** Of every write that the library can call. */
const writes = clientEndpointIds().filter((id) => endpoint(id).method !== 'GET')

describe('a retry', () => {
  it.each([408, 429, 500, 502, 503, 504])('of a read comes after %i', async (status) => {
    const { client, sent } = build(scriptedFetch(refused(status, 'internal_error'), ok({ id: 1 })))
    const answer = await client.request('orgs.me')
    expect(answer.attempts).toBe(2)
    expect(sent).toHaveLength(2)
  })

  it.each([400, 401, 403, 404, 405, 409, 410, 413, 415, 422])('never comes after %i', async (status) => {
    const { client, sent } = build(scriptedFetch(refused(status, 'conflict')))
    expect(await failure(client.call('sessions.create'))).toMatchObject({ status })
    expect(sent).toHaveLength(1)
  })

  it('of a write carries one key of its own, another one for the next call', async () => {
    const { client, sent } = build(scriptedFetch(new TypeError('reset'), refused(503, 'service_unavailable'), ok({})))
    await client.call('sessions.create', { body: {} })
    await client.call('sessions.create', { body: {} })
    const keys = sent.map(({ headers }) => headers.get('idempotency-key'))
    expect(keys[0]).toMatch(/^auto-[0-9a-f]{32}$/)
    expect(new Set(keys.slice(0, 3)).size).toBe(1)
    expect(keys[3]).not.toBe(keys[0])
  })

  it.each(writes)('of %s carries the same key, which the service obeys', async (id) => {
    expect(obeysKey(endpoint(id))).toBe(true)
    const { client, sent } = build(scriptedFetch(new TypeError('reset'), ok({})))
    const params = { id: 'a', sessionId: 'b', uploadId: 'c', deliveryId: 'd', source: 'e' }
    const input = { params, body: {} } as never
    expect((await client.request(id as 'sessions.patch', input)).attempts).toBe(2)
    const [first, second] = sent.map(({ headers }) => headers.get('idempotency-key'))
    expect(first).toMatch(/^auto-/)
    expect(second).toBe(first)
  })

  it("keeps the caller's key, however it was given", async () => {
    const { client, sent } = build(scriptedFetch(new TypeError('reset'), ok({})))
    await client.call('sessions.create', { idempotencyKey: 'order-7' })
    await client.call('sessions.create', { headers: { 'Idempotency-Key': 'order-8' } })
    expect(sent.map(({ headers }) => headers.get('idempotency-key'))).toEqual(['order-7', 'order-7', 'order-8'])
  })

  it('does not come for a write without a key, nor for a body that can be read once only', async () => {
    const { client, sent } = build(scriptedFetch(new TypeError('reset')))
    expect(await failure(client.call('sessions.create', { idempotencyKey: false }))).toMatchObject({
      code: 'no_answer',
    })
    expect(sent[0]?.headers.has('idempotency-key')).toBe(false)
    const meta = { index: 0, sha256: 'a'.repeat(64) }
    const raw = { bytes: new Blob(['x']).stream(), contentType: 'application/octet-stream', meta }
    expect(await failure(client.call('agent.uploads.part', { params: { uploadId: 'u' }, raw }))).toMatchObject({
      code: 'no_answer',
      attempts: 1,
    })
    expect(sent).toHaveLength(2)
  })

  it('waits at least as long as Retry-After says, in seconds or as a date', async () => {
    const { client, runtime } = build(scriptedFetch(refused(429, 'rate_limited', { 'retry-after': '17' }), ok({})))
    await client.call('orgs.me')
    expect(runtime.waits).toEqual([17_000 + 250])
    const date = new Date(runtime.now() + 9000).toUTCString()
    const later = build(scriptedFetch(refused(503, 'service_unavailable', { 'retry-after': date }), ok({})))
    await later.client.call('orgs.me')
    // The clock of the second client begins again, those of the first stands 17,250 ms later.
    expect(later.runtime.waits[0]).toBeGreaterThanOrEqual(9000)
  })

  it('comes after a conflict that says when to come back: the first request with this key is still running', async () => {
    const { client, sent } = build(scriptedFetch(refused(409, 'conflict', { 'retry-after': '1' }), ok({})))
    await client.call('sessions.create')
    expect(sent).toHaveLength(2)
  })

  it('waits below a ceiling that doubles up to its cap', async () => {
    const retries = { maxAttempts: 8, baseMs: 100, capMs: 1000 }
    const random = () => 0.999
    const { client, runtime } = build(scriptedFetch(refused(500, 'internal_error')), { retries, runtime: { random } })
    await failure(client.call('orgs.me'))
    expect(runtime.waits.map((ms) => Math.ceil(ms))).toEqual(
      [100, 200, 400, 800, 1000, 1000, 1000].map((ms) => Math.ceil(ms * 0.999)),
    )
    const none = build(scriptedFetch(refused(500, 'internal_error')), { retries, runtime: { random: () => 0 } })
    await failure(none.client.call('orgs.me'))
    expect(new Set(none.runtime.waits)).toEqual(new Set([0]))
  })

  it('ends with the last error after the last attempt, and before a wait that would take too long', async () => {
    const { client, sent } = build(scriptedFetch(refused(500, 'internal_error')), { retries: { maxAttempts: 3 } })
    expect(await failure(client.call('orgs.me'))).toMatchObject({ status: 500, attempts: 3 })
    expect(sent).toHaveLength(3)
    const long = build(scriptedFetch(refused(429, 'rate_limited', { 'retry-after': '3600' })))
    expect(await failure(long.client.call('orgs.me'))).toMatchObject({ status: 429, retryAfterMs: 3_600_000 })
    expect(long.runtime.waits).toEqual([])
    const off = build(scriptedFetch(refused(500, 'internal_error')), { retries: false })
    await failure(off.client.call('orgs.me'))
    expect(off.sent).toHaveLength(1)
  })

  it('follows an attempt that takes too long', async () => {
    const hangingOnce = (next: () => Response) => {
      let first = true
      return (_url: string, init: RequestInit) =>
        new Promise<Response>((resolve, reject) => {
          if (!first) return resolve(next())
          first = false
          init.signal?.addEventListener('abort', () => reject(init.signal?.reason as Error))
        })
    }
    const timeOut = async (runtime: ReturnType<typeof createTestRuntime>) => {
      while (runtime.guarding === 0) await new Promise(setImmediate)
      runtime.fire(30_000)
    }
    const { client, runtime } = build({ sent: [], fetch: hangingOnce(() => ok({})) })
    const call = client.request('orgs.me')
    await timeOut(runtime)
    expect((await call).attempts).toBe(2)
    expect(runtime.guarding).toBe(0)
    const once = build({ sent: [], fetch: hangingOnce(() => ok({})) }, { retries: false })
    const failed = failure(once.client.call('orgs.me'))
    await timeOut(once.runtime)
    expect(await failed).toMatchObject({ code: 'timeout', attempts: 1, cause: { name: 'TimeoutError' } })
  })
})

describe('an aborted signal', () => {
  it('ends a call at once with its own reason: before it, during the request, and while waiting', async () => {
    const reason = new Error('enough')
    const before = build(scriptedFetch(ok({})))
    expect(await failure(before.client.call('orgs.me', { signal: AbortSignal.abort(reason) }))).toBe(reason)
    expect(before.sent).toHaveLength(0)

    const during = new AbortController()
    const hang = (_url: string, init: RequestInit) =>
      new Promise<Response>((_resolve, reject) => {
        init.signal?.addEventListener('abort', () => reject(new Error('fetch says otherwise')))
      })
    const client = createIntegrityClient({ baseUrl: 'https://service.test', fetch: hang, signal: during.signal })
    const call = failure(client.call('orgs.me'))
    setImmediate(() => during.abort(reason))
    expect(await call).toBe(reason)

    const waiting = new AbortController()
    const refusing = build(
      scriptedFetch(() => {
        setImmediate(() => waiting.abort(reason))
        return refused(503, 'service_unavailable')
      }),
    )
    expect(await failure(refusing.client.call('orgs.me', { signal: waiting.signal }))).toBe(reason)
    expect(refusing.sent).toHaveLength(1)
  })
})

describe('the table of endpoints', () => {
  it('holds what the types name', () => {
    expect(clientTable()).toContain(`'sessions.list': 'GET /v1/api/sessions'`)
    expect(endpointTable['agent.uploads.part']).toBe('POST /v1/uploads/{uploadId}/parts upload-part')
    expect(Object.keys(endpointTable).filter((id) => id.startsWith('portal.'))).toEqual([])
  })

  it('has no GET that must not be sent twice: those that write leave one row of the audit for each look', () => {
    const writing = clientEndpointIds()
      .map((id): EndpointSpec => endpoint(id))
      .filter(({ method, effect }) => method === 'GET' && effect === 'write')
    expect(writing.map(({ id }) => id).sort()).toEqual([
      ...['compositions.content', 'compositions.get', 'evidence.content', 'evidence.get', 'evidence.sealed'],
      ...['sessions.bundle', 'sessions.reels.get'],
    ])
    for (const { id, usesUp, emits = [] } of writing) expect({ id, usesUp, emits }).toEqual({ id, emits: [] })
  })
})
