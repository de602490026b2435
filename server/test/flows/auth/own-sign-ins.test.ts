import { maxSignIns } from '@integrity/protocol'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { everyEngine } from '../../test-support/engines.ts'
import { addMember, addPerson, cookieHeader, cookiesOf, postLogin } from '../../test-support/portal.ts'
import { refusalOf } from '../../test-support/refusal.ts'
import { startServer, type TestServer, testPassword } from '../../test-support/server.ts'
import { seatOf } from '../../test-support/sign-ins.ts'
import { actionsOf, day, me, minute, post, refresh } from './portal-login.test-support.ts'

for (const engine of everyEngine())
  describe(`the sign-ins of an account (${engine})`, () => {
    let server: TestServer
    beforeAll(async () => {
      server = await startServer({ engine })
    })
    afterAll(() => server.stop())

    const enter = async (email: string, userAgent: string) => {
      const answer = await postLogin(server, { email, password: testPassword }, { 'user-agent': userAgent })
      const cookies = cookiesOf(answer.headers)
      return {
        headers: cookieHeader({ portal_access: cookies['portal_access'] ?? '' }),
        refresh: cookies['portal_refresh'] ?? '',
      }
    }
    const list = async (headers: { cookie: string }) =>
      (await server.client().call('auth.signIns.list', { headers, query: { limit: 100 } })).data
    const end = (headers: { cookie: string }, signInId: string) =>
      server.client().call('auth.signIns.end', { headers, params: { signInId } })

    it('are listed newest first: from where, since when, used when, which one asks', async () => {
      const { email } = await addMember(server, 'reviewer')
      const start = server.clock.now()
      const first = await enter(email, 'Firefox')
      server.clock.advance(minute)
      const second = await enter(email, 'x'.repeat(2000))
      server.clock.advance(minute)
      await post(server, 'refresh', refresh(first.refresh))
      const { items, total } = await list(second.headers)
      const at = (ms: number) => new Date(start + ms).toISOString()
      expect(total).toBe(2)
      expect(items).toEqual([
        {
          id: expect.stringMatching(/^pss_/) as string,
          current: true,
          address: '127.0.0.1',
          userAgent: 'x'.repeat(300),
          createdAt: at(minute),
          lastUsedAt: at(minute),
          expiresAt: at(minute + 30 * day),
        },
        {
          id: expect.stringMatching(/^pss_/) as string,
          current: false,
          address: '127.0.0.1',
          userAgent: 'Firefox',
          createdAt: at(0),
          lastUsedAt: at(2 * minute),
          expiresAt: at(2 * minute + 30 * day),
        },
      ])
      const seconds = server.client().call('auth.signIns.list', { headers: second.headers, query: { limit: 1 } })
      expect((await seconds).data.nextCursor).not.toBeNull()
    })

    it('end one by one, at once, and again with the same answer', async () => {
      const { email, userId } = await addMember(server, 'reviewer')
      const [one, other] = [await enter(email, 'one'), await enter(email, 'other')]
      const id = (await list(one.headers)).items.find(({ current }) => !current)?.id ?? ''
      for (let n = 0; n < 2; n++) expect((await end(one.headers, id)).data).toEqual({ id, ended: true })
      expect((await me(server, other.headers)).status).toBe(401)
      expect((await post(server, 'refresh', refresh(other.refresh))).status).toBe(401)
      expect((await me(server, one.headers)).status).toBe(200)
      expect((await actionsOf(server, userId)).filter((action) => action === 'user.session_revoked')).toHaveLength(1)
    })

    it('end all but the one that asks, also when several ask at once', async () => {
      const { email } = await addMember(server, 'reviewer')
      const own = await enter(email, 'own')
      const others = [await enter(email, 'a'), await enter(email, 'b')]
      const ends = await Promise.all(
        Array.from({ length: 5 }, () => server.client().call('auth.signIns.endOthers', { headers: own.headers })),
      )
      expect(ends.reduce((sum, { data }) => sum + data.ended, 0)).toBeGreaterThanOrEqual(2)
      for (const { headers } of others) expect((await me(server, headers)).status).toBe(401)
      expect((await list(own.headers)).items).toHaveLength(1)
    })

    it('are nobody else’s: another account’s is not found and goes on', async () => {
      const [one, other] = [await addPerson(server), await addPerson(server)]
      const [mine, theirs] = [await seatOf(server, one.userId), await seatOf(server, other.userId)]
      const id = (await list(theirs)).items[0]?.id ?? ''
      for (const foreign of [id, 'pss_none', "' OR 1=1 --"])
        expect(await refusalOf(end(mine, foreign))).toMatchObject({ status: 404 })
      expect((await me(server, theirs)).status).toBe(200)
    })

    it(`are ${maxSignIns} at most: one more ends the one that was used longest ago`, async () => {
      const { userId } = await addPerson(server)
      const first = await seatOf(server, userId)
      server.clock.advance(1)
      const second = await seatOf(server, userId)
      server.clock.advance(1)
      for (let n = 2; n < maxSignIns; n++) await seatOf(server, userId)
      expect((await me(server, first)).status).toBe(200)
      await seatOf(server, userId)
      expect((await me(server, first)).status).toBe(401)
      expect((await list(second)).total).toBe(maxSignIns)
    })
  })
