import { mkdir, rename, unlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Client } from '@integrity/client/every-endpoint'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runStep } from '../../../src/domains/integrations/sandbox/sandbox.run.service.ts'
import { refusal } from '../../test-support/capture-session.ts'
import { enginesInTurn } from '../../test-support/engines.ts'
import { startServer, type TestServer } from '../../test-support/server.ts'
import { scheduleSession } from '../../test-support/world.ts'
import { simulationsOf } from './sandbox.test-support.ts'

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
      doneOf,
      play,
      playWhole,
      typesOf,
      reportOf,
      coverageOf,
      evidenceOf,
      sessionOf,
    } = simulationsOf(() => server)

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
        // Steps that were due all at once leave pictures, but no time for sound.
        expect(types.filter((type) => type === 'evidence.ready')).toHaveLength(31)
        expect(types.filter((type) => type === 'session.ended')).toHaveLength(1)
        const camera = await coverageOf(id, 'camera')
        expect(camera?.gaps).toMatchObject([{ reason: 'agent_stopped' }])
        expect(camera?.gaps[0]?.seconds).toBeGreaterThan(3590)
        expect(camera?.observed).toBeLessThan(6)
      })

      for (const [title, begins, items] of [
        ['pictures and sound', 'Pictures', 4],
        ['an upload in parts', 'A larger item', 2],
      ] as const)
        it(`has one effect of a step that runs twice, at once or one after the other: ${title}`, async () => {
          const id = await schedule({ camera: { clips: true } })
          const { steps } = await simulate(id, 'phone_interrupted')
          const index = steps.findIndex(({ what }) => what.startsWith(begins))
          await play(id, index)
          const scope = { orgId: server.orgs[0].orgId, environment: 'sandbox' } as const
          const again = () => runStep({ ...server.app, scope }, { sessionId: id, index })
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
        expect((await typesOf(id)).filter((type) => type === 'evidence.ready')).toHaveLength(4)
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
