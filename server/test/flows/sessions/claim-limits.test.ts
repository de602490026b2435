import type { Client } from '@integrity/client/every-endpoint'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { defaultLimits } from '../../../src/app/config.ts'
import { windowMs } from '../../../src/platform/rate/rate-counter.ts'
import { enginesInTurn } from '../../test-support/engines.ts'
import { refusalOf } from '../../test-support/refusal.ts'
import { startServer, type TestServer } from '../../test-support/server.ts'
import { register, scheduleSession } from '../../test-support/world.ts'

const { failedClaimsPerSession, codesPerSession } = defaultLimits
type Role = 'candidate' | 'companion'

for (const engine of enginesInTurn(import.meta.filename))
  describe(`the ceilings on join codes (${engine})`, () => {
    let server: TestServer
    let api: Client
    beforeAll(async () => {
      server = await startServer({ engine, limits: { failedClaimsPerSession, codesPerSession } })
      api = server.client(server.orgs[0].sandboxKey)
    })
    afterAll(() => server.stop())

    const issue = (id: string, role: Role = 'companion') =>
      api.call('sessions.joinLinks.create', { params: { id }, body: { role } })
    const codeOf = async (id: string, role?: Role) => (await issue(id, role)).data.joinCode
    const claim = (joinCode: string) => server.client().call('pairings.claim', { params: { joinCode } })
    const join = (joinCode: string) => server.client().call('agent.sessions.join', { body: { joinCode } })
    const nextWindow = () => server.clock.advance(windowMs - (server.clock.now() % windowMs))
    const refusedNow = { status: 429, code: 'rate_limited' }
    const failAll = async (attempt: () => Promise<unknown>, code: string) => {
      for (let n = 0; n < failedClaimsPerSession; n++) expect((await refusalOf(attempt())).code).toBe(code)
    }

    it('pairings.claim hears no code of a session after ten spent ones, not even the right one, for the rest of the minute', async () => {
      const { id } = await scheduleSession(api)
      const used = await codeOf(id)
      await claim(used)
      nextWindow()
      await failAll(() => claim(used), 'not_found')
      const refusal = await refusalOf(claim(used))
      expect(refusal).toMatchObject(refusedNow)
      expect(refusal.retryAfterMs).toBe(60_000)
      const right = await codeOf(id)
      expect(await refusalOf(claim(right))).toMatchObject(refusedNow)
      // Another session, and the agent of this one, are not kept out.
      expect((await claim(await codeOf((await scheduleSession(api)).id))).status).toBe(200)
      expect((await join(await codeOf(id, 'candidate'))).status).toBe(200)
      nextWindow()
      expect((await claim(right)).data.session.id).toBe(id)
    })

    it('pairings.claim counts a code that expired, one for a candidate, and one that a paired phone has superseded', async () => {
      const { id } = await scheduleSession(api)
      const late = await codeOf(id)
      server.clock.advance(15 * 60_000)
      const candidate = await codeOf(id, 'candidate')
      const [first, superseded] = [await codeOf(id), await codeOf(id)]
      await claim(first)
      nextWindow()
      for (let n = 0; n < failedClaimsPerSession; n++) {
        const [code, refused] = [
          [late, 'not_found'],
          [candidate, 'not_found'],
          [superseded, 'conflict'],
        ][n % 3] as [string, string]
        expect((await refusalOf(claim(code))).code).toBe(refused)
      }
      expect(await refusalOf(claim(superseded))).toMatchObject(refusedNow)
    })

    it('pairings.claim lets no burst of spent codes through beyond the ceiling', async () => {
      const { id } = await scheduleSession(api)
      const used = await codeOf(id)
      await claim(used)
      nextWindow()
      const burst = Array.from({ length: 3 * failedClaimsPerSession }, () => refusalOf(claim(used)))
      const codes = (await Promise.all(burst)).map(({ code }) => code)
      expect(codes.filter((code) => code === 'not_found')).toHaveLength(failedClaimsPerSession)
      expect(codes.filter((code) => code === 'rate_limited')).toHaveLength(2 * failedClaimsPerSession)
    })

    it('agent.sessions.join has the same ceiling for the codes of a candidate', async () => {
      const { id } = await scheduleSession(api)
      const used = await codeOf(id, 'candidate')
      await join(used)
      nextWindow()
      await failAll(() => join(used), 'not_found')
      expect(await refusalOf(join(await codeOf(id, 'candidate')))).toMatchObject(refusedNow)
    })

    it('sessions.joinLinks.create gives a session so many codes of a kind in an hour, and then says when the next', async () => {
      const { id } = await scheduleSession(api)
      await issue(id)
      server.clock.advance(600_000)
      for (let n = 1; n < codesPerSession; n++) await issue(id)
      const refusal = await refusalOf(issue(id))
      expect(refusal).toMatchObject(refusedNow)
      expect(refusal.retryAfterMs).toBe(3_000_000)
      expect((await issue(id, 'candidate')).status).toBe(201)
      expect((await issue((await scheduleSession(api)).id)).status).toBe(201)
      server.clock.advance(3_000_000)
      expect((await issue(id)).status).toBe(201)
      expect((await refusalOf(issue(id))).code).toBe('rate_limited')
    })

    it('companion.joinLinks.create shares that ceiling', async () => {
      const session = await scheduleSession(api)
      await register(server, session)
      for (let n = 0; n < codesPerSession; n++) await issue(session.id)
      const own = server.client(session.agent).call('companion.joinLinks.create', { params: { id: session.id } })
      expect(await refusalOf(own)).toMatchObject(refusedNow)
    })
  })
