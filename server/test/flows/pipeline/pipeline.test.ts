import { connect } from 'node:net'
import { gzipSync } from 'node:zlib'
import { type EndpointSpec, endpoints } from '@integrity/protocol'
import { describe, expect, it } from 'vitest'
import { portalCookie } from '../../test-support/portal.ts'
import { refusalOf } from '../../test-support/refusal.ts'
import type { TestServer } from '../../test-support/server.ts'
import { scheduleSession } from '../../test-support/world.ts'
import { bearer, useServers } from './pipeline.test-support.ts'

const start = useServers()
describe('addresses and methods', () => {
  it('an unknown path is not found, whatever the method', async () => {
    const server = await start()
    for (const path of [
      '/nothing',
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
    const all = endpoints as readonly EndpointSpec[]
    const patterns = all.map(({ path, method }) => ({
      method,
      pattern: new RegExp(`^${path.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+')}$`),
    }))
    // A word in one path may be an id in another.
    const known = (path: string, method: string) =>
      patterns.some((one) => one.method === method && one.pattern.test(path.replaceAll(/\{\w+\}/g, 'x')))
    for (const path of new Set(all.map((one) => one.path)))
      for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].filter((one) => !known(path, one))) {
        if (path === '/v1/api/events/stream' && method === 'POST') continue
        const answer = await fetch(server.url + path.replaceAll(/\{\w+\}/g, 'x'), { method })
        expect(answer.status, `${method} ${path}`).toBe(405)
        const answered = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].filter((one) => known(path, one))
        // A look at these would use up what they are sent.
        const usedUp = ['/v1/integrations/comms/callback/slack', '/v1/auth/sso/{orgSlug}/callback']
        const looks = answered.includes('GET') && !usedUp.includes(path)
        expect(answer.headers.get('allow')?.split(', ').sort()).toEqual(
          [...answered, ...(looks ? ['HEAD'] : [])].sort(),
        )
      }
  })

  it('a request that is none, without a host, or with headers that are too large is refused in the same envelope', async () => {
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
    const hostless = await say('GET /v1/health HTTP/1.1\r\nConnection: close\r\n\r\n')
    expect(hostless).toMatch(/^HTTP\/1\.1 400 /)
    const expecting = await say('GET /v1/health HTTP/1.1\r\nHost: x\r\nExpect: wonders\r\nConnection: close\r\n\r\n')
    expect(expecting).toMatch(/^HTTP\/1\.1 200 /)
    for (const answer of [broken, large, hostless]) {
      const [head = '', body = ''] = answer.split('\r\n\r\n')
      const { success, error, requestId } = JSON.parse(body) as {
        success: boolean
        error: { code: string }
        requestId: string
      }
      expect({ success, code: error.code }).toEqual({ success: false, code: 'invalid_request' })
      expect(head).toContain(`X-Request-Id: ${requestId}`)
      expect(head).toContain('X-Service-Api-Version: v1')
      expect(head).toMatch(/^RateLimit-Limit: \d+\r$/m)
      expect(head).toMatch(/^RateLimit-Scope: key\r$/m)
    }
    expect((await fetch(`${server.url}/v1/health`)).status).toBe(200)
  })

  it('a header that may come once is refused when it comes twice', async () => {
    const server = await start()
    const key = `Authorization: Bearer ${server.orgs[0].sandboxKey}`
    for (const headers of [[key, key], [key, 'authorization: Bearer other'], [key, 'Host: y'], [key]]) {
      const socket = connect(Number(new URL(server.url).port), '127.0.0.1')
      socket.write(['GET /v1/api/me HTTP/1.1', 'Host: x', 'Connection: close', ...headers, '', ''].join('\r\n'))
      const chunks: Buffer[] = []
      for await (const chunk of socket) chunks.push(chunk as Buffer)
      const status = Number(/^HTTP\/1\.1 (\d+)/.exec(Buffer.concat(chunks).toString())?.[1])
      expect(status, headers.join()).toBe(headers.length === 1 ? 200 : 400)
    }
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
    const pathsOf = async (query: string) => {
      const { error } = (await (await get(query)).json()) as { error: { details: { path: string }[] } }
      return error.details.map(({ path }) => path)
    }
    // Were the value cut at its question mark, `limit` would be part of it.
    expect(await pathsOf('externalId=a?b&limit=101')).toEqual(['limit'])
    expect(await pathsOf('externalId=a%00b')).toEqual(['externalId'])
    expect(await pathsOf('toString=1&constructor=2&status=3')).toEqual(['toString', 'constructor', 'status'])
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

  it('with half a surrogate pair are refused, as wrong UTF-8 is: two different ids must not become one', async () => {
    const server = await start()
    const cut = await post(server, '{"externalId":"cut \\ud83d","candidateLabel":"whole \\ud83d\\ude00"}')
    expect(cut.status).toBe(400)
    expect(await cut.json()).toMatchObject({ error: { details: [{ path: 'externalId' }] } })
    const whole = await post(server, '{"candidateLabel":"whole \\ud83d\\ude00"}')
    expect(await whole.json()).toMatchObject({ data: { candidateLabel: 'whole \u{1f600}' } })
  })

  it('nested without end are refused, and brackets inside a text do not count', async () => {
    const server = await start()
    const nested = (depth: number) => `{"a":${'['.repeat(depth)}${']'.repeat(depth)}}`
    expect(await (await post(server, nested(63))).json()).toMatchObject({ error: { details: [{ path: 'a' }] } })
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
    expect(Object.keys(data.checks).sort()).toEqual([
      'clock',
      'database',
      'masterKey',
      'migrations',
      'process',
      'store',
    ])
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
