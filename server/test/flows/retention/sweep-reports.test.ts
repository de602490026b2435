import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { everyEngine } from '../../test-support/engines.ts'
import { startServer, type TestServer } from '../../test-support/server.ts'
import { asMember } from '../candidate-requests/candidate-requests.test-support.ts'
import { dayMs, endedSession, retentionOf } from './retention.test-support.ts'

for (const engine of everyEngine())
  describe(`a sweep over a signed session (${engine})`, () => {
    let server: TestServer
    beforeAll(async () => {
      server = await startServer({ engine })
    })
    afterAll(() => server.stop())

    it('makes its report stale with the first object that goes, and says so once', async () => {
      const session = await endedSession(server, { retentionDays: 1, stills: 3 })
      const params = { id: session.id }
      await asMember(server, 'portal.report.signOff', { params, body: { expectedRevision: 0 } })
      const stale = () =>
        server.app.db.reader.all("SELECT 1 AS one FROM events WHERE session_id = ? AND type = 'report.stale'", [
          session.id,
        ])
      server.clock.advance(2 * dayMs)
      const { run } = retentionOf(server)
      expect(await run({ maxObjects: 1 })).toMatchObject({ state: 'more', erasedObjects: 1, remaining: 2 })
      expect(await stale()).toHaveLength(1)
      const { data } = await session.api.call('sessions.reviewStatus', { params })
      expect(data).toMatchObject({ approved: false, stale: true, revision: 1 })
      while ((await run()).state === 'more');
      expect(await stale()).toHaveLength(1)
    })
  })
