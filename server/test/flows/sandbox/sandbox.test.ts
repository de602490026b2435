import type { Client } from '@integrity/client/every-endpoint'
import { eventTypes } from '@integrity/protocol'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { verifyAudit } from '../../../src/domains/recording/audit/audit.service.ts'
import { enginesInTurn } from '../../test-support/engines.ts'
import { startServer, type TestServer } from '../../test-support/server.ts'
import { startReceiver } from '../../test-support/webhook-receiver.ts'
import { fullConfig } from '../../test-support/world.ts'
import { simulationsOf } from './sandbox.test-support.ts'

/** Published by the scenarios between them; the others follow from reviews and from the endpoint's own test call. */
/** Of no session, or of a review that follows it. */
const others: readonly string[] = ['audit.checkpoint', 'report.finalized', 'report.stale', 'webhook.test']
const simulatedTypes = eventTypes.filter((type) => !others.includes(type))

for (const engine of enginesInTurn(import.meta.filename))
  describe(`the simulation (${engine})`, () => {
    let server: TestServer
    let api: Client

    beforeAll(async () => {
      server = await startServer({ engine })
      api = server.client(server.orgs[0].sandboxKey)
    })
    afterAll(() => server.stop())

    const {
      schedule,
      simulate,
      progress,
      play,
      playWhole,
      eventsOf,
      typesOf,
      reportOf,
      coverageOf,
      evidenceOf,
      sessionOf,
    } = simulationsOf(() => server)
    const bytesOf = async (evidenceId: string): Promise<Buffer> => {
      const { data } = await api.call('evidence.downloadUrl', { params: { id: evidenceId }, body: {} })
      const answer = await fetch(new URL(new URL(data.url).pathname + new URL(data.url).search, server.url))
      expect(answer.status).toBe(200)
      return Buffer.from(await answer.arrayBuffer())
    }

    describe('sandbox.simulate', () => {
      it('answers the steps with their wall-clock offsets and has done none of them yet', async () => {
        const id = await schedule()
        const run = await simulate(id, 'complete_interview')
        expect(run).toMatchObject({ sessionId: id, timeScale: 60, status: 'running', finishedAt: null, failure: null })
        expect(run.steps.every((step) => step.doneAt === null)).toBe(true)
        expect(run.steps[0]?.atSeconds).toBe(0)
        expect(run.steps.at(-1)?.atSeconds).toBe(10)
        expect(run.steps.map((step) => step.atSeconds)).toEqual(
          run.steps.map((step) => step.atSeconds).toSorted((a, b) => a - b),
        )
        expect((await sessionOf(id)).state).toBe('scheduled')
        expect(await progress(id)).toEqual(run)
      })

      it('plays a complete interview through the services that a real agent reaches', async () => {
        const { id, run } = await playWhole('complete_interview', fullConfig)
        expect(run).toMatchObject({ status: 'done', failure: null })
        const at = (seconds: number) => new Date(Date.parse(run.startedAt) + seconds * 1000).toISOString()
        expect(run.steps.map((step) => step.doneAt)).toEqual(run.steps.map((step) => at(step.atSeconds)))
        expect(await sessionOf(id)).toMatchObject({ state: 'ended', startedAt: at(0), endedAt: at(10) })
        const types = await typesOf(id)
        expect(types.slice(0, 3)).toEqual(['session.scheduled', 'session.started', 'source.health_changed'])
        expect(types.at(-1)).toBe('session.ended')
        expect(types.filter((type) => type === 'evidence.ready')).toHaveLength(79)
        const report = await reportOf(id)
        expect(report).toMatchObject({ durationMs: 10_000, inventoryObjects: 79 })
        expect(
          report.coverage
            // Neither a phone nor a room is in this one.
            .filter(({ lane }) => lane !== 'side_view' && lane !== 'room_camera')
            .map(({ lane, expected, observed, gaps }) => ({ lane, expected, observed, gaps })),
        ).toEqual(
          ['screen', 'microphone', 'system_audio', 'transcript', 'camera'].map((lane) => ({
            lane,
            expected: 10,
            observed: 10,
            gaps: [],
          })),
        )
        expect(report.signalsByKind).toMatchObject({ 'foreground.changed': 1, 'idle.started': 1 })
        expect(Object.keys(report.signalsByKind).filter((kind) => /^(agent|lane)\./.test(kind))).toEqual([])
        expect((await verifyAudit(server.app, { orgId: server.orgs[0].orgId })).ok).toBe(true)
      })

      it('leaves media that players open', async () => {
        const { id } = await playWhole('phone_interrupted', fullConfig)
        const items = await evidenceOf(id)
        const first = async (type: string) => {
          const item = items.find(({ evidenceType }) => evidenceType === type)
          return { item, bytes: await bytesOf(String(item?.id)) }
        }
        const screen = await first('screenshot')
        expect(await sharp(screen.bytes).metadata()).toMatchObject({ format: 'webp', width: 960, height: 540 })
        expect(screen.item).toMatchObject({ metadata: { displayId: 'sim-display-1', width: 960 } })
        expect(await sharp((await first('camera_frame')).bytes).metadata()).toMatchObject({ width: 480, height: 360 })
        const { bytes, item } = await first('audio_chunk')
        expect(item).toMatchObject({ contentType: 'audio/webm', metadata: { codec: 'opus' } })
        expect([bytes.readUInt32BE(0), bytes.includes('A_OPUS')]).toEqual([0x1a45dfa3, true])
        const film = await first('screen_clip')
        expect(film.item).toMatchObject({ contentType: 'video/webm', durationMs: 1000 })
        expect(film.bytes.length).toBeLessThan(20_000)
        expect((await first('camera_clip')).bytes).toEqual(film.bytes)
        expect(new Set(items.map((one) => one.sha256)).size).toBe(items.length - 1)
      })

      it('says nothing that lies in the future or before the session', async () => {
        const { id } = await playWhole('phone_interrupted', fullConfig, 600)
        const session = await sessionOf(id)
        const [from, to] = [String(session.startedAt), String(session.endedAt)]
        for (const item of await evidenceOf(id)) {
          expect(item.capturedAt >= from && item.capturedAt <= item.createdAt, item.evidenceType).toBe(true)
          if (item.evidenceType !== 'audio_chunk') continue
          expect(Date.parse(item.capturedAt) + Number(item.durationMs)).toBeLessThanOrEqual(Date.parse(item.createdAt))
        }
        const { data } = await api.call('sessions.events.list', { params: { id }, query: { limit: 100 } })
        for (const event of data.items) {
          expect(event.observedAt).toBe(event.receivedAt)
          expect(event.observedAt >= from && event.observedAt <= to).toBe(true)
        }
      })

      it('writes a transcript in turns, provisional first, where the policy asks for one', async () => {
        const id = await schedule(fullConfig)
        await simulate(id, 'late_evidence')
        const transcript = async () =>
          (await api.call('sessions.transcript', { params: { id }, query: { limit: 100 } })).data.items
        const { steps } = await play(id, 7)
        expect(steps[6]?.what).toMatch(/^A sentence was spoken/)
        expect((await transcript()).map(({ final }) => final)).toEqual([true, false])
        await play(id)
        const items = await transcript()
        expect(items).toHaveLength(6)
        expect(items.every(({ final }) => final)).toBe(true)
        expect(items.map(({ speaker }) => speaker)).toEqual(
          items.map((_, n) => (n % 2 === 0 ? 'interviewer' : 'candidate')),
        )
        expect(items[0]?.text).toContain('everything you hear and read here was made up')
        for (const [index, { startMs }] of items.entries())
          expect(startMs).toBeGreaterThanOrEqual(items[index - 1]?.endMs ?? 0)
        expect(items[0]).toMatchObject({ startMs: 250, endMs: 400 })
        expect(items.at(-1)?.endMs).toBe(3250)
      })

      it('captures only what the policy asks for, also when that changes on the way', async () => {
        const id = await schedule({ camera: { enabled: false }, signals: false })
        await simulate(id, 'phone_interrupted')
        await play(id, 12)
        await api.call('sessions.patch', { params: { id }, body: { audio: { microphone: false } } })
        const chunks = (await evidenceOf(id)).filter(({ evidenceType }) => evidenceType === 'audio_chunk').length
        const run = await play(id)
        expect(run).toMatchObject({ status: 'done', failure: null })
        const items = await evidenceOf(id)
        expect(chunks).toBeGreaterThan(0)
        expect(items.filter(({ evidenceType }) => evidenceType === 'audio_chunk')).toHaveLength(chunks)
        expect(new Set(items.map(({ evidenceType }) => evidenceType))).toEqual(
          new Set(['screenshot', 'audio_chunk', 'system_audio_chunk']),
        )
        const { data } = await api.call('sessions.transcript', { params: { id } })
        expect(data.total).toBe(0)
        const kinds = Object.keys((await reportOf(id)).signalsByKind)
        expect(kinds.every((kind) => /^(lane|agent)\./.test(kind))).toBe(true)
      })

      it('brings a phone that is interrupted and comes back, and switches its side view on', async () => {
        const { id, run } = await playWhole('phone_interrupted')
        expect(run.status).toBe('done')
        const events = (await eventsOf(id)).filter(({ type }) => type.startsWith('companion.'))
        expect(events.map(({ type }) => type)).toEqual([
          'companion.paired',
          'companion.placement_confirmed',
          'companion.recording_started',
          'companion.interrupted',
          'companion.resumed',
          'companion.recording_stopped',
        ])
        const said = events.map(({ data }) => data as { companion: { id: string }; at: string; session: object })
        expect(new Set(said.map(({ companion }) => companion.id)).size).toBe(1)
        expect(said[0]?.companion.id).toMatch(/^cpn_[0-9a-z]{26}$/)
        expect(said.map(({ at }) => at)).toEqual(events.map(({ createdAt }) => createdAt))
        expect(said[3]).toMatchObject({ session: { id, state: 'live' } })
        expect(await sessionOf(id)).toMatchObject({ config: { sideView: { enabled: true } }, policyVersion: 2 })
        // From its pairing to the end, but for the minute of the interview in which something else was in front.
        const side = await coverageOf(id, 'side_view')
        expect(side).toMatchObject({ gaps: [{ reason: 'in_background', seconds: 1 }] })
        expect([side?.expected, side?.observed]).toEqual([expect.closeTo(4.7, 1), expect.closeTo(3.7, 1)])
      })

      it('marks what was so before the session, which is nothing that happened', async () => {
        const { id } = await playWhole('complete_interview')
        const { atStart, signalsByKind } = await reportOf(id)
        const before = ['device.added', 'display.added', 'network.changed']
        expect(atStart.map(({ kind }) => kind).sort()).toEqual(before)
        for (const kind of before) expect(signalsByKind).not.toHaveProperty([kind])
      })

      it('lets the connection break: lanes down, a gap with its reason, lanes up, and late evidence', async () => {
        const { id, run } = await playWhole('agent_offline_and_back')
        expect(run.status).toBe('done')
        const events = await eventsOf(id)
        const health = events
          .filter(({ type }) => type === 'source.health_changed')
          .map(({ data }) => data as { lane: string; displayId: string | null; current: string; reason: string | null })
        const ofCamera = health.filter(({ lane }) => lane === 'camera')
        expect(ofCamera.map(({ current, reason }) => ({ current, reason }))).toEqual([
          { current: 'up', reason: null },
          { current: 'down', reason: 'offline' },
          { current: 'up', reason: null },
        ])
        const camera = await coverageOf(id, 'camera')
        // 7 s altogether; what was captured after 3.5 s of it was lost until the agent was back at 4.5 s.
        expect(camera).toMatchObject({ expected: 7, observed: 6, gaps: [{ seconds: 1, reason: 'offline' }] })
        const late = (await evidenceOf(id)).filter(({ capturedAt, createdAt }) => createdAt > capturedAt)
        const offline = late.filter(({ evidenceType }) => evidenceType === 'screenshot')
        expect(offline.map((item) => Date.parse(item.capturedAt) - Date.parse(run.startedAt))).toEqual([3000, 3500])
        expect(offline.map((item) => Date.parse(item.createdAt) - Date.parse(run.startedAt))).toEqual([4667, 4667])
        const said = (current: string, from = 0) =>
          events.findIndex(({ data }, at) => at >= from && (data as { current?: string }).current === current)
        const down = said('down')
        const silence = events.slice(down, said('up', down)).map(({ type }) => type)
        expect(new Set(silence)).toEqual(new Set(['source.health_changed']))
      })

      it('lets the candidate decline camera and microphone', async () => {
        const { id, run } = await playWhole('lane_declined')
        expect(run.status).toBe('done')
        expect((await sessionOf(id)).consent).toMatchObject({
          status: 'partial',
          lanes: { camera: { granted: false }, microphone: { granted: false }, screen: { granted: true } },
        })
        for (const lane of ['camera', 'microphone'] as const)
          expect(await coverageOf(id, lane)).toMatchObject({ enabled: true, declined: true, objects: 0, gaps: [] })
        expect(await coverageOf(id, 'screen')).toMatchObject({ declined: false, expected: 5, observed: 5, objects: 9 })
      })

      it('delivers evidence after the end, captured before it', async () => {
        const { id, run } = await playWhole('late_evidence')
        expect(run.status).toBe('done')
        const types = await typesOf(id)
        const after = types.slice(types.indexOf('session.ended') + 1)
        expect(after).toEqual(Array.from({ length: 8 }, () => 'evidence.ready'))
        const session = await sessionOf(id)
        const late = (await evidenceOf(id)).filter(({ createdAt }) => createdAt > String(session.endedAt))
        expect(late).toHaveLength(8)
        expect(late.every(({ capturedAt }) => capturedAt < String(session.endedAt))).toBe(true)
        expect(await coverageOf(id, 'screen')).toMatchObject({ expected: 5, observed: 5, gaps: [], objects: 9 })
      })

      it('delivers webhooks twice and out of order, each event at least once', async () => {
        const receiver = await startReceiver(() => server.clock.now())
        const { data: hook } = await api.call('webhooks.create', { body: { url: receiver.url, eventTypes: ['*'] } })
        try {
          const quiet = await schedule()
          const { id, run } = await playWhole('webhooks_duplicated_and_reordered')
          expect(run.status).toBe('done')
          server.clock.advance(60_000)
          await server.processAll()
          const got = receiver.received
            .map(
              ({ body }) => JSON.parse(body.toString('utf8')) as { id: string; createdAt: string; sessionId: string },
            )
            .filter((event) => event.sessionId === id)
          const published = await eventsOf(id)
          expect(new Set(got.map((event) => event.id))).toEqual(new Set(published.map((event) => event.id)))
          const twice = got.length - published.length
          expect(twice).toBeGreaterThan(10)
          const instants = got.map(({ createdAt }) => createdAt)
          expect(instants).not.toEqual(instants.toSorted())
          const firstOf = (type: string) =>
            got.findIndex(({ id: of }) => published.find((e) => e.type === type)?.id === of)
          expect(firstOf('session.started')).toBeGreaterThan(firstOf('source.health_changed'))
          expect(firstOf('session.ended')).toBeLessThan(got.length - 1)
          for (const { at, body } of receiver.received)
            expect(at).toBeGreaterThanOrEqual(
              Date.parse((JSON.parse(body.toString('utf8')) as { createdAt: string }).createdAt),
            )
          const others = receiver.received.filter(({ body }) => body.includes(quiet))
          expect(others).toHaveLength(1)
          const { data: log } = await api.call('webhooks.deliveries.list', {
            params: { id: hook.id },
            query: { limit: 100 },
          })
          const replays = log.items.filter(({ replayOf }) => replayOf !== null)
          expect(replays.length).toBeGreaterThan(0)
          expect(log.items.every(({ status }) => status === 'delivered')).toBe(true)
        } finally {
          await api.call('webhooks.delete', { params: { id: hook.id } })
          await receiver.stop()
        }
      })

      it('publishes, over all scenarios, every event that a session can bring about', async () => {
        for (const type of simulatedTypes) {
          const { data } = await api.call('events.list', { query: { types: type, limit: 1 } })
          expect(data.total, type).toBeGreaterThan(0)
        }
      })
    })
  })
