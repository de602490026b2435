import { describe, expect, it } from 'vitest'
import { defaultLimits } from '../../../src/app/config.ts'
import { mintApiKey } from '../../../src/domains/organisation/api-keys/api-keys.service.ts'
import { system } from '../../../src/kernel/identity/actor.ts'
import { approvedRequest } from '../../test-support/access-requests.ts'
import { buildCaptureSession, refusal, sendStill } from '../../test-support/capture-session.ts'
import { postLogin } from '../../test-support/portal.ts'
import { refusalOf } from '../../test-support/refusal.ts'
import { type TestServer, testPassword } from '../../test-support/server.ts'
import { scheduleSession } from '../../test-support/world.ts'
import { bearer, useServers } from './pipeline.test-support.ts'

const start = useServers()
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

  it('count what a key may not do like everything else', async () => {
    const server = await start({ limits: { perKey: 3 } })
    const { orgId } = server.orgs[0]
    const key = { label: 'reads nothing', environment: 'sandbox', scopes: ['org:read'] } as const
    const { token } = await server.app.db.transact((tx) =>
      mintApiKey({ ...server.app, tx, reader: tx }, { orgId, actor: system, input: key }),
    )
    const statuses: number[] = []
    for (let n = 0; n < 5; n++)
      statuses.push((await fetch(`${server.url}/v1/api/sessions`, { headers: bearer(token) })).status)
    expect(statuses).toEqual([403, 403, 403, 429, 429])
  })

  it("stop an organisation's lists when its reads have used up their time, and nothing else", async () => {
    const server = await start({ limits: { ...defaultLimits, perKey: 10_000, perOrg: 10_000, readMsPerOrg: 1 } })
    const { sandboxKey, liveKey } = server.orgs[0]
    const list = (token: string) => fetch(`${server.url}/v1/api/sessions`, { headers: bearer(token) })
    let answer = await list(sandboxKey)
    expect(limitsOf(answer)).toMatchObject({ status: 200, limit: 10_000, scope: 'key' })
    for (let n = 0; n < 5000 && answer.status === 200; n++) answer = await list(sandboxKey)
    expect(limitsOf(answer)).toEqual({
      status: 429,
      limit: 1,
      remaining: 0,
      reset: 60,
      scope: 'org',
      retryAfter: '60',
    })
    expect(await answer.json()).toMatchObject({
      error: { code: 'rate_limited', message: expect.stringContaining('1 ms of reading') },
    })
    expect((await list(liveKey)).status).toBe(429)
    expect((await me(server, sandboxKey)).status).toBe(200)
    expect((await list(server.orgs[1].sandboxKey)).status).toBe(200)
    server.clock.advance(60_000)
    expect((await list(sandboxKey)).status).toBe(200)
  })

  it('count an upload by its bytes instead of as a request', async () => {
    const server = await start({ limits: { ...defaultLimits, perCredential: 4, uploadsPerCredential: 3 } })
    const session = await buildCaptureSession(server)
    const send = async () => (await sendStill(server, session)).status
    expect([await send(), await send(), await send()]).toEqual([201, 201, 201])
    expect(await refusal(send())).toMatchObject({ status: 429 })
    // Two requests of the start are all that was counted.
    const params = { id: session.id }
    expect((await session.agent.call('agent.sessions.config', { params })).status).toBe(200)
    expect((await session.agent.call('agent.sessions.config', { params })).status).toBe(200)
    expect(await refusal(session.agent.call('agent.sessions.config', { params }))).toMatchObject({ status: 429 })
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
    expect((await from('198.51.100.1', 'sk_test_again')).status).toBe(429)
    expect((await from('203.0.113.7, 198.51.100.1', 'sk_test_again')).status).toBe(429)
    expect((await from('198.51.100.2', 'sk_test_again')).status).toBe(401)
    expect((await from('198.51.100.1', sandboxKey)).status).toBe(200)
  })

  it('let an address try 20 wrong credentials in a window, and refuse none of the right ones behind it', async () => {
    const server = await start({ limits: defaultLimits })
    const [{ sandboxKey, email }] = server.orgs
    const session = await scheduleSession(server.client(sandboxKey))
    const wrong = [
      () => me(server, 'sk_test_wrong'),
      () => fetch(`${server.url}/v1/evidence/evd_1/content?token=wrong`),
    ]
    for (let n = 0; n < 20; n++) expect((await wrong[n % 2]!()).status).toBe(401)
    for (const ask of wrong) expect(limitsOf(await ask())).toMatchObject({ status: 429, limit: 20, retryAfter: '60' })
    expect((await me(server, sandboxKey)).status).toBe(200)
    const config = `${server.url}/v1/sessions/${session.id}/config`
    expect((await fetch(config, { headers: bearer(session.agent) })).status).toBe(200)
    expect((await fetch(`${server.url}/v1/health/ready`)).status).toBe(200)
    const signedIn = await postLogin(server, { email, password: testPassword })
    expect(signedIn.status).toBe(200)
    expect((await wrong[0]!()).status).toBe(429)
    server.clock.advance(60_000)
    expect((await wrong[0]!()).status).toBe(401)
  })

  it('do not let strays, health checks or pages of an address bar each other or anybody known', async () => {
    const server = await start({ limits: { ...defaultLimits, perAddress: 3, pagesPerAddress: 3 } })
    const ask = async (method: string, path: string) => (await fetch(server.url + path, { method })).status
    const flood = async (method: string, path: string) => {
      const statuses: number[] = []
      for (let n = 0; n < 5; n++) statuses.push(await ask(method, path))
      return statuses.slice(-2)
    }
    expect(await flood('GET', '/nowhere')).toEqual([429, 429])
    expect(await flood('DELETE', '/v1/api/me')).toEqual([429, 429])
    expect(await flood('GET', '/v1/api/me')).toEqual([429, 429])
    expect(await ask('GET', '/v1/health')).toBe(200)
    expect(await ask('GET', '/docs')).toBe(200)
    expect(await flood('GET', '/openapi.json')).toEqual([429, 429])
    expect(await flood('OPTIONS', '/v1/api/me')).toEqual([429, 429])
    expect(await flood('GET', '/v1/health')).toEqual([429, 429])
    expect(await ask('GET', '/v1/health/ready')).toBe(200)
    expect((await me(server, server.orgs[0].sandboxKey)).status).toBe(200)
  })

  it('shut an address out from joining after 20 wrong join codes, which are short, and from nothing else', async () => {
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
    expect((await me(server, sandboxKey)).status).toBe(200)
    server.clock.advance(60_000)
    const joined = await anyone.call('agent.sessions.join', { body: { joinCode: data.joinCode } })
    expect(joined.data.session.id).toBe(id)
  })

  it('let an address try 20 wrong links in a window, which are long, and refuse none of the right ones behind it', async () => {
    const server = await start({ limits: defaultLimits })
    const { token, email } = await approvedRequest(server)
    const inspect = (given: string) => server.client().call('ownerInvites.inspect', { body: { token: given } })
    for (let n = 0; n < 20; n++) expect((await refusalOf(inspect(`own_wrong${n}`))).code).toBe('not_found')
    expect(await refusalOf(inspect('own_wrong'))).toMatchObject({ code: 'rate_limited', retryAfterMs: 60_000 })
    expect((await inspect(token)).data.email).toBe(email)
  })

  it('are counted and told on unknown paths, preflights and pages too', async () => {
    const server = await start()
    for (const [method, path, left] of [
      ['GET', '/nowhere', 1],
      ['DELETE', '/v1/api/me', 2],
      ['OPTIONS', '/v1/api/me', 1],
      ['GET', '/docs', 2],
    ] as const)
      expect(limitsOf(await fetch(server.url + path, { method })), path).toMatchObject({
        limit: 1e6,
        remaining: 1e6 - left,
        scope: 'key',
      })
  })
})
