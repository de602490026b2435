import type { Client } from '@integrity/client/every-endpoint'
import { type IntegrityEventKind, momentRuleNames, momentRules } from '@integrity/protocol'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { agreeOnDevice, claimPhone } from '../../test-support/devices.ts'
import { enginesInTurn } from '../../test-support/engines.ts'
import { portalCookie } from '../../test-support/portal.ts'
import { startServer, type TestServer } from '../../test-support/server.ts'
import {
  allLanes,
  anEvent,
  newClientId,
  register,
  scheduleSession,
  type WorldSession,
} from '../../test-support/world.ts'

for (const engine of enginesInTurn(import.meta.filename))
  describe(`coverage and the report in the portal (${engine})`, () => {
    let server: TestServer
    let api: Client

    beforeAll(async () => {
      server = await startServer({ engine })
      api = server.client(server.orgs[0].sandboxKey)
    })
    afterAll(() => server.stop())

    interface Begun {
      readonly session: WorldSession
      readonly params: { readonly id: string }
      readonly at: (seconds: number) => string
    }
    const begin = async (config: object = {}): Promise<Begun> => {
      const session = await scheduleSession(api, { config })
      await register(server, session, allLanes)
      const start = server.clock.now()
      const at = (seconds: number) => new Date(start + seconds * 1000).toISOString()
      return { session, params: { id: session.id }, at }
    }
    type Sent = readonly [kind: IntegrityEventKind, second: number, value: object, more?: object]
    const observe = async ({ session, at, params }: Begun, ...sent: Sent[]) => {
      const events = sent.map(([kind, second, value, more]) => ({
        ...anEvent(server, kind),
        observedAt: at(second),
        data: { observerVersion: 1, method: 'test', value, ...more },
      }))
      await server.client(session.agent).call('agent.events.ingest', { params, body: { events } })
    }
    const account = async ({ session, at, params }: Begun, lane: string, stretches: [number, number, number][]) => {
      const events = stretches.map(([from, to, observedSeconds]) => ({
        ...anEvent(server, 'lane.coverage'),
        data: { lane, fromAt: at(from), toAt: at(to), expectedSeconds: to - from, observedSeconds },
      }))
      await server.client(session.agent).call('agent.events.ingest', { params, body: { events } })
    }
    const end = async ({ params }: Begun, seconds: number) => {
      server.clock.advance(seconds * 1000)
      await api.call('sessions.end', { params })
    }
    const asReviewer = async () => ({ headers: await portalCookie(server, 'reviewer') })
    const coverage = async ({ params }: Begun, query: { minutes?: number; limit?: number; cursor?: string } = {}) =>
      (await server.client().call('portal.coverage', { params, query, ...(await asReviewer()) })).data

    describe('portal.report', () => {
      it('is the report that the API gives, of either environment', async () => {
        const begun = await begin()
        await account(begun, 'screen', [[0, 40, 40]])
        await end(begun, 60)
        const ours = await server.client().call('portal.report', { params: begun.params, ...(await asReviewer()) })
        expect(ours.data).toEqual((await api.call('sessions.report', { params: begun.params })).data)
        expect(ours.data.coverage.length).toBeGreaterThan(3)
        const live = await scheduleSession(server.client(server.orgs[0].liveKey))
        const { data } = await server.client().call('portal.report', {
          params: { id: live.id },
          ...(await asReviewer()),
        })
        expect(data).toMatchObject({ sessionId: live.id, durationMs: 0 })
      })
    })

    describe('portal.coverage', () => {
      const program = { program: 'Helper', kind: 'remote_control', process: 'helper', catalogueVersion: 1 }

      it('shows lanes as the report does, and each moment with what was recorded around it', async () => {
        const begun = await begin()
        const { at } = begun
        await observe(
          begun,
          ['process.ended', 150, program],
          ['display.added', 100, { id: '2' }, { sinceBeforeSession: false, baseline: { displays: 1 } }],
          ['process.matched', 70, program],
          ['process.matched', 1, { ...program, program: 'Other' }, { sinceBeforeSession: true }],
          ['display.added', 1, { id: '1' }, { sinceBeforeSession: true }],
          ['vm.hint', 1, { from: 'dmi', value: 'KVM' }, { sinceBeforeSession: true }],
        )
        await account(begun, 'screen', [
          [0, 80, 80],
          [110, 300, 190],
        ])
        await end(begun, 300)
        const found = await coverage(begun)
        const { data: report } = await api.call('sessions.report', { params: begun.params })
        expect(found.lanes).toEqual(report.coverage)
        const shown = found.items.filter(({ rule }) => rule !== 'lane_gap')
        expect(shown).toMatchObject([
          {
            at: at(70),
            untilAt: at(150),
            rule: 'listed_program',
            title: momentRules.listed_program.title,
            reading: { kind: 'process.matched', data: { value: program } },
            lanes: ['signals'],
          },
          {
            at: at(100),
            untilAt: null,
            rule: 'display_connected',
            reading: { kind: 'display.added', data: { value: { id: '2' } } },
            atStart: { sinceBeforeSession: false, baseline: { displays: 1 } },
            commonReasons: [...momentRules.display_connected.commonReasons],
            annotations: [],
          },
        ])
        expect(shown[1]?.recordedAround.find(({ lane }) => lane === 'screen')).toEqual({
          lane: 'screen',
          declined: false,
          seconds: 60,
          observed: 30,
          gaps: ['not_reported'],
        })
        expect(report.signalsByKind).toEqual({ 'display.added': 1, 'process.matched': 1, 'process.ended': 1 })
        expect(report).toMatchObject({ signalTotal: 3, atStart: [{}, {}, {}] })
        expect(report.atStart.map(({ kind }) => kind).toSorted()).toEqual([
          ...['display.added', 'process.matched', 'vm.hint'],
        ])
        const gap = found.items.find(({ reading }) => reading['lane'] === 'screen')
        expect(gap).toMatchObject({
          at: at(80),
          untilAt: at(110),
          reading: { reason: 'not_reported', seconds: 30 },
          atStart: { seconds: 60, observed: 60 },
        })
        expect(found.items.map((item) => item.at)).toEqual(found.items.map((item) => item.at).toSorted())
        expect(found.total).toBe(found.items.length)
      })

      it('names every published rule, whatever it found, and judges nowhere', async () => {
        const begun = await begin()
        const found = await coverage(begun)
        expect(found).toMatchObject({ items: [], total: 0 })
        expect(found.rules.map(({ rule, version, text }) => ({ rule, version, text }))).toEqual(
          momentRuleNames.map((rule) => ({ rule, version: momentRules[rule].version, text: momentRules[rule].text })),
        )
        await observe(begun, ['vm.hint', 1, { from: 'dmi', value: 'KVM' }])
        const answer = JSON.stringify(await coverage(begun))
        expect(answer).not.toMatch(/sever|colou?r|score|verdict|suspicio|priority|rank|flag/i)
      })

      it('finds the same whatever the order and the batches in which it came', async () => {
        const sent: Sent[] = [
          ['display.added', 10, { id: '2' }],
          ['display.removed', 20, { id: '2' }],
          ['clock.jumped', 20, { jumpMs: 5000 }],
          ['process.matched', 30, program],
          ['process.ended', 40, program],
        ]
        const views = []
        for (const order of [sent, sent.toReversed()]) {
          const begun = await begin()
          for (const one of order) await observe(begun, one)
          const { items } = await coverage(begun)
          const seconds = (instant: string | null) =>
            instant === null ? null : (Date.parse(instant) - Date.parse(begun.at(0))) / 1000
          views.push(items.map(({ at, untilAt, rule }) => [rule, seconds(at), seconds(untilAt)]))
        }
        expect(views[0]).toHaveLength(4)
        expect(views[1]).toEqual(views[0])
      })

      it('keeps ids from one reading to the next, and pages through them by cursor', async () => {
        const begun = await begin()
        await observe(begun, ...[5, 4, 3, 2, 1].map((n): Sent => ['clock.jumped', n, { jumpMs: n }]))
        const { items } = await coverage(begun)
        const paged = []
        for (let cursor: string | null | undefined; cursor !== null; ) {
          const page = await coverage(begun, { limit: 2, ...(cursor ? { cursor } : {}) })
          paged.push(...page.items)
          cursor = page.nextCursor
          // What comes meanwhile, and lies before, moves nothing.
          if (paged.length === 2) await observe(begun, ['clock.jumped', 0, { jumpMs: 0 }])
        }
        expect(paged).toEqual(items)
        const other = await begin()
        await observe(other, ['clock.jumped', 1, { jumpMs: 1 }])
        expect((await coverage(other)).items[0]?.id).not.toBe(items[0]?.id)
      })

      it('says that the phone was turned, from what it says of itself', async () => {
        const begun = await begin({ sideView: { enabled: true } })
        const phone = await claimPhone(server, api, begun.session.id)
        await agreeOnDevice(server, api, begun.session.id, phone.token, 'companion')
        const beats = ['portrait', 'portrait', 'landscape'].map((orientation, n) => ({
          clientId: newClientId(),
          at: begun.at(n * 10),
          recording: 'on' as const,
          orientation,
        }))
        await server.client(phone.token).call('pairings.presence', {
          params: { sessionId: begun.session.id },
          body: { beats },
        })
        expect((await coverage(begun)).items).toMatchObject([
          {
            rule: 'phone_moved',
            at: begun.at(20),
            reading: { orientation: 'landscape', before: 'portrait' },
            atStart: { orientation: 'portrait' },
          },
        ])
      })

      it('chooses for ten minutes of a whole interview by rule and by distance, and explains it rule by rule', async () => {
        const begun = await begin()
        server.clock.advance(3_600_000)
        await observe(
          begun,
          ...Array.from({ length: 9 }, (_, n): Sent => ['clock.jumped', 60 + n, { jumpMs: n }]),
          ...Array.from({ length: 9 }, (_, n): Sent => ['display.added', 300 * n, { id: `${n}` }]),
          ['process.matched', 1000, program],
          ['vm.hint', 2, { from: 'dmi', value: 'KVM' }],
        )
        await account(begun, 'screen', [[0, 3600, 3600]])
        await end(begun, 0)
        const all = await coverage(begun, { limit: 100 })
        const short = await coverage(begun, { minutes: 10, limit: 100 })
        expect(short.total).toBe(10)
        expect(short.items).toEqual(all.items.filter(({ id }) => short.items.some((item) => item.id === id)))
        expect(new Set(short.items.map(({ rule }) => rule))).toEqual(new Set(all.items.map(({ rule }) => rule)))
        for (const { rule, found, chosen, choice } of short.rules) {
          expect(found).toBe(all.items.filter((item) => item.rule === rule).length)
          expect(chosen).toBe(short.items.filter((item) => item.rule === rule).length)
          if (found === 0) expect(choice).toBe(rule === 'lane_gap' ? 'No gap of 15 s or longer.' : 'Found nothing.')
          else expect(choice).toContain(chosen === found ? `All ${found} found` : `${chosen} of ${found} found`)
        }
        expect(all.rules.map(({ choice }) => choice)).toEqual(all.rules.map(() => null))
        expect(await coverage(begun, { minutes: 10, limit: 100 })).toEqual(short)
      })

      it('says nothing more of what was observed once the session was erased, and keeps the ids of its gaps', async () => {
        const begun = await begin()
        const { session, params, at } = begun
        await observe(begun, ['display.added', 5, { id: 'Very own name' }])
        const data = { lane: 'screen', displayId: 'Very own name', fromAt: at(0), toAt: at(30), reason: 'unplugged' }
        const body = { events: [anEvent(server, 'lane.gap', data)] }
        await server.client(session.agent).call('agent.events.ingest', { params, body })
        await end(begun, 60)
        const before = await coverage(begun)
        await api.call('sessions.erase', { params })
        const after = await coverage(begun)
        expect(JSON.stringify(after)).not.toContain('Very own name')
        const gaps = before.items.filter(({ rule }) => rule === 'lane_gap')
        expect(gaps.length).toBeLessThan(before.items.length)
        expect(after.items.map(({ id }) => id)).toEqual(gaps.map(({ id }) => id))
      })

      it('refuses a budget that is none', async () => {
        const begun = await begin()
        for (const minutes of [0, 241, 1.5])
          await expect(coverage(begun, { minutes })).rejects.toMatchObject({
            code: 'invalid_request',
            details: [{ path: 'minutes' }],
          })
      })
    })
  })
