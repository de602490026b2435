import { createClient } from '@integrity/client/every-endpoint'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeDemo, removeDemo } from '../../../src/app/demo-organisation.ts'
import { signsOfLife } from '../../../src/app/signs-of-life.ts'
import { everyEngine } from '../../test-support/engines.ts'
import { startServer, type TestServer } from '../../test-support/server.ts'
import { buildWorld } from '../../test-support/world.ts'

for (const engine of everyEngine())
  describe(`the demo organisation (${engine})`, () => {
    let server: TestServer
    beforeAll(async () => {
      server = await startServer({ engine })
    })
    afterAll(() => server.stop())

    it('goes with one command: keys and sign-in stop, interviews are erased, everybody else stays', async () => {
      const world = await buildWorld(server)
      expect(await removeDemo(server.app)).toBeUndefined()
      const { sandboxKey, liveKey, email, password, orgId } = await makeDemo(server.app)
      const key = server.client(sandboxKey)
      const { data: session } = await key.call('sessions.create', { body: { candidateLabel: 'Candidate 1' } })
      await server.client(liveKey).call('sessions.create', { body: {} })
      const signIn = () => createClient({ baseUrl: server.url }).call('auth.login', { body: { email, password } })
      await signIn()

      expect(await removeDemo(server.app)).toEqual({ orgId, keys: 2, sessions: 2 })
      for (const token of [sandboxKey, liveKey])
        await expect(server.client(token).call('orgs.me')).rejects.toMatchObject({ status: 401 })
      await expect(signIn()).rejects.toMatchObject({ status: 401 })
      const row = await server.app.db.reader.get<{ label: string | null; erased: number | null }>(
        'SELECT candidate_label AS label, erased_at AS erased FROM sessions WHERE session_id = ?',
        [session.id],
      )
      expect(row).toEqual({ label: null, erased: expect.anything() })
      expect((await server.client(world.key).call('sessions.get', { params: { id: world.live.id } })).data.state).toBe(
        'live',
      )
      expect(await removeDemo(server.app)).toMatchObject({ keys: 0 })
    })
  })

describe('a sign of life', () => {
  it('is a line for each request, none for probes and pages, and a number where there are too many', () => {
    const lines: string[] = []
    let now = new Date('2027-09-06T09:00:00Z')
    const tell = signsOfLife(
      (line) => lines.push(line),
      () => now,
    )
    tell('health.live', 200, 0.001)
    tell('pages', 200, 0.001)
    tell('sessions.create', 201, 0.0124)
    for (let i = 0; i < 6; i += 1) tell('orgs.me', 401, 0.001)
    now = new Date('2027-09-06T09:00:01Z')
    tell('events.list', 200, 0.002)
    expect(lines).toEqual([
      '09:00:00  201  sessions.create  12 ms',
      ...Array.from({ length: 4 }, () => '09:00:00  401  orgs.me  1 ms'),
      '09:00:00  and 2 more',
      '09:00:01  200  events.list  2 ms',
    ])
  })
})
