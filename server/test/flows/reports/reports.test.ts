import type { Client } from '@integrity/client/every-endpoint'
import type { LaneName } from '@integrity/protocol'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { agreeOnDevice, claimPhone, deviceAnswer } from '../../test-support/devices.ts'
import { enginesInTurn } from '../../test-support/engines.ts'
import { startServer, type TestServer } from '../../test-support/server.ts'
import {
  allLanes,
  anEvent,
  newClientId,
  newPicture,
  newSound,
  register,
  registration,
  scheduleSession,
  soundFor,
  stillFor,
  type WorldSession,
} from '../../test-support/world.ts'

for (const engine of enginesInTurn(import.meta.filename))
  describe(`reports (${engine})`, () => {
    let server: TestServer
    let api: Client

    beforeAll(async () => {
      server = await startServer({ engine })
      api = server.client(server.orgs[0].sandboxKey)
    })
    afterAll(() => server.stop())

    /** A live session that began now, and instants counted in seconds from its start. */
    const begin = async (lanes: Partial<Record<LaneName, boolean>> = allLanes, body: object = {}) => {
      const session = await scheduleSession(api, body)
      await register(server, session, lanes)
      const start = server.clock.now()
      return { session, at: (seconds: number) => new Date(start + seconds * 1000).toISOString() }
    }
    const ingest = (session: WorldSession, events: ReturnType<typeof anEvent>[]) =>
      server.client(session.agent).call('agent.events.ingest', { params: { id: session.id }, body: { events } })
    const report = async (session: WorldSession) =>
      (await api.call('sessions.report', { params: { id: session.id } })).data
    const coverage = async (session: WorldSession, lane: LaneName) =>
      (await report(session)).coverage.find((entry) => entry.lane === lane)
    const window = (lane: LaneName, from: string, to: string, expected: number, observed: number, displayId?: string) =>
      anEvent(server, 'lane.coverage', {
        lane,
        fromAt: from,
        toAt: to,
        expectedSeconds: expected,
        observedSeconds: observed,
        ...(displayId ? { displayId } : {}),
      })
    const gap = (lane: LaneName, from: string, to: string, reason: string) =>
      anEvent(server, 'lane.gap', { lane, fromAt: from, toAt: to, reason })

    describe('sessions.report', () => {
      it('of a session that never began is all zero', async () => {
        const session = await scheduleSession(api)
        const data = await report(session)
        expect(data).toMatchObject({
          durationMs: 0,
          signalTotal: 0,
          inventoryObjects: 0,
          inventory: [],
          status: 'draft',
          revision: 0,
        })
        for (const lane of data.coverage)
          expect(lane).toMatchObject({ expected: 0, observed: 0, gaps: [], declined: false })
      })

      it('counts events, objects and the time while it runs and after it', async () => {
        const { session } = await begin()
        const agent = server.client(session.agent)
        const params = { id: session.id }
        for (let n = 0; n < 2; n++) {
          const picture = await newPicture()
          await agent.call('agent.screenshots.upload', {
            params,
            body: { ...stillFor(server, picture), data: picture.toString('base64') },
          })
        }
        const sound = newSound()
        await agent.call('agent.audioChunks.upload', {
          params,
          body: { ...soundFor(server, sound), data: sound.toString('base64') },
        })
        await ingest(session, [anEvent(server), anEvent(server), anEvent(server, 'idle.started')])
        server.clock.advance(90_500)
        const running = await report(session)
        expect(running).toMatchObject({
          durationMs: 90_500,
          signalTotal: 3,
          signalsByKind: { 'display.added': 2, 'idle.started': 1 },
          inventoryObjects: 3,
        })
        expect(Object.fromEntries(running.inventory.map((row) => [row.evidenceType, row.objects]))).toEqual({
          audio_chunk: 1,
          screenshot: 2,
        })
        expect(running.coverage.map((lane) => [lane.lane, lane.objects])).toEqual([
          ['screen', 2],
          ['microphone', 1],
          ['system_audio', 0],
          ['transcript', 0],
          ['camera', 0],
          ['side_view', 0],
          ['room_camera', 0],
        ])
        await api.call('sessions.end', { params })
        server.clock.advance(60_000)
        expect((await report(session)).durationMs).toBe(90_500)
      })

      it('accounts for every second, as observed or as a gap with its reason', async () => {
        const { session, at } = await begin()
        await ingest(session, [
          window('screen', at(0), at(30), 30, 30),
          window('screen', at(30), at(60), 30, 20),
          gap('screen', at(50), at(60), 'driver_failed'),
          gap('screen', at(60), at(90), 'asleep_or_locked'),
        ])
        server.clock.advance(100_000)
        await api.call('sessions.end', { params: { id: session.id } })
        expect(await coverage(session, 'screen')).toMatchObject({
          enabled: true,
          declined: false,
          expected: 100,
          observed: 50,
          expectedMs: 100_000,
          observedMs: 50_000,
          heldMs: 0,
          sentence: 'The application on the computer reported 50 s of 100 s; the service holds no recording of it.',
          account: [
            { fromAt: at(0), toAt: at(50), state: 'observed', reason: null, reportedBy: 'agent', held: false },
            { fromAt: at(50), toAt: at(60), state: 'gap', reason: 'driver_failed', reportedBy: 'agent', held: false },
            { fromAt: at(60), toAt: at(90), state: 'gap', reason: 'asleep_or_locked' },
            { fromAt: at(90), toAt: at(100), state: 'gap', reason: 'stopping', reportedBy: 'service' },
          ],
          gaps: [
            { fromAt: at(50), toAt: at(60), seconds: 10, reason: 'driver_failed', displayId: null },
            { fromAt: at(60), toAt: at(90), seconds: 30, reason: 'asleep_or_locked' },
            { fromAt: at(90), toAt: at(100), seconds: 10, reason: 'stopping' },
          ],
        })
      })

      it('shows all time of which nothing was reported, short silences at the edges by their names', async () => {
        const { session, at } = await begin()
        await ingest(session, [
          window('microphone', at(10), at(40), 30, 30),
          window('camera', at(14.999), at(60), 45.001, 45.001),
        ])
        server.clock.advance(60_000)
        await api.call('sessions.end', { params: { id: session.id } })
        expect(await coverage(session, 'microphone')).toMatchObject({
          expected: 60,
          observed: 30,
          gaps: [
            { fromAt: at(0), toAt: at(10), seconds: 10, reason: 'starting' },
            { fromAt: at(40), toAt: at(60), seconds: 20, reason: 'not_reported' },
          ],
        })
        expect((await coverage(session, 'camera'))?.gaps).toMatchObject([
          { fromAt: at(0), toAt: at(14.999), reason: 'starting' },
        ])
        expect((await coverage(session, 'system_audio'))?.gaps).toMatchObject([
          { fromAt: at(0), toAt: at(60), reason: 'not_reported' },
        ])
      })

      it('holds what there is an object for, a still while its display is observed', async () => {
        const { session, at } = await begin()
        const agent = server.client(session.agent)
        const params = { id: session.id }
        server.clock.advance(20_000)
        const picture = await newPicture()
        await agent.call('agent.screenshots.upload', {
          params,
          body: { ...stillFor(server, picture), data: picture.toString('base64') },
        })
        await ingest(session, [
          window('screen', at(0), at(60), 60, 60),
          gap('screen', at(50), at(60), 'offline'),
          window('microphone', at(0), at(80), 80, 80),
        ])
        server.clock.advance(60_000)
        await api.call('sessions.end', { params })
        expect(await coverage(session, 'screen')).toMatchObject({
          expectedMs: 80_000,
          observedMs: 50_000,
          heldMs: 30_000,
          account: [
            { toAt: at(20), state: 'observed', held: false },
            { toAt: at(50), state: 'observed', held: true },
            { toAt: at(60), state: 'gap', reason: 'offline', held: false },
            { toAt: at(80), state: 'gap', reason: 'not_reported', held: false },
          ],
        })
        expect(await coverage(session, 'microphone')).toMatchObject({ observedMs: 80_000, heldMs: 0 })
      })

      it('shows a declined lane as declined, never as a gap', async () => {
        const { session, at } = await begin({ ...allLanes, camera: false })
        await ingest(session, [gap('camera', at(0), at(60), 'declined')])
        server.clock.advance(60_000)
        await api.call('sessions.end', { params: { id: session.id } })
        expect(await coverage(session, 'camera')).toMatchObject({
          enabled: true,
          declined: true,
          expected: 0,
          observed: 0,
          gaps: [],
        })
      })

      it('keeps what a withdrawn lane delivered, and shows no gap after it', async () => {
        const { session, at } = await begin()
        await ingest(session, [window('microphone', at(0), at(30), 30, 30)])
        server.clock.advance(30_000)
        await ingest(session, [anEvent(server, 'lane.withdrawn', { lane: 'microphone' })])
        server.clock.advance(60_000)
        await api.call('sessions.end', { params: { id: session.id } })
        expect(await coverage(session, 'microphone')).toMatchObject({
          declined: true,
          expected: 30,
          observed: 30,
          gaps: [],
        })
      })

      it('of a lane that is switched off expects nothing', async () => {
        const { session } = await begin(allLanes, { config: { camera: { enabled: false } } })
        server.clock.advance(60_000)
        await api.call('sessions.end', { params: { id: session.id } })
        expect(await coverage(session, 'camera')).toMatchObject({
          enabled: false,
          declined: false,
          expected: 0,
          gaps: [],
        })
      })

      it('counts a lane once however many displays it has', async () => {
        const { session, at } = await begin()
        await ingest(session, [
          window('screen', at(0), at(60), 60, 60, 'd1'),
          window('screen', at(0), at(60), 60, 15.5, 'd2'),
        ])
        server.clock.advance(60_000)
        await api.call('sessions.end', { params: { id: session.id } })
        expect(await coverage(session, 'screen')).toMatchObject({
          expected: 60,
          observed: 60,
          displays: [
            { displayId: 'd1', expected: 60, observed: 60 },
            { displayId: 'd2', expected: 60, observed: 15.5 },
          ],
        })
      })

      it('joins gaps that overlap, and counts a repeated report once', async () => {
        const { session, at } = await begin()
        const twice = gap('screen', at(0), at(20), 'agent_stopped')
        await ingest(session, [twice, gap('screen', at(10), at(30), 'agent_stopped')])
        await ingest(session, [twice])
        server.clock.advance(30_000)
        await api.call('sessions.end', { params: { id: session.id } })
        expect((await coverage(session, 'screen'))?.gaps).toEqual([
          { fromAt: at(0), toAt: at(30), seconds: 30, reason: 'agent_stopped', displayId: null },
        ])
      })
    })

    describe('sessions.report of the side view', () => {
      /** A live session whose phone was agreed to a moment ago. */
      const withPhone = async (agreed = true) => {
        const { session, at } = await begin(allLanes, { config: { sideView: { enabled: true } } })
        const phone = await claimPhone(server, api, session.id)
        if (agreed) await agreeOnDevice(server, api, session.id, phone.token, 'companion')
        const client = server.client(phone.token)
        const params = { sessionId: session.id }
        const say = (from: number, to: number, reason?: string) => {
          const recording = reason === undefined ? 'on' : 'interrupted'
          const times = Array.from({ length: (to - from) / 10 + 1 }, (_beat, n) => at(from + n * 10))
          const beats = times.map((time) => ({ clientId: newClientId(), at: time, recording, reason }) as const)
          return client.call('pairings.presence', { params, body: { beats } })
        }
        return { session, at, phone, client, params, say }
      }
      const endAt = (session: WorldSession) => api.call('sessions.end', { params: { id: session.id } })

      it('counts from consent to the end, with what the phone said of its interruptions, however late it came', async () => {
        const { session, at, say } = await withPhone()
        server.clock.advance(200_000)
        await say(120, 200)
        await say(40, 70, 'background')
        await say(0, 30)
        expect(await coverage(session, 'side_view')).toMatchObject({
          enabled: true,
          declined: false,
          expected: 200,
          observed: 120,
          gaps: [
            { fromAt: at(40), toAt: at(70), seconds: 30, reason: 'in_background', displayId: null },
            { fromAt: at(70), toAt: at(120), seconds: 50, reason: 'not_reported' },
          ],
        })
        server.clock.advance(100_000)
        await endAt(session)
        const late = await coverage(session, 'side_view')
        expect(late).toMatchObject({ expected: 300, observed: 120 })
        expect(late?.gaps.at(-1)).toMatchObject({ fromAt: at(200), toAt: at(300), reason: 'not_reported' })
      })

      it('expects nothing after the phone was let go, or the candidate has taken consent back', async () => {
        const gone = await withPhone()
        server.clock.advance(60_000)
        await gone.say(0, 60)
        await gone.client.call('pairings.unpair', { params: gone.params })
        const said = await withPhone()
        server.clock.advance(60_000)
        await said.say(0, 60)
        const body = deviceAnswer(server, said.phone.documentHash, false)
        await said.client.call('pairings.consent', { params: said.params, body })
        server.clock.advance(60_000)
        for (const { session } of [gone, said]) await endAt(session)
        expect(await coverage(gone.session, 'side_view')).toMatchObject({
          declined: false,
          expected: 60,
          observed: 60,
          gaps: [],
        })
        expect(await coverage(said.session, 'side_view')).toMatchObject({
          declined: true,
          expected: 60,
          observed: 60,
          gaps: [],
        })
      })

      it('expects nothing before an answer, and says nothing more once the session was erased', async () => {
        const silent = await withPhone(false)
        const heard = await withPhone()
        server.clock.advance(60_000)
        await heard.say(0, 60)
        for (const { session } of [silent, heard]) await endAt(session)
        expect(await coverage(silent.session, 'side_view')).toMatchObject({ declined: false, expected: 0, gaps: [] })
        expect(await coverage(heard.session, 'side_view')).toMatchObject({ expected: 60, observed: 60 })
        await api.call('sessions.erase', { params: { id: heard.session.id } })
        expect(await coverage(heard.session, 'side_view')).toMatchObject({ expected: 0, observed: 0, gaps: [] })
      })
    })

    it('sessions.report lists what the computer could and could not observe, as its agent registered it', async () => {
      const session = await scheduleSession(api)
      const body = await registration(server, session)
      const capabilities = [
        { observer: 'displays', status: 'observable' },
        { observer: 'excluded_windows', status: 'not_observable', why: 'No way to tell on this system.' },
      ] as const
      await server.client(session.agent).call('agent.sessions.register', {
        body: { ...body, capabilities: [...capabilities] },
      })
      expect((await report(session)).capabilities).toEqual(capabilities)
    })

    describe('sessions.reviewStatus', () => {
      it('says what evidence remains, and nothing that was observed', async () => {
        const { session } = await begin()
        const params = { id: session.id }
        const picture = await newPicture()
        const body = { ...stillFor(server, picture), data: picture.toString('base64') }
        await server.client(session.agent).call('agent.screenshots.upload', { params, body })
        const status = async () => (await api.call('sessions.reviewStatus', { params })).data
        expect(await status()).toEqual({
          sessionId: session.id,
          status: 'draft',
          revision: 0,
          approved: false,
          stale: false,
          signedOffAt: null,
          evidence: { objects: 1, erasedObjects: 0, remaining: [{ evidenceType: 'screenshot', objects: 1 }] },
          remainingEvidence: { objects: 1, sizeBytes: picture.length },
        })
        await api.call('sessions.end', { params })
        await api.call('sessions.erase', { params })
        expect(await status()).toMatchObject({
          evidence: { objects: 1, erasedObjects: 1, remaining: [] },
          remainingEvidence: { objects: 0, sizeBytes: 0 },
        })
      })
    })
  })
