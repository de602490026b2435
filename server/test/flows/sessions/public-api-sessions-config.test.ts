import type { Client } from '@integrity/client/every-endpoint'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { everyEngine } from '../../test-support/engines.ts'
import { type Asked, ask, invalidAt, problemOf } from '../../test-support/public-api-call.ts'
import { startServer, type TestServer } from '../../test-support/server.ts'
import { register, scheduleSession } from '../../test-support/world.ts'

for (const engine of everyEngine())
  describe(`public API, sessions (${engine})`, () => {
    let server: TestServer
    let api: Client

    beforeAll(async () => {
      server = await startServer({ engine })
      api = server.client(server.orgs[0].sandboxKey)
    })
    beforeEach(() => server.clock.advance(60_000))
    afterAll(() => server.stop())

    const call = (line: string, asked?: Asked) => ask(server, line, asked)
    const problem = async (line: string, asked?: Asked) => problemOf(await call(line, asked))
    const schedule = (body?: object) => scheduleSession(api, body ?? {})

    describe('sessions.patch', () => {
      const groups = [
        ['capture', { screenshotIntervalSeconds: 7 }, { quality: 33 }],
        ['audio', { chunkSeconds: 20 }, { microphone: false }],
        ['camera', { stillIntervalSeconds: 60 }, { clips: true }],
        ['sideView', { previewIntervalSeconds: 30 }, { enabled: true }],
      ] as const

      it.each(groups)(
        'merges into the group %s and leaves every other value as it was',
        async (group, first, second) => {
          const { id, agent } = await schedule()
          const before = (await call(`GET /v1/api/sessions/${id}`)).data.config
          await call(`PATCH /v1/api/sessions/${id}`, { body: { [group]: first } })
          const { data } = await call(`PATCH /v1/api/sessions/${id}`, { body: { [group]: second } })
          expect(data.config).toEqual({ ...before, [group]: { ...before[group], ...first, ...second } })
          expect(data.policyVersion).toBe(3)
          const read = await call(`GET /v1/sessions/${id}/config`, { key: agent })
          expect(read.data).toMatchObject({ policyVersion: 3, config: data.config })
          expect(read.headers.get('etag')).toBe('"3"')
        },
      )

      it('refuses a wrong value in any group, and changes nothing of the others', async () => {
        const { id } = await schedule()
        const before = (await call(`GET /v1/api/sessions/${id}`)).text
        const body = {
          capture: { quality: 101 },
          audio: { chunkSeconds: 1 },
          camera: { clipSeconds: 61 },
          sideView: { previewIntervalSeconds: 1.5 },
          retentionDays: 5,
        }
        const refused = problemOf(await call(`PATCH /v1/api/sessions/${id}`, { body }))
        expect(refused.paths.sort()).toEqual([
          'audio.chunkSeconds',
          'camera.clipSeconds',
          'capture.quality',
          'sideView.previewIntervalSeconds',
        ])
        for (const group of ['capture', 'audio', 'camera', 'sideView'])
          for (const value of [null, [], 'off', false])
            expect(await problem(`PATCH /v1/api/sessions/${id}`, { body: { [group]: value } }), group).toEqual(
              invalidAt(group),
            )
        expect((await call(`GET /v1/api/sessions/${id}`)).text).toBe(before)
      })

      it('loses nothing when several groups are changed at the same time', async () => {
        const { id } = await schedule()
        const patches = groups.flatMap(([group, first, second]) => [{ [group]: first }, { [group]: second }])
        const answers = await Promise.all(patches.map((body) => call(`PATCH /v1/api/sessions/${id}`, { body })))
        expect(answers.map(({ data }) => data.policyVersion).sort((a, b) => a - b)).toEqual([2, 3, 4, 5, 6, 7, 8, 9])
        const { data } = await call(`GET /v1/api/sessions/${id}`)
        expect(data.policyVersion).toBe(9)
        for (const [group, first, second] of groups) expect(data.config[group]).toMatchObject({ ...first, ...second })
      })

      it('refuses what is no part of the policy, and changes nothing', async () => {
        const { id } = await schedule({ externalId: 'REQ-1' })
        const body = { state: 'ended', externalId: 'REQ-2', capture: { colour: 'blue' }, config: { retentionDays: 1 } }
        expect(await problem(`PATCH /v1/api/sessions/${id}`, { body })).toEqual(
          invalidAt('state', 'externalId', 'capture.colour', 'config'),
        )
        const { data } = await call(`GET /v1/api/sessions/${id}`)
        expect(data).toMatchObject({ state: 'scheduled', externalId: 'REQ-1', policyVersion: 1 })
        expect(data.config.retentionDays).toBe(90)
      })

      it('takes the side view as the interface spells it, and not in both spellings', async () => {
        const { id } = await schedule()
        const patch = (body: object) => call(`PATCH /v1/api/sessions/${id}`, { body })
        const { data } = await patch({ 'side-view': { enabled: true } })
        expect(data.config['sideView']).toMatchObject({ enabled: true, previewIntervalSeconds: 10 })
        expect((await patch({ 'side-view': { recording: true } })).data.config['sideView']).toMatchObject({
          enabled: true,
          recording: true,
        })
        expect(problemOf(await patch({ 'side-view': {}, sideView: {} }))).toEqual(invalidAt('side-view'))
        const made = await call('POST /v1/api/sessions', { body: { config: { 'side-view': { enabled: true } } } })
        expect(made.data.config['sideView']).toMatchObject({ enabled: true })
      })

      it('needs a body', async () => {
        const { id } = await schedule()
        expect(await problem(`PATCH /v1/api/sessions/${id}`)).toEqual(invalidAt(''))
      })
    })

    describe('agent.sessions.config', () => {
      it('recognises its tag in a list and when a proxy has made it weak, and no other', async () => {
        const { id, agent } = await schedule()
        const read = (tag: string) =>
          call(`GET /v1/sessions/${id}/config`, { key: agent, headers: { 'if-none-match': tag } })
        for (const tag of ['"1"', 'W/"1"', '"0", "1"', '*', ' "1" ']) expect((await read(tag)).status, tag).toBe(304)
        for (const tag of ['', '1', '"2"', '"1', '"11"', 'w"1"']) expect((await read(tag)).status, tag).toBe(200)
        await register(server, { id, agent })
        expect((await read('"1"')).status).toBe(304)
      })
    })
  })
