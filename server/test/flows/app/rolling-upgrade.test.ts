import { createClient } from '@integrity/client/every-endpoint'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Running, startServer as start } from '../../../src/app/server.ts'
import { migrations } from '../../../src/migrations/index.ts'
import type { Migration } from '../../../src/platform/db/migrate.ts'
import { hasEngine } from '../../test-support/engines.ts'
import { startServer, type TestServer } from '../../test-support/server.ts'
import { liveSession, newClientId, newPicture, stillFor } from '../../test-support/world.ts'

const grown = ['sessions', 'session_counters', 'evidence', 'integrity_events', 'events', 'idempotency_keys', 'jobs']

/** What the next release may do to the tables of this one. */
const expanding: Migration = {
  name: '9000-next-release',
  async up(h) {
    for (const table of grown) {
      await h.sql(`ALTER TABLE ${table} ADD COLUMN of_next_release text`)
      await h.sql(`ALTER TABLE ${table} ADD COLUMN often bigint NOT NULL DEFAULT 7`)
    }
    await h.sql('CREATE TABLE next_release (org_id text PRIMARY KEY)')
  },
  down: async () => undefined,
}

describe.skipIf(!hasEngine('postgres'))('a rolling upgrade', () => {
  let old: TestServer
  let next: Running | undefined
  beforeAll(async () => {
    old = await startServer({ engine: 'postgres' })
  })
  afterAll(async () => {
    await next?.stop()
    await old.stop()
  })
  const overrides = () => ({ clock: old.clock, log: old.app.log, answerCheck: 'strict' as const })
  const startNext = () =>
    start(
      { ...old.app.config, port: 0 },
      { overrides: { ...overrides(), migrations: [...migrations, expanding] }, background: false },
    )
  const still = async (baseUrl: string, session: { id: string; agent: string }) => {
    const bytes = await newPicture()
    const meta = { ...stillFor(old, bytes), clientId: newClientId() }
    const raw = { bytes, contentType: 'image/webp', meta }
    await createClient({ baseUrl, token: session.agent }).call('agent.screenshots.upload', {
      params: { id: session.id },
      raw,
    })
  }

  it('old and new serve together while and after the new one migrates, and nothing is lost', async () => {
    const { orgId, sandboxKey } = old.orgs[0]
    const session = await liveSession(old, { orgId, environment: 'sandbox' }, sandboxKey)
    // Statements that were prepared before the tables changed.
    for (let n = 0; n < 3; n++) await still(old.url, session)
    let migrated = false
    const migrating = startNext().then((running) => {
      migrated = true
      next = running
    })
    let meanwhile = 0
    while (!migrated) {
      await still(old.url, session)
      meanwhile += 1
    }
    await migrating
    const urls = [old.url, next!.listening.url]
    const made: string[] = []
    for (let n = 0; n < 6; n++) {
      const [one, another] = n % 2 ? urls : urls.toReversed()
      const api = createClient({ baseUrl: one!, token: sandboxKey })
      const { data } = await api.call('sessions.create', { body: { externalId: `rolling-${n}` } })
      made.push(data.id)
      const read = createClient({ baseUrl: another!, token: sandboxKey })
      expect((await read.call('sessions.get', { params: { id: data.id } })).data.externalId).toBe(`rolling-${n}`)
      await still(one!, session)
    }
    for (const baseUrl of urls) {
      const api = createClient({ baseUrl, token: sandboxKey })
      const { data } = await api.call('sessions.evidence.list', { params: { id: session.id }, query: { limit: 1 } })
      expect(data.total).toBe(3 + meanwhile + 6)
      expect((await api.call('health.ready')).data.status).toBe('ready')
      const { data: all } = await api.call('sessions.list', { query: { limit: 100 } })
      expect(all.items.map(({ id }) => id)).toEqual(expect.arrayContaining(made))
    }
    await old.processAll()
    await next!.workers.processAll()
  })

  it('an old process that starts after the migration refuses to, and says why', async () => {
    next ??= await startNext()
    const again = start({ ...old.app.config, port: 0 }, { overrides: overrides(), background: false })
    await expect(again).rejects.toThrow('migrated by a newer version, with 9000-next-release')
  })
})
