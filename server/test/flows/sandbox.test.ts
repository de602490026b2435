import { mkdir, rename, unlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { eventTypes, type LaneName, type Scenario, type SessionConfigPatch } from '@integrity/protocol'
import type { Client } from '@integrity/protocol/client'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { verifyAudit } from '../../src/domains/audit/audit.service.ts'
import { runStep } from '../../src/domains/sandbox/sandbox.run.service.ts'
import { hasEngine } from '../support/databases.ts'
import { startServer, type TestServer } from '../support/server.ts'
import { startReceiver } from '../support/webhook-receiver.ts'
import { fullConfig, scheduleSession } from '../support/world.ts'
import { refusal } from './capture-session.ts'

/** Published by the scenarios between them; the others follow from reviews and from the endpoint's own test call. */
const simulatedTypes = eventTypes.filter((type) => !type.startsWith('report.') && type !== 'webhook.test')

for (const engine of ['sqlite', 'postgres'] as const)
  describe.skipIf(!hasEngine(engine))(`the simulation (${engine})`, () => {
    let server: TestServer
    let api: Client

    beforeAll(async () => {
      server = await startServer({ engine })
      api = server.client(server.orgs[0].sandboxKey)
    })
    afterAll(() => server.stop())

    const schedule = async (config?: SessionConfigPatch): Promise<string> =>
      (await scheduleSession(api, config ? { config } : {})).id
    const simulate = async (id: string, scenario: Scenario, timeScale?: number) =>
      (await api.call('sandbox.simulate', { params: { id }, body: { scenario, ...(timeScale ? { timeScale } : {}) } }))
        .data
    const progress = async (id: string) => (await api.call('sandbox.simulation', { params: { id } })).data
    type Progress = Awaited<ReturnType<typeof progress>>
    const doneOf = (run: Progress) => run.steps.filter((step) => step.doneAt !== null).length

    /** Moves the clock from step to step until the run is over, or that many steps are done. */
    const play = async (id: string, steps = Number.POSITIVE_INFINITY): Promise<Progress> => {
      for (let stuck = 0, before = -1; stuck < 10; ) {
        const run = await progress(id)
        const done = doneOf(run)
        if (run.status !== 'running' || done >= steps) return run
        stuck = done === before ? stuck + 1 : 0
        before = done
        const due = Date.parse(run.startedAt) + (run.steps[done]?.atSeconds ?? 0) * 1000
        // A step that failed is tried again after a while.
        server.clock.advance(stuck > 0 ? 5000 : Math.max(0, due - server.clock.now()))
        await server.processAll()
      }
      throw new Error(`the simulation of ${id} does not go on: ${server.logLines.join('')}`)
    }
    const playWhole = async (scenario: Scenario, config?: SessionConfigPatch, timeScale?: number) => {
      const id = await schedule(config)
      await simulate(id, scenario, timeScale)
      return { id, run: await play(id) }
    }

    const eventsOf = async (id: string) => {
      const { data } = await api.call('events.list', { query: { sessionId: id, limit: 100 } })
      expect(data.total).toBe(data.items.length)
      return data.items.toReversed()
    }
    const typesOf = async (id: string) => (await eventsOf(id)).map(({ type }) => type)
    const reportOf = async (id: string) => (await api.call('sessions.report', { params: { id } })).data
    const coverageOf = async (id: string, lane: LaneName) =>
      (await reportOf(id)).coverage.find((entry) => entry.lane === lane)
    const evidenceOf = async (id: string) =>
      (await api.call('sessions.evidence.list', { params: { id }, query: { limit: 100 } })).data.items
    const sessionOf = async (id: string) => (await api.call('sessions.get', { params: { id } })).data
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
        expect(types.filter((type) => type === 'evidence.ready')).toHaveLength(60)
        const report = await reportOf(id)
        expect(report).toMatchObject({ durationMs: 10_000, inventoryObjects: 60 })
        expect(
          report.coverage
            // The phone of a simulation says nothing of itself.
            .filter(({ lane }) => lane !== 'side_view')
            .map(({ lane, expected, observed, gaps }) => ({ lane, expected, observed, gaps })),
        ).toEqual(
          ['screen', 'microphone', 'system_audio', 'transcript', 'camera'].map((lane) => ({
            lane,
            expected: 10,
            observed: 10,
            gaps: [],
          })),
        )
        expect(report.signalsByKind).toMatchObject({ 'agent.started': 1, 'foreground.changed': 1, 'agent.stopping': 1 })
        expect((await verifyAudit(server.app, server.orgs[0].orgId)).ok).toBe(true)
      })

      it('leaves media that players open', async () => {
        const { id } = await playWhole('phone_interrupted', fullConfig)
        const items = await evidenceOf(id)
        const first = async (type: string) => {
          const item = items.find(({ evidenceType }) => evidenceType === type)
          return { item, bytes: await bytesOf(String(item?.id)) }
        }
        const screen = await first('screenshot')
        expect(await sharp(screen.bytes).metadata()).toMatchObject({ format: 'webp', width: 640, height: 360 })
        expect(screen.item).toMatchObject({ metadata: { displayId: 'sim-display-1', width: 640 } })
        expect(await sharp((await first('camera_frame')).bytes).metadata()).toMatchObject({ width: 320, height: 240 })
        const { bytes, item } = await first('audio_chunk')
        expect([bytes.toString('latin1', 0, 4), bytes.toString('latin1', 8, 16)]).toEqual(['RIFF', 'WAVEfmt '])
        expect([bytes.readUInt32LE(4), bytes.readUInt32LE(40)]).toEqual([bytes.length - 8, bytes.length - 44])
        expect((bytes.length - 44) / 16).toBe(item?.durationMs)
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
        await play(id, 8)
        expect((await transcript()).map(({ final }) => final)).toEqual([true, false])
        await play(id)
        const items = await transcript()
        expect(items).toHaveLength(4)
        expect(items.every(({ final }) => final)).toBe(true)
        expect(items.slice(0, 2).map(({ speaker, text }) => ({ speaker, text }))).toEqual([
          { speaker: 'interviewer', text: 'This is a simulated interview; nobody is speaking.' },
          { speaker: 'candidate', text: 'Good. Then these are simulated answers.' },
        ])
        for (const [index, { startMs }] of items.entries())
          expect(startMs).toBe(index === 0 ? 0 : items[index - 1]?.endMs)
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
        expect(after).toEqual(Array.from({ length: 6 }, () => 'evidence.ready'))
        const session = await sessionOf(id)
        const late = (await evidenceOf(id)).filter(({ createdAt }) => createdAt > String(session.endedAt))
        expect(late).toHaveLength(6)
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

    describe('the pace', () => {
      it('is that of a real interview at scale 1, and no step runs before it is due', async () => {
        const id = await schedule()
        const run = await simulate(id, 'complete_interview', 1)
        expect(run.steps.at(-1)?.atSeconds).toBe(600)
        expect((await play(id, 1)).steps.filter((step) => step.doneAt !== null)).toHaveLength(1)
        server.clock.advance(4999)
        await server.processAll()
        expect(doneOf(await progress(id))).toBe(1)
        server.clock.advance(1)
        await server.processAll()
        expect(doneOf(await progress(id))).toBe(2)
      })

      it('is a tenth of a second for a minute at scale 600, and refuses more than that', async () => {
        const { id, run } = await playWhole('late_evidence', undefined, 600)
        expect(Date.parse(String(run.finishedAt)) - Date.parse(run.startedAt)).toBe(600)
        expect(await reportOf(id)).toMatchObject({ durationMs: 500 })
        for (const timeScale of [0.5, 601])
          expect(await refusal(simulate(id, 'complete_interview', timeScale))).toMatchObject({
            status: 400,
            path: 'timeScale',
          })
      })

      it('goes on after a restart where it was, and calls the time between a gap', async () => {
        const id = await schedule()
        await simulate(id, 'phone_interrupted')
        const before = await play(id, 20)
        await server.restart()
        api = server.client(server.orgs[0].sandboxKey)
        server.clock.advance(3_600_000)
        const run = await play(id)
        expect(run.status).toBe('done')
        expect(run.steps.slice(0, 20)).toEqual(before.steps.slice(0, 20))
        const types = await typesOf(id)
        expect(types.filter((type) => type === 'evidence.ready')).toHaveLength(28)
        expect(types.filter((type) => type === 'session.ended')).toHaveLength(1)
        const camera = await coverageOf(id, 'camera')
        expect(camera?.gaps).toMatchObject([{ reason: 'agent_stopped' }])
        expect(camera?.gaps[0]?.seconds).toBeGreaterThan(3590)
        expect(camera?.observed).toBeLessThan(6)
      })

      for (const [title, begins, items] of [
        ['pictures and sound', 'Pictures', 3],
        ['an upload in parts', 'A larger item', 2],
      ] as const)
        it(`has one effect of a step that runs twice, at once or one after the other: ${title}`, async () => {
          const id = await schedule({ camera: { clips: true } })
          const { steps } = await simulate(id, 'phone_interrupted')
          const index = steps.findIndex(({ what }) => what.startsWith(begins))
          await play(id, index)
          const scope = { orgId: server.orgs[0].orgId, environment: 'sandbox' } as const
          const again = () => runStep(server.app, scope, { sessionId: id, index })
          const before = (await evidenceOf(id)).length
          await Promise.all([again(), again(), again()])
          await again()
          expect(doneOf(await progress(id))).toBe(index + 1)
          expect((await evidenceOf(id)).length).toBe(before + items)
          expect(await play(id, index + 2)).toMatchObject({ status: 'running', failure: null })
        })
    })

    describe('a step that fails', () => {
      /** The evidence store cannot be written while `work` runs. */
      const withoutStore = async <T>(work: () => Promise<T>): Promise<T> => {
        const store = join(server.app.config.dataDir, 'objects')
        await mkdir(store, { recursive: true })
        await rename(store, `${store}.away`)
        await writeFile(store, '')
        try {
          return await work()
        } finally {
          await unlink(store)
          await rename(`${store}.away`, store)
        }
      }

      it('is tried again, has one effect, and ends the simulation when it goes on failing', async () => {
        const id = await schedule()
        // In real time, so that no other step falls into the waits between two tries.
        const { steps, startedAt } = await simulate(id, 'phone_interrupted', 1)
        const index = steps.findIndex(({ what }) => what.startsWith('Pictures'))
        await play(id, index)
        server.clock.advance(Date.parse(startedAt) + (steps[index]?.atSeconds ?? 0) * 1000 - server.clock.now())
        await withoutStore(() => server.processAll())
        expect(await progress(id)).toMatchObject({ status: 'running', failure: null })
        expect(doneOf(await progress(id))).toBe(index)
        await play(id, index + 1)
        expect((await typesOf(id)).filter((type) => type === 'evidence.ready')).toHaveLength(3)
        const run = await withoutStore(() => play(id))
        expect(run).toMatchObject({ status: 'failed', failure: 'the service could not do this step' })
        expect((await sessionOf(id)).state).toBe('live')
        expect(server.logLines.join('')).toContain('a simulation failed')
      })
    })

    describe('one simulation for each session', () => {
      it('is begun once by calls that come together', async () => {
        const id = await schedule()
        const runs = await Promise.all(Array.from({ length: 5 }, () => simulate(id, 'late_evidence')))
        expect(new Set(runs.map((run) => run.id)).size).toBe(1)
        await play(id)
        expect((await typesOf(id)).filter((type) => type === 'session.started')).toHaveLength(1)
      })

      it('is answered again for the same scenario, and refused for another', async () => {
        const id = await schedule()
        const first = await simulate(id, 'late_evidence')
        const done = await play(id)
        expect(done.id).toBe(first.id)
        expect(await simulate(id, 'late_evidence', 600)).toEqual(done)
        expect(await refusal(simulate(id, 'complete_interview'))).toMatchObject({ status: 409, code: 'conflict' })
      })

      it('begins only in a scheduled session whose evidence was not erased', async () => {
        const ended = await schedule()
        await api.call('sessions.end', { params: { id: ended } })
        const erased = await schedule()
        await api.call('sessions.erase', { params: { id: erased } })
        for (const id of [ended, erased])
          expect(await refusal(simulate(id, 'complete_interview'))).toMatchObject({ status: 409, code: 'conflict' })
      })

      it('declines lanes only where the policy lets the candidate', async () => {
        const required = await schedule({ optionalLanes: ['camera'] })
        expect(await refusal(simulate(required, 'lane_declined'))).toEqual({
          status: 409,
          code: 'conflict',
          path: 'config.optionalLanes',
        })
        const off = await schedule({ camera: { enabled: false }, audio: { microphone: false } })
        expect(await refusal(simulate(off, 'lane_declined'))).toEqual({ status: 409, code: 'conflict' })
        expect(await refusal(progress(off))).toMatchObject({ status: 404 })
      })
    })

    describe('somebody else', () => {
      it('who ends the session ends the simulation as failed, in words', async () => {
        const id = await schedule()
        await simulate(id, 'complete_interview')
        await play(id, 6)
        await api.call('sessions.end', { params: { id } })
        const run = await play(id)
        expect(run).toMatchObject({ status: 'failed', failure: 'the session was ended by somebody else' })
        expect(run.finishedAt).not.toBeNull()
        expect(doneOf(run)).toBe(6)
        server.clock.advance(60_000)
        await server.processAll()
        expect(await progress(id)).toEqual(run)
      })

      it('who erases the evidence before the late part of it came ends the simulation as failed', async () => {
        const id = await schedule()
        const { steps } = await simulate(id, 'late_evidence')
        await play(id, steps.length - 1)
        await api.call('sessions.erase', { params: { id } })
        expect(await play(id)).toMatchObject({
          status: 'failed',
          failure: 'the evidence of the session was erased by somebody else',
        })
      })

      it('who changes the policy so that a step is refused reads why', async () => {
        const id = await schedule()
        await simulate(id, 'lane_declined')
        await api.call('sessions.patch', { params: { id }, body: { optionalLanes: [] } })
        const run = await play(id)
        expect(run.status).toBe('failed')
        expect(run.failure).toContain('consent to a required part is missing')
        expect((await sessionOf(id)).state).toBe('scheduled')
      })

      it('with a live key is refused before anything is said of any session', async () => {
        const live = server.client(server.orgs[0].liveKey)
        const own = await scheduleSession(live, {})
        const sandbox = await schedule()
        await simulate(sandbox, 'complete_interview')
        const answers: unknown[] = []
        for (const id of [own.id, sandbox, 'ses_00000000000000000000000000']) {
          answers.push(
            await refusal(live.call('sandbox.simulate', { params: { id }, body: { scenario: 'late_evidence' } })),
          )
          answers.push(await refusal(live.call('sandbox.simulation', { params: { id } })))
        }
        expect(answers).toEqual(answers.map(() => ({ status: 403, code: 'forbidden' })))
        for (const call of [() => simulate(own.id, 'late_evidence'), () => progress(own.id)])
          expect(await refusal(call())).toEqual({ status: 404, code: 'not_found' })
      })

      it('of another organisation finds nothing, and a session without a simulation has none', async () => {
        const id = await schedule()
        expect(await refusal(progress(id))).toEqual({ status: 404, code: 'not_found' })
        await simulate(id, 'complete_interview')
        const other = server.client(server.orgs[1].sandboxKey)
        const body = { scenario: 'complete_interview' } as const
        expect(await refusal(other.call('sandbox.simulate', { params: { id }, body }))).toMatchObject({ status: 404 })
        expect(await refusal(other.call('sandbox.simulation', { params: { id } }))).toMatchObject({ status: 404 })
      })
    })
  })
