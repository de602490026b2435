import type { Client } from '@integrity/client/every-endpoint'
import { type EndpointSpec, endpoints, joinCodeFrom, showJoinCode } from '@integrity/protocol'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import type * as z from 'zod'
import type { Parts } from '../../../src/kernel/parts.ts'
import { windowMs } from '../../../src/platform/rate/rate-counter.ts'
import { everyEngine } from '../../test-support/engines.ts'
import { openStep, postStep, secured } from '../../test-support/factors.ts'
import { type OtherServer, startOther } from '../../test-support/other-server.ts'
import { refusalOf } from '../../test-support/refusal.ts'
import { startServer, type TestServer } from '../../test-support/server.ts'
import { scheduleSession } from '../../test-support/world.ts'

const ceiling = 20
const atOnce = 200
/** A code that was never made; another for each number. */
const wrongCode = (n: number): string => showJoinCode(joinCodeFrom(Buffer.from([0, 0, 0, n >> 8, n & 255])))

/** What is asked of the database for codes. */
const countLooks = (apps: readonly Parts[]): (() => number) => {
  const spies = apps.map(({ db }) => vi.spyOn(db.reader, 'get'))
  return () => spies.flatMap(({ mock }) => mock.calls).filter(([sql]) => String(sql).includes('join_tickets')).length
}

const guesses: Readonly<Record<string, (client: Client, joinCode: string) => Promise<unknown>>> = {
  'agent.sessions.join': (client, joinCode) => client.call('agent.sessions.join', { body: { joinCode } }),
  'pairings.claim': (client, joinCode) => client.call('pairings.claim', { params: { joinCode } }),
}
const roleOf = (id: string) => (id === 'pairings.claim' ? 'companion' : 'candidate')

for (const engine of everyEngine())
  describe(`codes that are tried at once (${engine})`, () => {
    let server: TestServer
    let api: Client
    const others: OtherServer[] = []
    let clients: Client[]
    let apps: Parts[]
    beforeAll(async () => {
      server = await startServer({ engine, limits: { failuresPerAddress: ceiling } })
      api = server.client(server.orgs[0].sandboxKey)
      if (engine === 'postgres') others.push(await startOther(server))
      clients = [server.client(), ...others.map((other) => other.client())]
      apps = [server.app, ...others.map(({ app }) => app)]
    })
    afterAll(async () => {
      for (const other of others) await other.stop()
      await server.stop()
    })
    afterEach(() => {
      vi.restoreAllMocks()
      server.clock.advance(windowMs)
    })

    const rightCode = async (id: string): Promise<string> => {
      const session = await scheduleSession(api)
      const link = { params: { id: session.id }, body: { role: roleOf(id) } } as const
      return (await api.call('sessions.joinLinks.create', link)).data.joinCode
    }
    const anotherStep = async (email: string) => {
      await server.app.db.transact((tx) => tx.run('DELETE FROM login_attempts'))
      return openStep(server, email)
    }
    const wrongStep = async (email: string) => {
      const { challengeToken } = await anotherStep(email)
      return { challengeToken, recoveryCode: 'not one of them' }
    }
    const client = (n: number): Client => clients[n % clients.length]!

    for (const [id, guess] of Object.entries(guesses)) {
      it(`${id} looks at no more of ${atOnce} wrong ones than an address has`, async () => {
        const looks = countLooks(apps)
        const refusals = await Promise.all(
          Array.from({ length: atOnce }, (_, n) => refusalOf(guess(client(n), wrongCode(n)))),
        )
        const counts = Map.groupBy(refusals, ({ code }) => code)
        expect(looks()).toBe(ceiling)
        expect(counts.get('not_found')).toHaveLength(ceiling)
        expect(counts.get('rate_limited')).toHaveLength(atOnce - ceiling)
      })

      it(`${id} lets in all that are right at once, however many more than that`, async () => {
        const codes: string[] = []
        for (let n = 0; n < 3 * ceiling; n++) codes.push(await rightCode(id))
        const wrong = Array.from({ length: ceiling - 2 }, (_, n) => refusalOf(guess(client(n), wrongCode(n))))
        const right = codes.map((code, n) => guess(client(n), code))
        expect((await Promise.all(wrong)).map(({ code }) => code)).not.toContain('rate_limited')
        expect(await Promise.all(right)).toHaveLength(codes.length)
      })
    }

    it('auth.login.secondFactor takes all that are right at once, more than an address may have wrong', async () => {
      const { email, recoveryCodes } = await secured(server)
      for (let n = 0; n < ceiling - 2; n++) await postStep(server, await wrongStep(email))
      const steps: { challengeToken: string; recoveryCode: string }[] = []
      for (const recoveryCode of recoveryCodes) {
        const { challengeToken } = await anotherStep(email)
        steps.push({ challengeToken, recoveryCode })
      }
      const answers = await Promise.all(steps.map((step) => postStep(server, step)))
      expect(answers.map(({ status }) => status)).toEqual(recoveryCodes.map(() => 200))
    })
  })

const takesCode = ({ path, body }: EndpointSpec): boolean =>
  path.includes('{joinCode}') || 'joinCode' in ((body as z.core.$ZodObject | undefined)?._zod.def.shape ?? {})

describe('endpoints that take a join code', () => {
  it('say that it can be guessed', () => {
    const ids = (endpoints as readonly EndpointSpec[]).filter(takesCode).map(({ id }) => id)
    expect(ids.toSorted()).toEqual(Object.keys(guesses))
    expect((endpoints as readonly EndpointSpec[]).filter(({ guessable }) => guessable).map(({ id }) => id)).toEqual(ids)
  })
})
