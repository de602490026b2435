import type { Client } from '@integrity/client/every-endpoint'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { requestLink } from '../../test-support/candidate-requests.ts'
import { enginesInTurn } from '../../test-support/engines.ts'
import { portalCookie } from '../../test-support/portal.ts'
import { startServer, type TestServer } from '../../test-support/server.ts'
import { allLanes, anEvent, register, scheduleSession } from '../../test-support/world.ts'

const minute = 60_000

for (const engine of enginesInTurn(import.meta.filename))
  describe(`breaks that were agreed (${engine})`, () => {
    let server: TestServer
    let api: Client
    beforeAll(async () => {
      server = await startServer({ engine })
      api = server.client(server.orgs[0].sandboxKey)
    })
    afterAll(() => server.stop())

    /** An interview of an hour in which breaks were taken, minutes after its start. */
    const held = async (agreed: { count: number; minutes: number } | undefined, ...taken: [number, number][]) => {
      const session = await scheduleSession(api, { config: { aids: { offered: ['breaks'] } } })
      const params = { id: session.id }
      if (agreed) {
        const scope = { orgId: server.orgs[0].orgId, environment: 'sandbox' as const }
        const candidate = server.client(await requestLink(server, scope, session.id))
        await candidate.call('candidateRequests.aids', { body: { aids: [{ aid: 'breaks', breaks: agreed }] } })
      }
      await register(server, session, allLanes)
      const start = server.clock.now()
      const at = (minutes: number) => new Date(start + minutes * minute).toISOString()
      const span = (from: number, to: number) => ({ fromAt: at(from), toAt: at(to) })
      const lanes = ['screen', 'microphone']
      const events = lanes.flatMap((lane) => [
        ...taken.map(([from, to]) => ({
          ...anEvent(server, 'lane.gap'),
          data: { lane, ...span(from, to), reason: 'break' },
        })),
        {
          ...anEvent(server, 'lane.coverage'),
          data: { lane, ...span(0, 60), expectedSeconds: 3600, observedSeconds: 3600 },
        },
      ])
      server.clock.advance(60 * minute)
      const sent = events.map((event) => ({ ...event, observedAt: at(60) }))
      await server.client(session.agent).call('agent.events.ingest', { params, body: { events: sent } })
      await api.call('sessions.end', { params })
      const { data: report } = await api.call('sessions.report', { params })
      const headers = await portalCookie(server, 'reviewer')
      const { data: found } = await server.client().call('portal.coverage', { params, query: {}, headers })
      const minutesOf = (iso: string) => (Date.parse(iso) - start) / minute
      return {
        lanes: report.coverage.filter(({ lane }) => lanes.includes(lane)),
        stretches: (lane: string) =>
          report.coverage
            .find((one) => one.lane === lane)
            ?.account.map(({ fromAt, toAt, state, reason }) => [minutesOf(fromAt), minutesOf(toAt), state, reason]),
        gaps: found.items
          .filter(({ reading }) => reading['reason'] === 'break')
          .map(({ at: from, untilAt, lanes: of }) => [minutesOf(from), minutesOf(untilAt ?? ''), of.join()]),
      }
    }

    it('are agreed breaks in the account, and a third where two were agreed is a plain gap', async () => {
      const { lanes, stretches, gaps } = await held({ count: 2, minutes: 10 }, [5, 10], [20, 30], [40, 45])
      for (const lane of ['screen', 'microphone'])
        expect(stretches(lane)).toEqual([
          [0, 5, 'observed', null],
          [5, 10, 'agreed_break', null],
          [10, 20, 'observed', null],
          [20, 30, 'agreed_break', null],
          [30, 40, 'observed', null],
          [40, 45, 'gap', 'break'],
          [45, 60, 'observed', null],
        ])
      for (const { expectedMs, observedMs } of lanes)
        expect([expectedMs, observedMs]).toEqual([45 * minute, 40 * minute])
      expect(gaps).toEqual([[40, 45, 'screen,microphone']])
    })

    it('end by themselves: what is longer than agreed is a gap from there on', async () => {
      const { stretches, gaps } = await held({ count: 1, minutes: 10 }, [5, 20])
      expect(stretches('screen')?.slice(1, 3)).toEqual([
        [5, 15, 'agreed_break', null],
        [15, 20, 'gap', 'break'],
      ])
      expect(gaps).toEqual([[15, 20, 'screen,microphone']])
    })

    it('last until every lane records again, and what a computer needs for that is no gap', async () => {
      const { stretches, gaps } = await held({ count: 2, minutes: 10 }, [5, 15.2], [20, 30.3])
      expect(stretches('screen')).toEqual([
        [0, 5, 'observed', null],
        [5, 15.2, 'agreed_break', null],
        [15.2, 20, 'observed', null],
        [20, 30, 'agreed_break', null],
        [30, 30.3, 'gap', 'break'],
        [30.3, 60, 'observed', null],
      ])
      expect(gaps).toEqual([[30, 30.3, 'screen,microphone']])
    })

    it('are gaps where none was agreed, and where more was declared than is offered and nobody answered', async () => {
      expect((await held(undefined, [5, 10])).gaps).toEqual([[5, 10, 'screen,microphone']])
      expect((await held({ count: 3, minutes: 10 }, [5, 10])).gaps).toEqual([[5, 10, 'screen,microphone']])
    })
  })
