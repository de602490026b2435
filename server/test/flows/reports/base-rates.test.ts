import type { Client } from '@integrity/client/every-endpoint'
import { baseRateSessions } from '@integrity/protocol'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { enginesInTurn } from '../../test-support/engines.ts'
import { portalCookie } from '../../test-support/portal.ts'
import { startServer, type TestServer } from '../../test-support/server.ts'
import { allLanes, anEvent, register, scheduleSession } from '../../test-support/world.ts'
import { asMember } from '../candidate-requests/candidate-requests.test-support.ts'

const hour = 3_600_000
const day = 24 * hour

for (const engine of enginesInTurn(import.meta.filename))
  describe(`how often a rule found something in interviews of one policy (${engine})`, () => {
    let server: TestServer
    let api: Client
    let n = 0

    beforeAll(async () => {
      server = await startServer({ engine })
      api = server.client(server.orgs[0].sandboxKey)
    })
    afterAll(() => server.stop())

    const params = () => ({ orgId: server.orgs[0].orgId })
    const makePolicy = async (config: object = {}) => {
      n += 1
      const body = { name: `Policy ${n}`, config }
      return (await asMember(server, 'portal.policies.create', { params: params(), body })).id
    }
    /** An interview that ended; of kinds given, one event each. */
    const hold = async (policyId: string | undefined, ...kinds: string[]): Promise<string> => {
      const session = await scheduleSession(api, policyId === undefined ? {} : { policyId })
      await register(server, session, allLanes)
      server.clock.advance(60_000)
      const events = kinds.map((kind) => anEvent(server, kind))
      if (events.length > 0)
        await server.client(session.agent).call('agent.events.ingest', { params: { id: session.id }, body: { events } })
      server.clock.advance(60_000)
      await api.call('sessions.end', { params: { id: session.id } })
      return session.id
    }
    const holdMany = async (policyId: string, count: number): Promise<string[]> => {
      const ids: string[] = []
      for (let i = 0; i < count; i += 1)
        ids.push(await hold(policyId, ...(i % 2 === 0 ? ['display.added'] : []), ...(i % 5 === 0 ? ['vm.hint'] : [])))
      return ids
    }
    const countUp = async () => {
      server.clock.advance(day + hour)
      await server.processAll()
    }
    const ratesOf = async (id: string): Promise<Record<string, unknown>> => {
      const headers = await portalCookie(server, 'reviewer')
      const { data } = await server.client().call('portal.coverage', { params: { id }, query: {}, headers })
      expect(data.items.length).toBeGreaterThan(0)
      const { data: index } = await api.call('sessions.reelIndex.get', { params: { id } })
      const shown = (items: readonly { rule: string; baseRate: unknown }[]) =>
        Object.fromEntries(items.map(({ rule, baseRate }) => [rule, baseRate]))
      expect(shown(index?.moments ?? [])).toEqual(shown(data.items))
      return shown(data.items)
    }
    /** By SQL over what the sessions were told, without what the job has counted. */
    const countedBySql = async (policyId: string, kind: string) => {
      const { reader } = server.app.db
      const sessions = await reader.get<{ n: number }>(
        'SELECT count(*) AS n FROM sessions WHERE policy_id = ? AND ended_at IS NOT NULL AND erased_at IS NULL',
        [policyId],
      )
      const seenIn = await reader.get<{ n: number }>(
        `SELECT count(DISTINCT s.session_id) AS n FROM sessions s JOIN integrity_events e
           ON e.org_id = s.org_id AND e.session_id = s.session_id
         WHERE s.policy_id = ? AND s.erased_at IS NULL AND e.kind = ?`,
        [policyId, kind],
      )
      return { sessions: Number(sessions?.n), seenIn: Number(seenIn?.n) }
    }

    it('shows none of 19 interviews, and of the 20th on what SQL counts over the same sessions', async () => {
      const policyId = await makePolicy()
      await holdMany(policyId, baseRateSessions - 1)
      const last = await hold(policyId, 'display.added', 'vm.hint')
      const other = await makePolicy()
      await hold(other, 'display.added')
      await hold(undefined, 'display.added')
      expect(await ratesOf(last)).toMatchObject({ display_connected: null, virtual_machine: null })
      await countUp()
      const expected = {
        display_connected: await countedBySql(policyId, 'display.added'),
        virtual_machine: await countedBySql(policyId, 'vm.hint'),
      }
      expect(expected.display_connected).toEqual({ sessions: 20, seenIn: 11 })
      expect(expected.virtual_machine).toEqual({ sessions: 20, seenIn: 5 })
      expect(await ratesOf(last)).toMatchObject(expected)
      // What is counted stays: a second round adds nothing.
      await countUp()
      expect(await ratesOf(last)).toMatchObject(expected)

      await api.call('sessions.erase', { params: { id: await hold(policyId, 'display.added') } })
      await countUp()
      expect(await ratesOf(last)).toMatchObject(expected)
    })

    it('shows none once erasing leaves 19, and none of an interview that may still be told of', async () => {
      const policyId = await makePolicy()
      const ids = await holdMany(policyId, baseRateSessions)
      await countUp()
      const shown = await ratesOf(ids[0]!)
      expect(shown['display_connected']).toEqual(await countedBySql(policyId, 'display.added'))
      expect(shown['virtual_machine']).toEqual({ sessions: 20, seenIn: 4 })
      await hold(policyId, 'display.added')
      server.clock.advance(2 * hour)
      await server.processAll()
      expect(await ratesOf(ids[0]!)).toEqual(shown)
      await api.call('sessions.erase', { params: { id: ids[2]! } })
      expect(await ratesOf(ids[0]!)).toMatchObject({ display_connected: null, virtual_machine: null })
      await countUp()
      expect((await ratesOf(ids[0]!))['display_connected']).toEqual(await countedBySql(policyId, 'display.added'))
    })

    it('is left out where the latest version of the policy says so, of older sessions too', async () => {
      const policyId = await makePolicy()
      const [id] = await holdMany(policyId, baseRateSessions)
      await countUp()
      expect((await ratesOf(id!))['display_connected']).toEqual({ sessions: 20, seenIn: 10 })
      const write = (baseRates: boolean) =>
        asMember(server, 'portal.policies.versions.create', {
          params: { ...params(), policyId },
          body: { config: { baseRates } },
        })
      await write(false)
      expect((await ratesOf(id!))['display_connected']).toBe(null)
      await write(true)
      expect((await ratesOf(id!))['display_connected']).toEqual({ sessions: 20, seenIn: 10 })
    })
  })
