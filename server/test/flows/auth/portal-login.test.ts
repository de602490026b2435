import type { ServiceError } from '@integrity/protocol'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { login, proveLogin } from '../../../src/domains/access/auth/sign-ins/login.service.ts'
import { everyEngine } from '../../test-support/engines.ts'
import { addMember, addPerson, deactivate, join, postLogin, signIn } from '../../test-support/portal.ts'
import { startServer, type TestServer, testPassword } from '../../test-support/server.ts'
import { access, auditOf, bodyOf, day, hashesIn, me, minute } from './portal-login.test-support.ts'

for (const engine of everyEngine())
  describe(`portal login (${engine})`, () => {
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

      it('lets 10 of 50 attempts at once through and then one at a time, from however many addresses, account or not', async () => {
        const email = 'stranger@example.org'
        const attempts = Array.from({ length: 50 }, (_, n) =>
          proveLogin(server.app, { from: { address: `10.0.0.${n}` }, given: { email, password: 'wrong' } }).then(
            () => 'in',
            (error: { code: string }) => error.code,
          ),
        )
        const outcomes = await Promise.all(attempts)
        expect(outcomes.filter((outcome) => outcome === 'unauthorized')).toHaveLength(11)
        expect(outcomes.filter((outcome) => outcome === 'rate_limited')).toHaveLength(39)
      })

      it('lets nobody shut an account: a stranger elsewhere waits for seconds, and a known device for nobody', async () => {
        const { email } = await addMember(server, 'owner')
        const { refresh } = await signIn(server, email)
        const attempt = (address: string, password: string, cookie?: string) =>
          proveLogin(server.app, { from: { address, refresh: cookie }, given: { email, password } }).then(
            () => 'in',
            (error: ServiceError) => `${error.code} ${String(error.headers['Retry-After'] ?? '')}`.trim(),
          )
        for (let n = 0; n < 10; n++) expect(await attempt('10.2.0.1', 'wrong')).toBe('unauthorized')
        // The place of the guesses is shut, and takes no turn from the others.
        expect(await attempt('10.2.0.1', 'wrong')).toBe('rate_limited 900')
        expect(await attempt('10.2.0.2', 'wrong')).toBe('unauthorized')
        expect(await attempt('10.2.0.3', testPassword)).toBe('rate_limited 10')
        expect(await attempt('10.2.0.1', testPassword, refresh)).toBe('in')
        expect(await attempt('10.2.0.1', testPassword, `prf_${'0'.repeat(32)}`)).toBe('rate_limited 900')
        server.clock.advance(10_000)
        expect(await attempt('10.2.0.3', testPassword)).toBe('in')
        // A device has no more tries than anybody.
        for (let n = 0; n < 9; n++) expect(await attempt('10.2.0.4', 'wrong', refresh)).toBe('unauthorized')
        expect(await attempt('10.2.0.4', testPassword, refresh)).toBe('rate_limited 890')
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
        const proven = await proveLogin(server.app, {
          from: { address: '10.1.1.1' },
          given: { email, password: testPassword },
        })
        await server.app.db.transact((tx) =>
          tx.run("UPDATE users SET password_hash = 'another' WHERE user_id = ?", [userId]),
        )
        const late = server.app.db.transact((tx) => login({ ...server.app, tx, reader: tx }, proven))
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
  })
