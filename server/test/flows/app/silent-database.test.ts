import { afterEach, describe, expect, it } from 'vitest'
import { outageOf } from '../../../src/platform/db/outage.ts'
import { openPostgres } from '../../../src/platform/db/postgres/postgres.db.ts'
import { type FreshDatabase, freshDatabase } from '../../test-support/databases.ts'
import { hasEngine } from '../../test-support/engines.ts'
import { frozenPostgres } from '../../test-support/frozen-proxy.ts'
import { startServer } from '../../test-support/server.ts'

type Proxy = Awaited<ReturnType<typeof frozenPostgres>>

/** A real Postgres behind a proxy that stops to forward: no connection breaks, nothing answers. */
describe.skipIf(!hasEngine('postgres'))('a database that falls silent', { timeout: 60_000 }, () => {
  let [database, proxy] = [undefined as FreshDatabase | undefined, undefined as Proxy | undefined]
  afterEach(async () => {
    await proxy?.close()
    await database?.drop()
    database = undefined
    proxy = undefined
  })

  it('is an outage for whatever waits for it and whatever comes then, and serves on once it answers', async () => {
    database = await freshDatabase('postgres')
    proxy = await frozenPostgres(database.databaseUrl!)
    const db = openPostgres({ connectionString: proxy.url })
    await db.transact((tx) => tx.run('CREATE TABLE kept (n bigint)'))
    const count = () => db.reader.get<{ n: number }>('SELECT count(*) AS n FROM kept')
    const insert = (n: number) => db.transact((tx) => tx.run('INSERT INTO kept (n) VALUES (?)', [n]))
    await Promise.all([count(), insert(0), db.ping()])
    const began = performance.now()
    proxy.freeze()
    const asked = [
      count(),
      insert(1),
      db.ping(),
      db.transact(async (tx) => (await tx.get('SELECT 1')) && tx.run('SELECT 2')),
    ]
    for (const { status, ...result } of await Promise.allSettled(asked)) {
      expect(status).toBe('rejected')
      expect(outageOf('reason' in result ? result.reason : undefined)?.cause).toBe('database_unreachable')
    }
    const found = performance.now() - began
    const before = performance.now()
    for (let n = 0; n < 20; n += 1) await expect(insert(2)).rejects.toThrow('cannot be reached')
    // Twenty that come after it together wait less than those that found it out.
    expect(performance.now() - before).toBeLessThan(found)
    proxy.thaw()
    const isIn = () =>
      insert(3).then(
        () => true,
        () => false,
      )
    // Refused at once, it would never let the server's answer in.
    while (!(await isIn())) await new Promise((resolve) => setImmediate(resolve))
    // What nobody was told of may be there; what was refused is not.
    expect(await db.reader.all('SELECT n FROM kept WHERE n <> 1 ORDER BY n')).toEqual([{ n: 0 }, { n: 3 }])
    await db.close()
  })

  it('a slow statement is no silent one', async () => {
    database = await freshDatabase('postgres')
    const db = openPostgres({ connectionString: database.databaseUrl! })
    expect(await db.reader.get('SELECT 1 AS n FROM pg_sleep(4)')).toEqual({ n: 1 })
    const bounded = openPostgres({ connectionString: database.databaseUrl!, statementMs: 50 })
    const error = await bounded.reader.get('SELECT 1 AS n FROM pg_sleep(30)').catch((thrown: unknown) => thrown)
    expect(outageOf(error)?.cause).toBe('database_busy')
    await Promise.all([db.close(), bounded.close()])
  })

  it('is told to callers, to the balancer and to Prometheus within seconds', async () => {
    let url = ''
    const server = await startServer({
      engine: 'postgres',
      behind: async (databaseUrl) => {
        proxy = await frozenPostgres(databaseUrl)
        url = proxy.url
        return url
      },
    })
    try {
      const headers = { authorization: `Bearer ${server.orgs[0]!.liveKey}` }
      const ask = async (path: string) => {
        const answer = await fetch(`${server.url}${path}`, { headers, signal: AbortSignal.timeout(20_000) })
        return { status: answer.status, text: await answer.text() }
      }
      expect((await ask('/v1/health/ready')).status).toBe(200)
      expect((await ask('/v1/api/sessions')).status).toBe(200)
      proxy!.freeze()
      server.clock.advance(10_000)
      const [sessions, ready, metrics] = await Promise.all([
        ask('/v1/api/sessions'),
        ask('/v1/health/ready'),
        server.app.metrics.render(),
      ])
      expect([sessions.status, sessions.text]).toEqual([503, expect.stringContaining('the database cannot be reached')])
      expect([ready.status, ready.text]).toEqual([503, expect.stringContaining('the database cannot be reached')])
      expect(metrics.text).toMatch(/^deliveries_overdue_seconds /m)
      expect((await server.app.metrics.render()).text).not.toContain('outages_total{cause="database_unreachable"} 0\n')
    } finally {
      proxy!.thaw()
      await server.stop()
    }
  })
})
