import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hashPassword, passwordsWaiting } from '../../../src/platform/crypto/passwords.ts'
import { createLog } from '../../../src/platform/log/log.ts'
import { addMember, cookieHeader, cookiesOf, postLogin, signIn } from '../../test-support/portal.ts'
import { type ServerOptions, startServer, type TestServer, testPassword } from '../../test-support/server.ts'
import {
  actionsOf,
  bodyOf,
  hashesIn,
  me,
  minute,
  post,
  refresh,
  type SentHeaders,
} from './portal-login.test-support.ts'

describe('a page of another origin', () => {
  const home = 'https://portal.example.com'
  const start = (options: ServerOptions = {}) => startServer({ env: { BASE_URL: `${home}/` }, ...options })
  let server: TestServer
  beforeAll(async () => {
    server = await start()
  })
  afterAll(() => server.stop())

  const foreign: SentHeaders[] = [
    { origin: 'https://evil.example.com' },
    { origin: 'http://portal.example.com' },
    { origin: `${home}:8443` },
    { origin: 'null' },
    { 'sec-fetch-site': 'cross-site' },
  ]
  const ours: SentHeaders[] = [
    { origin: home },
    { origin: home, 'sec-fetch-site': 'same-origin' },
    { 'sec-fetch-site': 'none' },
    {},
  ]

  it('cannot sign anybody in, renew a sign-in or end one; the service itself and programs can', async () => {
    const { email, userId } = await addMember(server, 'owner')
    const mine = await signIn(server, email)
    for (const headers of foreign) {
      const refused = [
        await postLogin(server, { email, password: testPassword }, headers),
        await post(server, 'refresh', { cookie: mine.cookie, ...headers }),
        await post(server, 'logout', { cookie: mine.cookie, ...headers }),
      ]
      for (const answer of refused) {
        expect(answer.status, JSON.stringify(headers)).toBe(403)
        expect(answer.headers.getSetCookie()).toEqual([])
        const { error } = await bodyOf(answer)
        expect(error.code).toBe('forbidden')
        expect(error.message).toContain(home)
      }
    }
    expect(await actionsOf(server, userId)).toEqual(['user.signed_in'])
    for (const headers of ours) {
      const answer = await postLogin(server, { email, password: testPassword }, headers)
      expect(answer.status).toBe(200)
      for (const line of answer.headers.getSetCookie()) expect(line).toMatch(/; Secure$/)
      const cookie = cookieHeader(cookiesOf(answer.headers))
      expect((await post(server, 'logout', { ...cookie, ...headers })).status).toBe(200)
    }
  })

  it('cannot change anything by a cookie, may be read to by nobody with cookies, and does not stop a bearer', async () => {
    const { email } = await addMember(server, 'owner')
    const { cookie } = await signIn(server, email)
    const keys = `${server.url}/v1/orgs/${server.orgs[0].orgId}/api-keys`
    const body = JSON.stringify({ label: 'x', environment: 'sandbox', scopes: ['org:read'] })
    const create = (headers: SentHeaders) =>
      fetch(keys, { method: 'POST', body, headers: { 'content-type': 'application/json', ...headers } })
    for (const headers of foreign) expect((await create({ cookie, ...headers })).status).toBe(403)
    for (const headers of ours) expect((await create({ cookie, ...headers })).status).toBe(201)
    const read = await fetch(keys, { headers: { cookie, origin: 'https://evil.example.com' } })
    expect(read.status).toBe(200)
    expect(read.headers.get('access-control-allow-origin')).toBe('*')
    const preflight = await fetch(keys, {
      method: 'OPTIONS',
      headers: { origin: 'https://evil.example.com', 'access-control-request-method': 'POST' },
    })
    for (const answer of [read, preflight]) expect(answer.headers.get('access-control-allow-credentials')).toBeNull()
    const bearer = await fetch(`${server.url}/v1/api/sessions`, {
      method: 'POST',
      body: '{}',
      headers: {
        'content-type': 'application/json',
        authorization: `Bearer ${server.orgs[0].sandboxKey}`,
        ...foreign[0],
      },
    })
    expect(bearer.status).toBe(201)
  })
})

describe('the ceiling of an address', () => {
  it('counts wrong passwords one after the other, so that a burst over many accounts has no more tries', async () => {
    const server = await startServer({ limits: { failuresPerAddress: 3 } })
    try {
      const members = [await addMember(server, 'owner'), await addMember(server, 'owner')]
      let statuses: number[] = []
      const hashes = await hashesIn(async () => {
        const burst = Array.from({ length: 12 }, (_, n) =>
          postLogin(server, { email: `guess${n}@example.org`, password: testPassword }),
        )
        statuses = (await Promise.all(burst)).map(({ status }) => status)
      })
      expect(statuses.filter((status) => status === 401)).toHaveLength(3)
      expect(statuses.filter((status) => status === 429)).toHaveLength(9)
      // One more than tries: the decoy, made at the first attempt.
      expect(hashes).toBe(4)
      const login = () => postLogin(server, { email: members[0]?.email, password: testPassword })
      expect((await login()).status).toBe(429)
      server.clock.advance(minute)
      expect((await login()).status).toBe(200)
    } finally {
      await server.stop()
    }
  })

  it('counts another body under a known Idempotency-Key too: it would tell whether a password is right', async () => {
    const server = await startServer({ limits: { failuresPerAddress: 3 } })
    try {
      const { email } = await addMember(server, 'owner')
      const guess = (password: string) => postLogin(server, { email, password }, { 'idempotency-key': 'login' })
      expect((await guess(testPassword)).status).toBe(200)
      for (let n = 0; n < 3; n++) expect((await guess(`guess ${n}`)).status).toBe(422)
      expect((await guess('guess')).status).toBe(429)
    } finally {
      await server.stop()
    }
  })
})

describe('the log', () => {
  it('holds no e-mail address, password or token of a sign-in, at its finest level', async () => {
    const lines: string[] = []
    const log = createLog({ level: 'trace', destination: { write: (line) => lines.push(line) } })
    const server = await startServer({ overrides: { log } })
    try {
      const { email } = await addMember(server, 'owner')
      await postLogin(server, { email, password: 'a wrong password' })
      const first = await signIn(server, email)
      const second = cookiesOf((await post(server, 'refresh', refresh(first.refresh))).headers)
      server.clock.advance(minute)
      await post(server, 'refresh', refresh(first.refresh))
      await post(server, 'logout', { cookie: first.cookie })
      await server.app.db.transact((tx) => tx.run('DROP TABLE portal_tokens'))
      expect((await me(server, { cookie: first.cookie })).status).toBe(500)
      expect((await postLogin(server, { email, password: testPassword })).status).toBe(500)
      const text = lines.join('')
      expect(text).toContain('request failed')
      const secrets = [email, testPassword, 'a wrong password', first.access, first.refresh, ...Object.values(second)]
      for (const secret of secrets) expect(text).not.toContain(secret)
    } finally {
      await server.stop()
    }
  })
})

describe('the line before the password hash', () => {
  it('is bounded: who would wait behind 64 is told to come back, and is let in once it is shorter', async () => {
    const server = await startServer()
    try {
      const { email } = await addMember(server, 'owner')
      expect((await postLogin(server, { email, password: testPassword })).status).toBe(200)
      const line = Array.from({ length: 2 + 64 }, () => hashPassword('x'))
      expect(passwordsWaiting()).toBe(64)
      const refused = await postLogin(server, { email, password: testPassword })
      expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '5'])
      expect((await bodyOf(refused)).error.code).toBe('service_unavailable')
      await Promise.all(line)
      expect((await postLogin(server, { email, password: testPassword })).status).toBe(200)
    } finally {
      await server.stop()
    }
  })
})
