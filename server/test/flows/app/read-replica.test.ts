import type { EndpointId } from '@integrity/protocol'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { runAdmin } from '../../../src/app/admin-program.ts'
import { replicaReads } from '../../../src/pipeline/replica-reads.ts'
import { hasEngine } from '../../test-support/engines.ts'
import { makeExample, specOf } from '../../test-support/examples.ts'
import { frozenPostgres } from '../../test-support/frozen-proxy.ts'
import { type PostgresReplica, startPrimary, startReplica } from '../../test-support/postgres-replica.ts'
import type { PostgresServer } from '../../test-support/postgres-server.ts'
import { send } from '../../test-support/send.ts'
import { startServer, type TestServer } from '../../test-support/server.ts'
import { buildWorld, scheduleSession, type World } from '../../test-support/world.ts'

describe.skipIf(!hasEngine('postgres'))('DATABASE_READ_URL', { timeout: 120_000 }, () => {
  let primary: PostgresServer
  let replica: PostgresReplica
  let proxy: Awaited<ReturnType<typeof frozenPostgres>>
  let server: TestServer
  let world: World
  beforeAll(async () => {
    primary = await startPrimary()
    server = await startServer({
      engine: 'postgres',
      postgres: primary.url,
      beside: async (databaseUrl) => {
        replica = await startReplica(primary.url)
        proxy = await frozenPostgres(replica.urlOf(databaseUrl))
        return { DATABASE_READ_URL: proxy.url }
      },
    })
    world = await buildWorld(server)
  }, 120_000)
  beforeEach(async () => {
    proxy.thaw()
    await replica.resume()
    await replica.caughtUp()
    // Whoever was passed over is tried again.
    while ((await sayings(() => listed('sessions.list'))).outcomes['replica'] === undefined);
  })
  afterAll(async () => {
    await server?.stop()
    await proxy?.close()
    await replica?.stop()
    await primary?.stop()
  })

  const counted = async (): Promise<Record<string, number>> => {
    const { text } = await server.app.metrics.render()
    const found = text.matchAll(/^replica_reads_total\{outcome="(\w+)"\} (\d+)$/gm)
    return Object.fromEntries([...found].map(([, outcome, count]) => [outcome, Number(count)]))
  }
  /** What was answered, and from where statements were read meanwhile. */
  const sayings = async <T>(work: () => Promise<T>) => {
    const before = await counted()
    const answer = await work()
    const now = await counted()
    const grown = Object.entries(now).map(([name, count]) => [name, count - (before[name] ?? 0)] as const)
    return { answer, outcomes: Object.fromEntries(grown.filter(([, count]) => count > 0)) }
  }
  const listed = async (id: EndpointId) => send(server.url, specOf(id), await makeExample(world, id))
  const ready = async () => {
    server.clock.advance(3_000)
    const answer = await fetch(`${server.url}/v1/health/ready`)
    const { data } = (await answer.json()) as {
      data: { checks: object; limited?: { path: string; message: string }[] }
    }
    return { ...data, status: answer.status }
  }

  it.each([...replicaReads] as EndpointId[])('%s is answered by the replica', async (id) => {
    const example = await makeExample(world, id)
    const { answer, outcomes } = await sayings(() => send(server.url, specOf(id), example))
    expect(answer.status, answer.text).toBe(200)
    expect(Object.keys(outcomes), answer.text).toEqual(['replica'])
  })

  it('whoever has written sees it at once, and so does everybody else', async () => {
    await replica.pause()
    const made = await scheduleSession(server.client(world.key))
    for (const id of ['sessions.list', 'portal.sessions.list'] as const) {
      const { answer, outcomes } = await sayings(() => listed(id))
      expect(answer.text).toContain(made.id)
      expect(Object.keys(outcomes)).toEqual(['behind'])
    }
    const said = await ready()
    expect(said.status).toBe(200)
    expect(said.limited?.map(({ path }) => path)).toEqual(['replica'])
    expect(said.limited?.[0]?.message).toMatch(/behind by \d+ bytes .* read from the primary/)
    const { text } = await server.app.metrics.render()
    expect(text).toMatch(/^replica_up 0$/m)
  })

  it('what no replica may answer is read from the primary', async () => {
    for (const id of ['portal.members.list', 'auth.signIns.list', 'sessions.get', 'auth.me'] as const) {
      const { answer, outcomes } = await sayings(() => listed(id))
      expect(answer.status, answer.text).toBe(200)
      expect(outcomes).toEqual({})
    }
    expect((await ready()).checks).toMatchObject({ replica: 'ok', database: 'ok' })
  })

  const doctor = async () => {
    let said = ''
    const write = (text: string) => {
      said += text
    }
    const { dataDir, databaseUrl = '', databaseReadUrl = '' } = server.app.config
    const env = { DATA_DIR: dataDir, DATABASE_URL: databaseUrl, DATABASE_READ_URL: databaseReadUrl }
    await runAdmin(['doctor'], { env, stdout: { write }, stderr: { write } })
    return said
  }

  it('doctor says whether it follows, without a password', async () => {
    expect(await doctor()).toMatch(/^ok +replica .* has all that is in the database$/m)
    await replica.pause()
    await scheduleSession(server.client(world.key))
    expect(await doctor()).toMatch(/^note +replica .* is behind by \d+ bytes .* pg_stat_replication$/m)
  })

  it('a replica that is silent holds up neither readiness nor a scrape, and lists are answered', async () => {
    proxy.freeze()
    const order: string[] = []
    const noting = async <T>(name: string, work: Promise<T>): Promise<T> => {
      const done = await work
      order.push(name)
      return done
    }
    const [list, said, { text }] = await Promise.all([
      noting(
        'list',
        sayings(() => listed('sessions.list')),
      ),
      noting('readiness', ready()),
      noting('scrape', server.app.metrics.render()),
    ])
    expect(order).toEqual(['scrape', 'readiness', 'list'])
    expect(text).toMatch(/^replica_up /m)
    expect([list.answer.status, Object.keys(list.outcomes)]).toEqual([200, ['away']])
    const message = 'the replica does not answer; lists and reports are read from the primary'
    expect(said).toMatchObject({ status: 200, limited: [{ path: 'replica', message }] })
    const later = await server.app.metrics.render()
    expect(later.text).toMatch(/^replica_up 0$/m)
    expect(later.text).toMatch(/^replica_lag_bytes NaN$/im)
    // Nobody was refused.
    expect(later.text).toMatch(/^outages_total\{cause="database_unreachable"\} 0$/m)
  })

  it('a replica that is killed is a line of readiness, and lists go on', async () => {
    await replica.kill()
    const made = await scheduleSession(server.client(world.key))
    const { answer, outcomes } = await sayings(() => listed('sessions.list'))
    expect(answer.text).toContain(made.id)
    expect(Object.keys(outcomes)).toEqual(['away'])
    expect(await ready()).toMatchObject({ status: 200, limited: [{ path: 'replica' }] })
    expect(await doctor()).toMatch(/^MEND +replica .* lists are read from the primary meanwhile$/m)
  })
})
