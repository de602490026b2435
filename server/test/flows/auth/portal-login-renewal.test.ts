import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findRefresh } from '../../../src/domains/access/auth/sign-ins/portal-actor.service.ts'
import { lockPortalSession } from '../../../src/domains/access/auth/sign-ins/sign-ins.store.ts'
import { everyEngine } from '../../test-support/engines.ts'
import { addMember, cookieHeader, cookiesOf, postLogin, signIn } from '../../test-support/portal.ts'
import { startServer, type TestServer } from '../../test-support/server.ts'
import { until } from '../../test-support/until.ts'
import { access, actionsOf, bodyOf, cleared, day, me, minute, post, refresh } from './portal-login.test-support.ts'

for (const engine of everyEngine())
  describe(`portal login (${engine})`, () => {
    let server: TestServer
    beforeAll(async () => {
      server = await startServer({ engine })
    })
    afterAll(() => server.stop())

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
        server.clock.advance(10_000)
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

      it('gives each of 20 at the same time a pair that works, and ends nothing', async () => {
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
        const pairs = answers.map(({ headers }) => cookiesOf(headers))
        expect(new Set(pairs.map((pair) => pair['portal_refresh'])).size).toBe(20)
        for (const pair of pairs) {
          expect((await me(server, access(pair['portal_access'] ?? ''))).status).toBe(200)
          expect((await post(server, 'refresh', refresh(pair['portal_refresh'] ?? ''))).status).toBe(200)
        }
        expect(await actionsOf(server, userId)).not.toContain('user.session_revoked')
      })

      it('honours a token for seconds after its renewal, so that two tabs of a browser stay signed in, and not longer', async () => {
        const { email, userId } = await addMember(server, 'owner')
        const first = await signIn(server, email)
        expect((await post(server, 'refresh', refresh(first.refresh))).status).toBe(200)
        server.clock.advance(9_999)
        const late = await post(server, 'refresh', refresh(first.refresh))
        expect(late.status).toBe(200)
        expect((await post(server, 'refresh', refresh(cookiesOf(late.headers)['portal_refresh'] ?? ''))).status).toBe(
          200,
        )
        expect(await actionsOf(server, userId)).not.toContain('user.session_revoked')
        // The time runs from the renewal, not from the last use.
        server.clock.advance(1)
        expect((await post(server, 'refresh', refresh(first.refresh))).status).toBe(401)
        expect(await actionsOf(server, userId)).toContain('user.session_revoked')
      })

      it('answers a repeat with the same Idempotency-Key once more: the answer was lost, not stolen', async () => {
        const { email, userId } = await addMember(server, 'owner')
        const { refresh: token } = await signIn(server, email)
        const headers = { ...refresh(token), 'idempotency-key': 'lost-answer' }
        const answer = await post(server, 'refresh', headers)
        const replay = await post(server, 'refresh', headers)
        expect(replay.status).toBe(200)
        expect(replay.headers.getSetCookie()).toEqual(answer.headers.getSetCookie())
        server.clock.advance(10_000)
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
