import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { IntegrityError } from '../../client/src/errors.ts'
import { type Client, createClient } from '../../client/src/every-endpoint.ts'
import { platformRuntime } from '../../client/src/runtime.ts'

interface Seen {
  readonly method: string
  readonly url: string
  readonly headers: IncomingMessage['headers']
  readonly body: Buffer
}
type Reply = (request: Seen, response: ServerResponse) => void

const json =
  (status: number, body: unknown, headers: Record<string, string> = {}): Reply =>
  (_request, response) =>
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
const ok = (data: unknown, headers = {}) => json(200, { success: true, data }, headers)

describe('the typed client', () => {
  let seen: Seen[] = []
  let reply: Reply = ok({})
  let baseUrl = ''
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const { method = '', url = '', headers } = request
      const one = { method, url, headers, body: Buffer.concat(chunks) }
      seen.push(one)
      reply(one, response)
    })
  })

  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  })
  afterAll(async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })
  beforeEach(() => {
    seen = []
    reply = ok({})
  })

  const client = (token?: string | (() => string | undefined)): Client =>
    createClient({ baseUrl, ...(token === undefined ? {} : { token }) })
  const failure = async (call: Promise<unknown>): Promise<IntegrityError> => {
    const error: unknown = await call.then(
      () => undefined,
      (thrown: unknown) => thrown,
    )
    expect(error).toBeInstanceOf(IntegrityError)
    return error as IntegrityError
  }

  it('sends the method, path and credential of the endpoint and gives back the data', async () => {
    reply = ok({ id: 'ses_1' }, { 'x-request-id': 'req_1' })
    const answer = await client('sk_test_1').call('sessions.get', { params: { id: 'ses_1' } })
    expect(answer).toMatchObject({ status: 200, data: { id: 'ses_1' } })
    expect(answer.headers.get('x-request-id')).toBe('req_1')
    expect(seen).toMatchObject([{ method: 'GET', url: '/v1/api/sessions/ses_1' }])
    expect(seen[0]!.headers).toMatchObject({ authorization: 'Bearer sk_test_1', accept: 'application/json' })
    expect(seen[0]!.headers).not.toHaveProperty('content-type')
  })

  it('encodes parameters, so that none can leave its place in the path', async () => {
    await client().call('sessions.get', { params: { id: '../orgs?x=1#y/ü %' } })
    expect(seen[0]!.url).toBe(`/v1/api/sessions/${encodeURIComponent('../orgs?x=1#y/ü %')}`)
  })

  it('writes the query, leaves out what is undefined, and bears a base address with a slash or a path', async () => {
    const query = { limit: 5, state: undefined, provisionedBy: 'key 1&x=ü' } as const
    await createClient({ baseUrl: `${baseUrl}/` }).call('sessions.list', { query })
    await createClient({ baseUrl: `${baseUrl}/behind` }).call('sessions.list')
    expect(seen[0]!.url).toBe('/v1/api/sessions?limit=5&provisionedBy=key+1%26x%3D%C3%BC')
    expect(seen[1]!.url).toBe('/behind/v1/api/sessions')
  })

  it('sends a body as JSON, with the idempotency key and headers of the call', async () => {
    const body = { externalId: 'REQ-1', candidateLabel: 'Zoë' }
    await client().call('sessions.create', { body, idempotencyKey: 'req-4711', headers: { 'x-more': '1' } })
    expect(seen[0]!.headers).toMatchObject({
      'content-type': 'application/json',
      'idempotency-key': 'req-4711',
      'x-more': '1',
    })
    expect(JSON.parse(seen[0]!.body.toString('utf8'))).toEqual(body)
  })

  it('asks for the credential before each call, and lets a call bring its own', async () => {
    const tokens = ['first', undefined]
    const changing = client(() => tokens.shift())
    await changing.call('orgs.me')
    await changing.call('orgs.me')
    await client('usual').call('orgs.me', { headers: { authorization: 'Bearer own' } })
    expect(seen.map((request) => request.headers.authorization)).toEqual(['Bearer first', undefined, 'Bearer own'])
  })

  it('sends raw bytes with their metadata beside them', async () => {
    const bytes = new Uint8Array([0, 255, 10, 13])
    const meta = { clientId: 'still-0001', sha256: 'a'.repeat(64), capturedAt: '2026-11-20T09:00:00.000Z' }
    await client().call('agent.screenshots.upload', {
      params: { id: 'ses_1' },
      raw: { bytes, contentType: 'image/webp', meta },
    })
    expect(seen[0]!.body).toEqual(Buffer.from(bytes))
    expect(seen[0]!.headers['content-type']).toBe('image/webp')
    expect(JSON.parse(String(seen[0]!.headers['x-service-evidence-meta']))).toEqual(meta)
  })

  it('sends the index and hash of a raw part where the endpoint reads them', async () => {
    const raw = {
      bytes: new Uint8Array(3),
      contentType: 'application/octet-stream',
      meta: { index: 2, sha256: 'b'.repeat(64) },
    }
    await client().call('agent.uploads.part', { params: { uploadId: 'upl_1' }, raw })
    expect(seen[0]!.url).toMatch(/\?index=2$/)
    expect(seen[0]!.headers['x-service-part-sha256']).toBe('b'.repeat(64))
  })

  it('gives bytes back as bytes', async () => {
    reply = (_request, response) =>
      response.writeHead(206, { 'content-type': 'application/octet-stream' }).end(Buffer.from([1, 0, 2]))
    const { status, data } = await client().call('evidence.content', {
      params: { id: 'evd_1' },
      query: { token: 't' },
    })
    expect([status, new Uint8Array(await data.arrayBuffer())]).toEqual([206, new Uint8Array([1, 0, 2])])
  })

  it('answers 304 without data', async () => {
    reply = (_request, response) => response.writeHead(304, { etag: '"7"' }).end()
    const call = client().call('agent.sessions.config', {
      params: { id: 'ses_1' },
      headers: { 'if-none-match': '"7"' },
    })
    expect(await call).toMatchObject({ status: 304, data: undefined })
    expect(seen[0]!.headers['if-none-match']).toBe('"7"')
  })

  it('throws what the service refused, with all it said', async () => {
    const details = [{ path: 'config.retentionDays', message: 'must be 1 to 3650' }]
    const error = { code: 'invalid_request', message: 'no', details, consentDocument: { hash: 'x' } }
    reply = json(400, { success: false, error, requestId: 'req_9' })
    const thrown = await failure(client().call('sessions.create', { body: {} }))
    expect(thrown).toMatchObject({ status: 400, code: 'invalid_request', message: 'no', details, requestId: 'req_9' })
    expect(thrown.retryAfterMs).toBeUndefined()
    expect(thrown.extra).toEqual({ consentDocument: { hash: 'x' } })
  })

  it('tells how long to wait, in milliseconds', async () => {
    const limited = { success: false, error: { code: 'rate_limited', message: 'slow down' }, requestId: 'req_1' }
    reply = json(429, limited, { 'retry-after': '3' })
    expect(await failure(client().call('orgs.me'))).toMatchObject({ code: 'rate_limited', retryAfterMs: 3000 })
    reply = json(429, limited, { 'retry-after': 'soon' })
    expect((await failure(client().call('orgs.me'))).retryAfterMs).toBeUndefined()
  })

  it.each<[string, Reply]>([
    [
      'a page of a proxy',
      (_r, response) => response.writeHead(502, { 'content-type': 'text/html' }).end('<h1>Bad gateway</h1>'),
    ],
    [
      'a page that is no error',
      (_r, response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Welcome</h1>'),
    ],
    ['JSON of something else', json(200, { hello: 'world' })],
    ['a redirect, which is not followed', (_r, response) => response.writeHead(302, { location: '/elsewhere' }).end()],
    ['an empty answer', (_r, response) => response.writeHead(200).end()],
    ['null', json(200, null)],
  ])('says that %s is not the service', async (_what, answer) => {
    reply = answer
    const error = await failure(client().call('orgs.me'))
    expect(error).toMatchObject({ code: 'not_the_service', details: [] })
    expect(error.message).toContain('is the address right?')
    expect(seen).toHaveLength(1)
  })

  it('says that no answer came, and why', async () => {
    reply = (_request, response) => response.destroy()
    const error = await failure(client().call('sessions.get', { params: { id: 'ses_1' } }))
    expect(error).toMatchObject({ status: 0, code: 'no_answer', message: 'no answer from GET /v1/api/sessions/{id}' })
    expect(error.cause).toBeInstanceOf(Error)
  })

  it('can be told to stop waiting', async () => {
    const asked = Promise.withResolvers<void>()
    reply = () => asked.resolve()
    const stop = new AbortController()
    const call = client().call('orgs.me', { signal: stop.signal })
    await asked.promise
    const reason = new Error('enough')
    stop.abort(reason)
    await expect(call).rejects.toBe(reason)
  })

  it('gives up when the time for an answer is over, later the more it sends', async () => {
    reply = () => {}
    const waits: number[] = []
    const sleep = async (ms: number) => void waits.push(ms)
    const impatient = createClient({ baseUrl, timeoutMs: 20_000, runtime: { ...platformRuntime, sleep } })
    expect(await failure(impatient.call('orgs.me'))).toMatchObject({ code: 'timeout', status: 0, kind: 'later' })
    const raw = { bytes: new Uint8Array(50_000), contentType: 'image/webp', meta: {} as never }
    await failure(impatient.call('agent.screenshots.upload', { params: { id: 'ses_1' }, raw }))
    await failure(impatient.call('orgs.me', { timeoutMs: 7000 }))
    expect(waits).toEqual([20_000, 25_000, 7000])
  })

  it('says the time of the service, and no time of anybody in between', async () => {
    const dates: string[] = []
    const heard = createClient({ baseUrl, onDate: (date) => void dates.push(date) })
    const date = 'Fri, 20 Nov 2026 09:00:00 GMT'
    for (const answer of [
      ok({}, { date }),
      json(403, { success: false, error: { code: 'forbidden', message: 'no' } }, { date }),
      json(200, { hello: 'world' }, { date }),
    ]) {
      reply = answer
      await heard.call('orgs.me').catch(() => undefined)
    }
    expect(dates).toEqual([date, date])
  })

  it('knows an abort also where signals have no reason, as on a phone', async () => {
    const stop = new AbortController()
    Object.defineProperty(stop.signal, 'reason', { value: undefined })
    reply = () => stop.abort()
    await expect(client().call('orgs.me', { signal: stop.signal })).rejects.toMatchObject({ name: 'AbortError' })
  })

  it('uses the fetch it is given', async () => {
    const urls: string[] = []
    const own = createClient({
      baseUrl: 'https://service.example',
      fetch: async (url) => {
        urls.push(url)
        return Response.json({ success: true, data: { status: 'ok' } })
      },
    })
    expect((await own.call('health.live')).data).toEqual({ status: 'ok' })
    expect(urls).toEqual(['https://service.example/v1/health'])
    expect(seen).toEqual([])
  })
})
