import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hasEngine } from '../../test-support/engines.ts'
import { startServer, type TestServer } from '../../test-support/server.ts'
import { anEvent, buildWorld, liveSession, scheduleSession, type World } from '../../test-support/world.ts'

/** Somebody holds what every write of an organisation needs, and lets it go only once all are answered. */
describe.skipIf(!hasEngine('postgres'))('a lock that somebody else holds', { timeout: 30_000 }, () => {
  let server: TestServer
  let world: World
  let holder: pg.Client
  beforeAll(async () => {
    server = await startServer({ engine: 'postgres' })
    world = await buildWorld(server)
    holder = new pg.Client({ connectionString: server.app.config.databaseUrl! })
    await holder.connect()
  }, 60_000)
  afterAll(async () => {
    await holder.end()
    await server.stop()
  })

  it('is waited for by a request for seconds, which is then refused in words; a job waits on', async () => {
    const session = await liveSession(server, world.scope, world.key)
    await holder.query('BEGIN')
    await holder.query('SELECT 1 FROM org_heads FOR UPDATE')
    const job = server.app.db.transact((tx) => tx.all(`SELECT 1 FROM org_heads${tx.forUpdate}`))
    const refused = await Promise.all([
      scheduleSession(server.client(world.key)).catch((error: unknown) => error),
      // One of those that are written together with others.
      server
        .client(session.agent)
        .call('agent.events.ingest', { params: { id: session.id }, body: { events: [anEvent(server)] } })
        .catch((error: unknown) => error),
    ])
    for (const error of refused)
      expect(error).toMatchObject({
        status: 503,
        code: 'service_unavailable',
        message: expect.stringContaining('is busy'),
      })
    await holder.query('COMMIT')
    // It began before them.
    expect((await job).length).toBeGreaterThan(0)
    await scheduleSession(server.client(world.key))
  })
})
