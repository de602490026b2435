import { connect } from 'node:net'
import { gzipSync } from 'node:zlib'
import { type EndpointSpec, endpoints } from '@integrity/protocol'
import { afterEach, describe, expect, it } from 'vitest'
import { defaultLimits } from '../../src/app/config.ts'
import { portalCookie } from '../support/portal.ts'
import { refusalOf } from '../support/refusal.ts'
import { type ServerOptions, startServer, type TestServer } from '../support/server.ts'
import { scheduleSession } from '../support/world.ts'

const running: TestServer[] = []
const start = async (options: ServerOptions = {}): Promise<TestServer> => {
  const server = await startServer(options)
  running.push(server)
  return server
}
afterEach(async () => {
  for (const server of running.splice(0)) await server.stop()
})

const bearer = (token: string) => ({ authorization: `Bearer ${token}` })
const me = (server: TestServer, token: string) => fetch(`${server.url}/v1/api/me`, { headers: bearer(token) })
const limitsOf = (response: Response) => ({
  status: response.status,
  limit: Number(response.headers.get('ratelimit-limit')),
  remaining: Number(response.headers.get('ratelimit-remaining')),
  reset: Number(response.headers.get('ratelimit-reset')),
  scope: response.headers.get('ratelimit-scope'),
  retryAfter: response.headers.get('retry-after'),
})

describe('rate ceilings', () => {
  it('let a key make 120 requests in a window of 60 s, and tell it to wait for the rest', async () => {
    const server = await start({ limits: defaultLimits })
    const { sandboxKey, liveKey } = server.orgs[0]
    server.clock.advance(15_000)
    for (let n = 1; n <= 120; n++) {
      const answer = limitsOf(await me(server, sandboxKey))
      expect(answer).toEqual({ status: 200, limit: 120, remaining: 120 - n, reset: 45, scope: 'key', retryAfter: null })
    }
    const refused = await me(server, sandboxKey)
    expect(limitsOf(refused)).toEqual({
      status: 429,
      limit: 120,
      remaining: 0,
      reset: 45,
      scope: 'key',
      retryAfter: '45',
    })
    expect(await refused.json()).toMatchObject({ success: false, error: { code: 'rate_limited' } })
    expect((await me(server, liveKey)).status).toBe(200)
    server.clock.advance(44_999)
    expect(limitsOf(await me(server, sandboxKey))).toMatchObject({ status: 429, reset: 1, retryAfter: '1' })
    server.clock.advance(1)
    expect(limitsOf(await me(server, sandboxKey))).toMatchObject({ status: 200, remaining: 119, reset: 60 })
  })

  it('let the keys of an organisation make 600 together, and name the organisation as the ceiling', async () => {
    const server = await start({ limits: { ...defaultLimits, perKey: 400 } })
    const { sandboxKey, liveKey } = server.orgs[0]
    for (let n = 0; n < 300; n++) expect((await me(server, sandboxKey)).status).toBe(200)
    expect(limitsOf(await me(server, liveKey))).toMatchObject({ status: 200, limit: 600, remaining: 299, scope: 'org' })
    for (let n = 0; n < 299; n++) expect((await me(server, liveKey)).status).toBe(200)
    expect(limitsOf(await me(server, liveKey))).toMatchObject({
      status: 429,
      limit: 600,
      scope: 'org',
      retryAfter: '60',
    })
    expect(limitsOf(await me(server, sandboxKey))).toMatchObject({ status: 429, scope: 'org' })
    expect((await me(server, server.orgs[1].liveKey)).status).toBe(200)
  })

  it('count every other credential for itself', async () => {
    const server = await start({ limits: { ...defaultLimits, perCredential: 3 } })
    const [one, two] = await Promise.all([1, 2].map(() => scheduleSession(server.client(server.orgs[0].sandboxKey))))
    const config = (session: { id: string; agent: string } | undefined) =>
      fetch(`${server.url}/v1/sessions/${session?.id}/config`, { headers: bearer(session?.agent ?? '') })
    for (let n = 0; n < 3; n++)
      expect(limitsOf(await config(one))).toMatchObject({ status: 200, limit: 3, scope: 'key' })
    expect(limitsOf(await config(one))).toMatchObject({ status: 429, scope: 'key', retryAfter: '60' })
    expect((await config(two)).status).toBe(200)
  })

  it('count anonymous callers by their address', async () => {
    const server = await start({ limits: { ...defaultLimits, perAddress: 2 } })
    const health = () => fetch(`${server.url}/v1/health`)
    expect(limitsOf(await health())).toMatchObject({ status: 200, remaining: 1 })
    expect((await health()).status).toBe(200)
    expect(limitsOf(await health())).toMatchObject({ status: 429, limit: 2, scope: 'key' })
    expect((await me(server, server.orgs[0].sandboxKey)).status).toBe(200)
  })

  it('count against the address that a trusted proxy saw, and against the proxy itself for nobody else', async () => {
    const server = await start({ limits: defaultLimits, env: { TRUSTED_PROXIES: '127.0.0.1' } })
    const from = (address: string, key: string) =>
      fetch(`${server.url}/v1/api/me`, { headers: { authorization: `Bearer ${key}`, 'x-forwarded-for': address } })
    for (let n = 0; n < 20; n++) expect((await from('198.51.100.1', `sk_test_${n}`)).status).toBe(401)
    const { sandboxKey } = server.orgs[0]
    expect((await from('198.51.100.1', sandboxKey)).status).toBe(429)
    expect((await from('203.0.113.7, 198.51.100.1', sandboxKey)).status).toBe(429)
    expect((await from('198.51.100.2', sandboxKey)).status).toBe(200)
  })

  it('shut an address out after 20 wrong credentials, until the window ends', async () => {
    const server = await start({ limits: defaultLimits })
    for (let n = 0; n < 20; n++) expect((await me(server, `sk_test_${n}`)).status).toBe(401)
    expect(limitsOf(await me(server, 'sk_test_again'))).toMatchObject({ status: 429, limit: 20, retryAfter: '60' })
    expect((await me(server, server.orgs[0].sandboxKey)).status).toBe(429)
    server.clock.advance(60_000)
    expect((await me(server, server.orgs[0].sandboxKey)).status).toBe(200)
  })

  it('shut an address out after 20 wrong join codes', async () => {
    const server = await start({ limits: defaultLimits })
    const { sandboxKey } = server.orgs[0]
    const api = server.client(sandboxKey)
    const { id } = await scheduleSession(api)
    const { data } = await api.call('sessions.joinLinks.create', { params: { id }, body: { role: 'candidate' } })
    const anyone = server.client()
    for (let n = 0; n < 20; n++)
      expect((await refusalOf(anyone.call('agent.sessions.join', { body: { joinCode: '0000-0000' } }))).code).toBe(
        'not_found',
      )
    const refusal = await refusalOf(anyone.call('agent.sessions.join', { body: { joinCode: data.joinCode } }))
    expect(refusal).toMatchObject({ code: 'rate_limited', status: 429, retryAfterMs: 60_000 })
    server.clock.advance(60_000)
    const joined = await anyone.call('agent.sessions.join', { body: { joinCode: data.joinCode } })
    expect(joined.data.session.id).toBe(id)
  })

  it('are answered with the headers on unknown paths and preflights too', async () => {
    const server = await start()
    for (const [method, path] of [
      ['GET', '/nowhere'],
      ['DELETE', '/v1/api/me'],
      ['OPTIONS', '/v1/api/me'],
    ] as const)
      expect(limitsOf(await fetch(server.url + path, { method }))).toMatchObject({
        limit: 1e6,
        remaining: 1e6,
        scope: 'key',
      })
  })
})

describe('addresses and methods', () => {
  it('an unknown path is not found, whatever the method', async () => {
    const server = await start()
    for (const path of [
      '/',
      '/v1',
      '/v1/api',
      '/v1/api/nothing',
      '/v1/api/sessions/',
      '/v2/api/me',
      '/v1/API/me',
      '/v1//api/me',
    ])
      for (const method of ['GET', 'POST', 'DELETE', 'OPTIONS', 'PROPFIND']) {
        const answer = await fetch(server.url + path, { method, headers: bearer(server.orgs[0].sandboxKey) })
        expect(answer.status, `${method} ${path}`).toBe(404)
        expect(await answer.json()).toMatchObject({ success: false, error: { code: 'not_found' } })
      }
  })

  it('a known path with another method is 405 and says which ones it knows', async () => {
    const server = await start()
    const paths = new Map<string, string[]>()
    for (const { path, method } of endpoints as readonly EndpointSpec[])
      paths.set(path, [...(paths.get(path) ?? []), method])
    for (const [path, methods] of paths)
      for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].filter(
        (candidate) => !methods.includes(candidate),
      )) {
        // `join` is also a session's id to a GET.
        if (path === '/v1/sessions/join') continue
        if (path === '/v1/api/events/stream' && method === 'POST') continue
        const answer = await fetch(server.url + path.replaceAll(/\{\w+\}/g, 'x'), { method })
        expect(answer.status, `${method} ${path}`).toBe(405)
        const known = methods.includes('GET') ? [...methods, 'HEAD'] : methods
        expect(answer.headers.get('allow')?.split(', ').sort()).toEqual([...known].sort())
      }
  })

  it('a request that is none, and headers that are too large, are refused in the same envelope', async () => {
    const server = await start()
    const { hostname, port } = new URL(server.url)
    const say = (text: string) =>
      new Promise<string>((resolve, reject) => {
        const socket = connect(Number(port), hostname, () => socket.write(text))
        let heard = ''
        socket.on('data', (chunk) => {
          heard += String(chunk)
        })
        socket.on('end', () => resolve(heard))
        socket.on('error', reject)
      })
    const broken = await say('this is no request\r\n\r\n')
    expect(broken).toMatch(/^HTTP\/1\.1 400 /)
    const large = await say(`GET /v1/health HTTP/1.1\r\nHost: x\r\nX-Large: ${'a'.repeat(20_000)}\r\n\r\n`)
    expect(large).toMatch(/^HTTP\/1\.1 431 /)
    for (const answer of [broken, large]) {
      const [head = '', body = ''] = answer.split('\r\n\r\n')
      const { success, error, requestId } = JSON.parse(body) as {
        success: boolean
        error: { code: string }
        requestId: string
      }
      expect({ success, code: error.code }).toEqual({ success: false, code: 'invalid_request' })
      expect(head).toContain(`X-Request-Id: ${requestId}`)
      expect(head).toContain('X-Service-Api-Version: v1')
    }
    expect((await fetch(`${server.url}/v1/health`)).status).toBe(200)
  })

  it('a preflight is answered with the methods of the path and without credentials', async () => {
    const server = await start()
    const headers = { origin: 'https://example.org', 'access-control-request-method': 'PATCH' }
    const answer = await fetch(`${server.url}/v1/api/sessions/ses_1`, { method: 'OPTIONS', headers })
    expect(answer.status).toBe(204)
    expect(answer.headers.get('access-control-allow-methods')).toBe('GET, PATCH, OPTIONS')
    expect(answer.headers.get('access-control-allow-origin')).toBe('*')
    expect(answer.headers.get('access-control-allow-credentials')).toBeNull()
    const allowed = answer.headers.get('access-control-allow-headers')?.toLowerCase() ?? ''
    for (const name of [
      'authorization',
      'content-type',
      'idempotency-key',
      'if-none-match',
      'range',
      'x-service-evidence-meta',
    ])
      expect(allowed).toContain(name)
    expect(answer.headers.get('x-service-api-version')).toBe('v1')
    expect(answer.headers.get('x-request-id')).toMatch(/^req_/)
  })

  it('a query value that is given twice is refused, and a question mark inside a value belongs to it', async () => {
    const server = await start()
    const get = (query: string) =>
      fetch(`${server.url}/v1/api/sessions?${query}`, { headers: bearer(server.orgs[0].sandboxKey) })
    expect(await (await get('limit=1&limit=2')).json()).toMatchObject({
      error: { code: 'invalid_request', details: [{ path: 'limit', message: 'is given more than once' }] },
    })
    expect((await get('toString=1&constructor=2&__proto__=3&unknown=4')).status).toBe(200)
    const pathsOf = async (query: string) => {
      const { error } = (await (await get(query)).json()) as { error: { details: { path: string }[] } }
      return error.details.map(({ path }) => path)
    }
    // Were the value cut at its question mark, `limit` would be part of it.
    expect(await pathsOf('provisionedBy=a?b&limit=101')).toEqual(['limit'])
    expect(await pathsOf('provisionedBy=a%00b')).toEqual(['provisionedBy'])
    expect(await pathsOf('unknown=1&unknown=2')).toEqual(['unknown'])
  })
})

describe('bodies', () => {
  const post = (server: TestServer, body: string | Uint8Array<ArrayBuffer>, headers: Record<string, string> = {}) =>
    fetch(`${server.url}/v1/api/sessions`, {
      method: 'POST',
      headers: { ...bearer(server.orgs[0].sandboxKey), 'content-type': 'application/json', ...headers },
      body,
    })

  it('may be 1 MiB, and one byte more is 413 whether its length is announced or not', async () => {
    const server = await start()
    const bytes = (length: number) => new Uint8Array(length).fill(0x20)
    const whole = bytes(1024 * 1024)
    whole.set(new TextEncoder().encode('{}'))
    expect((await post(server, whole)).status).toBe(201)
    expect((await post(server, bytes(1024 * 1024 + 1))).status).toBe(413)
    const stream = new ReadableStream({
      start(controller) {
        for (let n = 0; n < 17; n++) controller.enqueue(bytes(65_536))
        controller.close()
      },
    })
    const init = {
      method: 'POST',
      body: stream,
      duplex: 'half',
      headers: { ...bearer(server.orgs[0].sandboxKey), 'content-type': 'application/json' },
    }
    const chunked = await fetch(`${server.url}/v1/api/sessions`, init as RequestInit)
    expect(chunked.status).toBe(413)
    expect(await chunked.json()).toMatchObject({ error: { code: 'invalid_request' } })
  })

  it('come plain: a compressed one is 415', async () => {
    const server = await start()
    const answer = await post(server, new Uint8Array(gzipSync('{}')), { 'content-encoding': 'gzip' })
    expect(answer.status).toBe(415)
    expect(await answer.json()).toMatchObject({ error: { code: 'invalid_request' } })
    for (const encoding of ['br', 'deflate', 'identity, gzip', 'x'])
      expect((await post(server, '{}', { 'content-encoding': encoding })).status, encoding).toBe(415)
    expect((await post(server, '{}', { 'content-encoding': 'identity' })).status).toBe(201)
  })

  it('may say their charset', async () => {
    const server = await start()
    expect((await post(server, '{}', { 'content-type': 'Application/JSON; charset=utf-8' })).status).toBe(201)
  })

  it('with half a surrogate pair keep the rest of their text', async () => {
    const server = await start()
    const answer = await post(server, '{"externalId":"cut \\ud83d","candidateLabel":"whole \\ud83d\\ude00"}')
    expect(answer.status).toBe(201)
    expect(await answer.json()).toMatchObject({ data: { externalId: 'cut \ufffd', candidateLabel: 'whole \u{1f600}' } })
  })

  it('nested without end are refused, and brackets inside a text do not count', async () => {
    const server = await start()
    const nested = (depth: number) => `{"a":${'['.repeat(depth)}${']'.repeat(depth)}}`
    expect((await post(server, nested(63))).status).toBe(201)
    const mixed = `${'{"a":['.repeat(33)}1${']}'.repeat(33)}`
    for (const body of [nested(64), nested(200_000), mixed]) {
      const refused = await post(server, body)
      expect(refused.status).toBe(400)
      expect(await refused.json()).toMatchObject({ error: { code: 'invalid_request', details: [{ path: '' }] } })
    }
    expect((await post(server, JSON.stringify({ externalId: `\\"${'['.repeat(150)}\\` }))).status).toBe(201)
  })

  it('with U+0000 are refused', async () => {
    const server = await start()
    for (const body of ['{"externalId":"a\\u0000b"}', '{"a\\u0000":1}', '{"config":{"requiredApps":["\\u0000"]}}']) {
      const refused = await post(server, body)
      expect(refused.status, body).toBe(400)
      expect(await refused.json()).toMatchObject({ error: { code: 'invalid_request', details: [{ path: '' }] } })
    }
    // A backslash and the letters, not the character.
    const taken = await post(server, '{"externalId":"a\\\\u0000b"}')
    expect(await taken.json()).toMatchObject({ data: { externalId: 'a\\u0000b' } })
  })
})

describe('errors', () => {
  it('say nothing of what went wrong inside, and the log knows it by the request id', async () => {
    const server = await start()
    const { id } = await scheduleSession(server.client(server.orgs[0].sandboxKey))
    await server.app.db.transact((tx) => tx.run("UPDATE sessions SET config = '{' WHERE session_id = ?", [id]))
    const answer = await fetch(`${server.url}/v1/api/sessions/${id}`, { headers: bearer(server.orgs[0].sandboxKey) })
    expect(answer.status).toBe(500)
    const { error, requestId } = (await answer.json()) as {
      error: { code: string; message: string }
      requestId: string
    }
    expect(error).toEqual({
      code: 'internal_error',
      message: 'something went wrong here; the request id helps us find it',
    })
    const line = server.logLines.find((candidate) => candidate.includes(requestId))
    expect(line).toContain('JSON')
  })

  it('list every problem of a request at once', async () => {
    const server = await start()
    const api = server.client(server.orgs[0].sandboxKey)
    const body = { externalId: 5, config: { retentionDays: 0, capture: { quality: 101 } } } as never
    const { details } = await refusalOf(api.call('sessions.create', { body }))
    expect(details.map((detail) => detail.path).sort()).toEqual([
      'config.capture.quality',
      'config.retentionDays',
      'externalId',
    ])
  })
})

describe('health', () => {
  it('is ready while everything it needs can be used, and says what cannot', async () => {
    const server = await start()
    const api = server.client()
    expect((await api.call('health.live')).data).toMatchObject({ status: 'ok' })
    const { data } = await api.call('health.ready')
    expect(Object.keys(data.checks).sort()).toEqual(['database', 'masterKey', 'migrations', 'process', 'store'])
    await server.app.db.transact((tx) => tx.run("DELETE FROM migrations WHERE name = '0100-jobs'"))
    expect((await api.call('health.ready')).status).toBe(200)
    server.clock.advance(2000)
    const refusal = await refusalOf(api.call('health.ready'))
    expect(refusal).toMatchObject({ status: 503, code: 'service_unavailable' })
    expect(refusal.details).toEqual([{ path: 'migrations', message: expect.stringContaining('0100-jobs') }])
  })
})

describe('what a credential is', () => {
  it('orgs.me and orgs.self tell a key what it is', async () => {
    const server = await start()
    const { orgId, liveKey } = server.orgs[0]
    const { data } = await server.client(liveKey).call('orgs.me')
    expect(data).toMatchObject({ environment: 'live', label: 'first live key', org: { id: orgId } })
    expect(data.scopes).toContain('sessions:write')
    const { data: self } = await server.client(liveKey).call('orgs.self')
    expect(self).toMatchObject({ id: orgId, name: data.org.name, slug: data.org.slug })
  })

  it('a bearer credential wins over a cookie, and a wrong one is not rescued by it', async () => {
    const server = await start()
    const { id } = await scheduleSession(server.client(server.orgs[0].sandboxKey))
    const cookie = await portalCookie(server)
    const detail = (headers: Record<string, string>) => fetch(`${server.url}/v1/sessions/${id}`, { headers })
    expect((await detail(cookie)).status).toBe(200)
    expect((await detail({ ...cookie, ...bearer('sst_wrong') })).status).toBe(401)
  })
})
