import { createHook } from 'node:async_hooks'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { login, proveLogin } from '../../src/domains/auth/login.service.ts'
import { findRefresh } from '../../src/domains/auth/portal-actor.service.ts'
import { lockPortalSession } from '../../src/domains/auth/sign-ins.store.ts'
import { createLog } from '../../src/platform/log/log.ts'
import { hasEngine } from '../support/databases.ts'
import {
  addMember,
  addPerson,
  cookieHeader,
  cookiesOf,
  deactivate,
  join,
  postLogin,
  signIn,
} from '../support/portal.ts'
import { type ServerOptions, startServer, type TestServer, testPassword } from '../support/server.ts'
import { until } from '../support/until.ts'

const minute = 60_000
const day = 24 * 60 * minute

type Headers_ = Readonly<Record<string, string>>
const post = (server: TestServer, verb: 'refresh' | 'logout', headers: Headers_ = {}) =>
  fetch(`${server.url}/v1/auth/${verb}`, { method: 'POST', headers })
const me = (server: TestServer, headers: Headers_) => fetch(`${server.url}/v1/auth/me`, { headers })
const access = (token: string) => cookieHeader({ portal_access: token })
const refresh = (token: string) => cookieHeader({ portal_refresh: token })
const bodyOf = async (answer: Response) =>
  (await answer.json()) as { data: never; error: { code: string; message: string } }
const cleared = { portal_access: '', portal_refresh: '' }

/** How often a password was hashed while the work ran. */
const hashesIn = async (work: () => Promise<unknown>): Promise<number> => {
  let count = 0
  const hook = createHook({
    init: (_id, type) => {
      if (/argon2/i.test(type)) count += 1
    },
  }).enable()
  try {
    await work()
  } finally {
    hook.disable()
  }
  return count
}

interface Noted {
  readonly org: string
  readonly action: string
  readonly actor: string
}
const auditOf = (server: TestServer, userId: string): Promise<Noted[]> =>
  server.app.db.reader.all<Noted>(
    `SELECT org_id AS org, action, actor_kind AS actor FROM audit_log WHERE actor_id = ? ORDER BY at, org_id, seq`,
    [userId],
  )
const actionsOf = async (server: TestServer, userId: string) =>
  (await auditOf(server, userId)).map(({ action }) => action)

for (const engine of ['sqlite', 'postgres'] as const)
  describe.skipIf(!hasEngine(engine))(`portal login (${engine})`, () => {
    let server: TestServer
    beforeAll(async () => {
      server = await startServer({ engine })
    })
    afterAll(() => server.stop())

    describe('auth.login', () => {
      it('answers who it is, where they belong and until when, and sets two httpOnly cookies', async () => {
        const member = await addMember(server, 'reviewer')
        const answer = await postLogin(server, { email: ` ${member.email.toUpperCase()} `, password: testPassword })
        expect(answer.status).toBe(200)
        const now = server.clock.now()
        expect((await bodyOf(answer)).data).toEqual({
          user: { id: member.userId, email: member.email, name: null },
          memberships: [
            {
              id: expect.stringMatching(/^mem_/) as string,
              role: 'reviewer',
              org: expect.objectContaining({ id: server.orgs[0].orgId }) as object,
            },
          ],
          accessExpiresAt: new Date(now + 15 * minute).toISOString(),
          refreshExpiresAt: new Date(now + 30 * day).toISOString(),
        })
        const [first, second] = answer.headers.getSetCookie()
        expect(first).toMatch(/^portal_access=pac_\w{32}; Path=\/; Max-Age=900; HttpOnly; SameSite=Lax$/)
        expect(second).toMatch(/^portal_refresh=prf_\w{32}; Path=\/v1\/auth; Max-Age=2592000; HttpOnly; SameSite=Lax$/)
        expect(await auditOf(server, member.userId)).toEqual([
          { org: server.orgs[0].orgId, action: 'user.signed_in', actor: 'user' },
        ])
      })

      it('answers the same, after the same work, for a wrong password, no such account and one without a password', async () => {
        const known = await addMember(server, 'owner')
        const without = await addMember(server, 'owner')
        await server.app.db.transact((tx) =>
          tx.run('UPDATE users SET password_hash = NULL WHERE user_id = ?', [without.userId]),
        )
        // The first attempt of a process also makes the hash that nobody's password belongs to.
        await signIn(server, (await addMember(server, 'owner')).email)
        const seen: unknown[] = []
        for (const email of [known.email, without.email, 'nobody@example.org', 'no address']) {
          let answer: Response | undefined
          const hashes = await hashesIn(async () => {
            answer = await postLogin(server, { email, password: 'not the password' })
          })
          const { headers, status } = answer as Response
          const told = [...headers].filter(([name]) => !/^(date|x-request-id|ratelimit(-remaining)?)$/.test(name))
          seen.push({ status, error: (await bodyOf(answer as Response)).error, told, hashes })
        }
        expect(seen[0]).toMatchObject({ status: 401, error: { code: 'unauthorized' }, hashes: 1 })
        for (const other of seen) expect(other).toEqual(seen[0])
        expect(await auditOf(server, known.userId)).toEqual([])
      })

      it('takes 10 attempts for an account in 15 minutes, right or wrong', async () => {
        const { email } = await addMember(server, 'owner')
        const attempt = (password: string) => postLogin(server, { email, password })
        for (let n = 0; n < 10; n++) expect((await attempt('wrong')).status).toBe(401)
        server.clock.advance(minute)
        const refused = await attempt(testPassword)
        expect(refused.status).toBe(429)
        expect(refused.headers.get('retry-after')).toBe(String(14 * 60))
        expect((await bodyOf(refused)).error.code).toBe('rate_limited')
        expect(await hashesIn(() => attempt(testPassword))).toBe(0)
        server.clock.advance(14 * minute)
        expect((await attempt(testPassword)).status).toBe(200)
      })

      it('forgets the attempts of an account once it is signed in', async () => {
        const { email } = await addMember(server, 'owner')
        for (let n = 0; n < 9; n++) expect((await postLogin(server, { email, password: 'wrong' })).status).toBe(401)
        await signIn(server, email)
        for (let n = 0; n < 2; n++) expect((await postLogin(server, { email, password: 'wrong' })).status).toBe(401)
      })

      it('lets no more than 10 of 50 attempts at once through, from however many addresses, account or not', async () => {
        const email = 'stranger@example.org'
        const attempts = Array.from({ length: 50 }, (_, n) =>
          proveLogin(server.app, `10.0.0.${n}`, { email, password: 'wrong' }).then(
            () => 'in',
            (error: { code: string }) => error.code,
          ),
        )
        const outcomes = await Promise.all(attempts)
        expect(outcomes.filter((outcome) => outcome === 'unauthorized')).toHaveLength(10)
        expect(outcomes.filter((outcome) => outcome === 'rate_limited')).toHaveLength(40)
      })

      it('lets 50 wrong attempts at once from one address have 10 tries', async () => {
        const { email } = await addMember(server, 'owner')
        let statuses: number[] = []
        const hashes = await hashesIn(async () => {
          const answers = Array.from({ length: 50 }, () => postLogin(server, { email, password: 'wrong' }))
          statuses = (await Promise.all(answers)).map(({ status }) => status)
        })
        expect(statuses.filter((status) => status === 401)).toHaveLength(10)
        expect(statuses.filter((status) => status === 429)).toHaveLength(40)
        expect(hashes).toBe(10)
      })

      it('lets in who belongs to nothing, or no longer, and shows them no organisation', async () => {
        const nobody = await addPerson(server)
        const former = await addMember(server, 'owner')
        await deactivate(server, former.userId)
        for (const { email, userId } of [nobody, former]) {
          const { cookie } = await signIn(server, email)
          const answer = await me(server, { cookie })
          expect((await bodyOf(answer)).data).toEqual({ user: { id: userId, email, name: null }, memberships: [] })
          expect(await auditOf(server, userId)).toEqual([])
        }
      })

      it('refuses a password that was changed while it was checked', async () => {
        const { email, userId } = await addMember(server, 'owner')
        const proven = await proveLogin(server.app, '10.1.1.1', { email, password: testPassword })
        await server.app.db.transact((tx) =>
          tx.run("UPDATE users SET password_hash = 'another' WHERE user_id = ?", [userId]),
        )
        const late = server.app.db.transact((tx) => login(server.app, tx, proven))
        await expect(late).rejects.toMatchObject({ code: 'unauthorized' })
        expect(await auditOf(server, userId)).toEqual([])
      })
    })

    describe('auth.me', () => {
      it('names every organisation with an active membership and its role', async () => {
        const member = await addMember(server, 'interviewer')
        await join(server, member.userId, server.orgs[1].orgId, 'owner')
        const { cookie } = await signIn(server, member.email)
        const { data } = await bodyOf(await me(server, { cookie }))
        const { memberships } = data as { memberships: { role: string; org: { id: string } }[] }
        expect(memberships.map(({ role, org }) => [org.id, role])).toEqual([
          [server.orgs[0].orgId, 'interviewer'],
          [server.orgs[1].orgId, 'owner'],
        ])
        expect(await auditOf(server, member.userId)).toHaveLength(2)
      })

      it('does not take the token as a bearer credential, also when it came in a cookie a moment ago', async () => {
        const { email } = await addMember(server, 'owner')
        const { access: token } = await signIn(server, email)
        expect((await me(server, access(token))).status).toBe(200)
        expect((await me(server, { authorization: `Bearer ${token}` })).status).toBe(401)
      })

      it('stops with the 15 minutes of its cookie, to the millisecond', async () => {
        const { email } = await addMember(server, 'owner')
        const { cookie } = await signIn(server, email)
        server.clock.advance(15 * minute - 1)
        expect((await me(server, { cookie })).status).toBe(200)
        server.clock.advance(1)
        expect((await me(server, { cookie })).status).toBe(401)
      })
    })

    describe('auth.refresh', () => {
      it('hands out a new pair, and leaves the access token before it its time', async () => {
        const { email, userId } = await addMember(server, 'owner')
        const first = await signIn(server, email)
        server.clock.advance(10 * minute)
        const answer = await post(server, 'refresh', refresh(first.refresh))
        expect(answer.status).toBe(200)
        const second = cookiesOf(answer.headers)
        expect(second['portal_access']).not.toBe(first.access)
        expect(second['portal_refresh']).not.toBe(first.refresh)
        expect((await bodyOf(answer)).data).toMatchObject({
          user: { id: userId },
          accessExpiresAt: new Date(server.clock.now() + 15 * minute).toISOString(),
        })
        expect((await me(server, access(first.access))).status).toBe(200)
        server.clock.advance(5 * minute)
        expect((await me(server, access(first.access))).status).toBe(401)
        expect((await me(server, access(second['portal_access'] ?? ''))).status).toBe(200)
        expect((await post(server, 'refresh', refresh(second['portal_refresh'] ?? ''))).status).toBe(200)
        expect(await actionsOf(server, userId)).toEqual([
          'user.signed_in',
          'user.session_refreshed',
          'user.session_refreshed',
        ])
      })

      it('ends the whole sign-in when a token comes again, for good and for everybody who shares it', async () => {
        const { email, userId } = await addMember(server, 'owner')
        const elsewhere = await signIn(server, email)
        const first = await signIn(server, email)
        const second = cookiesOf((await post(server, 'refresh', refresh(first.refresh))).headers)
        expect((await me(server, access(second['portal_access'] ?? ''))).status).toBe(200)
        const again = await post(server, 'refresh', refresh(first.refresh))
        expect(again.status).toBe(401)
        expect(cookiesOf(again.headers)).toEqual(cleared)
        for (const line of again.headers.getSetCookie()) expect(line).toMatch(/; Max-Age=0; HttpOnly; SameSite=Lax$/)
        await server.restart()
        for (const token of [first.access, second['portal_access'] ?? ''])
          expect((await me(server, access(token))).status).toBe(401)
        for (const token of [first.refresh, second['portal_refresh'] ?? ''])
          expect((await post(server, 'refresh', refresh(token))).status).toBe(401)
        expect((await me(server, access(elsewhere.access))).status).toBe(200)
        expect((await actionsOf(server, userId)).filter((action) => action === 'user.session_revoked')).toHaveLength(1)
      })

      it('lets exactly one of 20 at the same time win, tells the others of the conflict, and ends nothing', async () => {
        const { email, userId } = await addMember(server, 'owner')
        const first = await signIn(server, email)
        const { app } = server
        const held = await findRefresh(app, first.refresh)
        const admitted = async () => 1000 - (await app.rate.peek(`credential ${userId}`, 1000)).remaining
        const before = await admitted()
        // All have been looked at, and found their token unused, before the first may go on.
        const { asked } = await app.db.transact(async (tx) => {
          await lockPortalSession(tx, held?.portalSessionId ?? '')
          const requests = Array.from({ length: 20 }, () => post(server, 'refresh', refresh(first.refresh)))
          await until(async () => (await admitted()) === before + 20)
          return { asked: requests }
        })
        const answers = await Promise.all(asked)
        const won = answers.filter(({ status }) => status === 200)
        expect(won).toHaveLength(1)
        const lost = answers.filter(({ status }) => status === 409)
        expect(lost).toHaveLength(19)
        for (const answer of lost) {
          expect(answer.headers.getSetCookie()).toEqual([])
          expect((await bodyOf(answer)).error.code).toBe('conflict')
        }
        const second = cookiesOf((won[0] as Response).headers)
        expect((await me(server, access(second['portal_access'] ?? ''))).status).toBe(200)
        expect((await post(server, 'refresh', refresh(second['portal_refresh'] ?? ''))).status).toBe(200)
        expect(await actionsOf(server, userId)).not.toContain('user.session_revoked')
      })

      it('answers a repeat with the same Idempotency-Key once more: the answer was lost, not stolen', async () => {
        const { email, userId } = await addMember(server, 'owner')
        const { refresh: token } = await signIn(server, email)
        const headers = { ...refresh(token), 'idempotency-key': 'lost-answer' }
        const answer = await post(server, 'refresh', headers)
        const replay = await post(server, 'refresh', headers)
        expect(replay.status).toBe(200)
        expect(replay.headers.getSetCookie()).toEqual(answer.headers.getSetCookie())
        expect((await post(server, 'refresh', { ...headers, 'idempotency-key': 'another' })).status).toBe(401)
        expect((await post(server, 'refresh', headers)).status).toBe(401)
        expect(await actionsOf(server, userId)).toContain('user.session_revoked')
      })

      it('ends after 30 days without a renewal, and has browsers forget cookies that are good for nothing', async () => {
        const { email } = await addMember(server, 'owner')
        const first = await signIn(server, email)
        server.clock.advance(30 * day)
        for (const headers of [refresh(first.refresh), refresh('prf_unknown'), {}]) {
          const answer = await post(server, 'refresh', headers)
          expect(answer.status).toBe(401)
          expect(cookiesOf(answer.headers)).toEqual(cleared)
        }
      })
    })

    describe('auth.logout', () => {
      it.each(['access', 'refresh'] as const)('ends the sign-in by its %s cookie alone, at once', async (kind) => {
        const { email, userId } = await addMember(server, 'owner')
        const other = await signIn(server, email)
        const mine = await signIn(server, email)
        expect((await me(server, access(mine.access))).status).toBe(200)
        const cookie = cookieHeader({ [`portal_${kind}`]: mine[kind] })
        for (let n = 0; n < 2; n++) {
          const answer = await post(server, 'logout', cookie)
          expect(answer.status).toBe(200)
          expect((await bodyOf(answer)).data).toEqual({ signedOut: true })
          expect(cookiesOf(answer.headers)).toEqual(cleared)
        }
        expect((await me(server, access(mine.access))).status).toBe(401)
        expect((await post(server, 'refresh', refresh(mine.refresh))).status).toBe(401)
        expect((await me(server, access(other.access))).status).toBe(200)
        expect(await actionsOf(server, userId)).toEqual(['user.signed_in', 'user.signed_in', 'user.signed_out'])
      })

      it('answers the same without cookies, and with some that nobody has', async () => {
        for (const headers of [{}, { cookie: 'portal_access=x; =; portal_refresh' }, access(`pac_${'0'.repeat(32)}`)]) {
          const answer = await post(server, 'logout', headers)
          expect(answer.status).toBe(200)
          expect(cookiesOf(answer.headers)).toEqual(cleared)
        }
      })

      it("is not answered from somebody else's Idempotency-Key of the same name", async () => {
        const [one, other] = [await addMember(server, 'owner'), await addMember(server, 'owner')]
        for (const { email } of [one, other]) {
          const { cookie, access: token } = await signIn(server, email)
          const answer = await post(server, 'logout', { cookie, 'idempotency-key': 'bye' })
          expect(answer.headers.get('idempotency-replayed')).toBeNull()
          expect((await me(server, access(token))).status).toBe(401)
        }
      })
    })

    it('is purged of what has expired, and of nothing that is still needed', async () => {
      const { email } = await addMember(server, 'owner')
      const first = await signIn(server, email)
      const second = cookiesOf((await post(server, 'refresh', refresh(first.refresh))).headers)
      await postLogin(server, { email, password: 'wrong' })
      const left = async () => {
        const tables = ['portal_sessions', 'portal_tokens', 'login_attempts']
        const counts = tables.map((table) =>
          server.app.db.reader.get<{ n: number }>(`SELECT count(*) AS n FROM ${table}`),
        )
        return (await Promise.all(counts)).map((row) => row?.n)
      }
      server.clock.advance(29 * day)
      await server.processAll()
      // The spent token is kept as long as it would have lived: coming again, it still ends the sign-in.
      expect((await post(server, 'refresh', refresh(first.refresh))).status).toBe(401)
      expect((await post(server, 'refresh', refresh(second['portal_refresh'] ?? ''))).status).toBe(401)
      server.clock.advance(2 * day)
      await server.processAll()
      expect(await left()).toEqual([0, 0, 0])
    })
  })

describe('a page of another origin', () => {
  const home = 'https://portal.example.com'
  const start = (options: ServerOptions = {}) => startServer({ env: { BASE_URL: `${home}/` }, ...options })
  let server: TestServer
  beforeAll(async () => {
    server = await start()
  })
  afterAll(() => server.stop())

  const foreign: Headers_[] = [
    { origin: 'https://evil.example.com' },
    { origin: 'http://portal.example.com' },
    { origin: `${home}:8443` },
    { origin: 'null' },
    { 'sec-fetch-site': 'cross-site' },
  ]
  const ours: Headers_[] = [
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
    const create = (headers: Headers_) =>
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
