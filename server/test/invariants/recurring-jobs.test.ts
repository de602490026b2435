import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { jobDefinitions } from '../../src/app/jobs.ts'
import { everyEngine } from '../test-support/engines.ts'
import { duties, hour } from '../test-support/recurring-duties.ts'
import { startServer, type TestServer } from '../test-support/server.ts'

/** Others show: uploads-complete, compositions-lifetime, bundle, postgres.partitions (one engine), retention/operator, managing, base-rates, statement. */
const shownElsewhere =
  'uploads.expire compositions.expire bundles.expire partitions.tend retention.remind sso.look_for_proofs reports.count_base_rates compliance.compare compliance.begin'.split(
    ' ',
  )

it('is in the list below, or in the tests that it names', () => {
  const recurring = jobDefinitions.filter(({ everyMs }) => everyMs !== undefined).map(({ kind }) => kind as string)
  expect([...Object.keys(duties), ...shownElsewhere].toSorted()).toEqual(recurring.toSorted())
})

for (const engine of everyEngine())
  describe(`what is done again and again (${engine})`, () => {
    let server: TestServer
    beforeAll(async () => {
      server = await startServer({ engine })
      // The first round is over; the next one is due after the period of each.
      await server.processAll()
    })
    afterAll(() => server.stop())

    for (const [kind, { plant, left }] of Object.entries(duties))
      it(`${kind} does all of it when its time has come, and nothing before`, async () => {
        const every = jobDefinitions.find((definition) => definition.kind === kind)?.everyMs ?? Number.NaN
        server.clock.advance(every)
        await server.processAll()
        await plant(server)
        if (kind === 'audit.checkpoint')
          await server.client(server.orgs[0].liveKey).call('sessions.create', { body: {} })
        const planted = await left(server)
        expect(planted).toBeGreaterThan(0)
        server.clock.advance(Math.min(every, hour) - 1)
        await server.processAll()
        expect(await left(server)).toBe(planted)
        server.clock.advance(every)
        await server.processAll()
        expect(await left(server)).toBe(0)
      })
  })
