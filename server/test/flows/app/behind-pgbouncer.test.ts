import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runAdmin } from '../../../src/app/admin-program.ts'
import { type Running, startServer as start } from '../../../src/app/server.ts'
import { migrations } from '../../../src/migrations/index.ts'
import { migrateUp } from '../../../src/platform/db/migrate.ts'
import { outageOf } from '../../../src/platform/db/outage.ts'
import { openPostgres } from '../../../src/platform/db/postgres/postgres.db.ts'
import { hasEngine } from '../../test-support/engines.ts'
import { makeExample, specOf } from '../../test-support/examples.ts'
import { frozenPostgres } from '../../test-support/frozen-proxy.ts'
import { packedStill, sendPack } from '../../test-support/packs.ts'
import { hasPgBouncer, type PgBouncer, startPgBouncer } from '../../test-support/pgbouncer.ts'
import { addMember, signIn } from '../../test-support/portal.ts'
import { postgresUrl } from '../../test-support/postgres-door.ts'
import { send } from '../../test-support/send.ts'
import { startServer, type TestServer } from '../../test-support/server.ts'
import { openStream } from '../../test-support/sse-client.ts'
import { until } from '../../test-support/until.ts'
import { anEvent, buildWorld, liveSession, type World } from '../../test-support/world.ts'

/** A real PgBouncer with two sessions for all that two processes ask at once: nobody has one for longer than a transaction. */
describe.skipIf(!hasEngine('postgres') || !hasPgBouncer)(
  'behind PgBouncer in transaction mode',
  { timeout: 30_000 },
  () => {
    let bouncer: PgBouncer
    let direct: string
    let server: TestServer
    let other: Running
    let world: World

    beforeAll(async () => {
      server = await startServer({
        engine: 'postgres',
        behind: async (databaseUrl) => {
          bouncer = await startPgBouncer(databaseUrl, 2)
          return bouncer.urlOf(databaseUrl)
        },
        beside: async (databaseUrl) => {
          direct = databaseUrl
          return { DATABASE_DIRECT_URL: databaseUrl }
        },
      })
      const { config, log } = server.app
      const overrides = { clock: server.clock, log, answerCheck: 'strict', sharesFolder: true } as const
      other = await start({ ...config, port: 0 }, { overrides, background: false })
      world = await buildWorld(server)
    }, 120_000)
    afterAll(async () => {
      await other?.stop()
      await server?.stop()
      await bouncer?.stop()
    })
    const pooled = (statementMs?: number) =>
      openPostgres({
        connectionString: bouncer.urlOf(direct),
        directString: direct,
        ...(statementMs !== undefined && { statementMs }),
      })

    it('a day goes through: sign-in, session, pack, list, live stream and a job', async () => {
      const member = await addMember(server, 'reviewer')
      const { cookie } = await signIn(server, member.email)
      const session = await liveSession(server, world.scope, world.key)
      const headers = { authorization: `Bearer ${world.key}` }
      // At the other process, which hears of what is written here by LISTEN.
      const stream = await openStream(other.listening.url + specOf('events.stream').path, headers)
      expect(stream.status).toBe(200)
      const agent = server.client(session.agent)
      const items = await sendPack({ id: session.id, agent }, [await packedStill(server), await packedStill(server)])
      expect(items.map(({ status }) => status)).toEqual(['stored', 'stored'])
      await agent.call('agent.events.ingest', { params: { id: session.id }, body: { events: [anEvent(server)] } })
      await server.client(world.key).call('sessions.end', { params: { id: session.id } })
      await until(() => stream.events().some((block) => block.includes(session.id)))
      stream.close()
      await server.processAll()
      const example = await makeExample(world, 'portal.sessions.list')
      for (const url of [server.url, other.listening.url]) {
        const list = await send(url, specOf('portal.sessions.list'), { ...example, headers: { cookie } })
        expect(list.status, list.text).toBe(200)
        expect(list.text).toContain(session.id)
      }
    })

    it('a hundred requests at once wait for their turn, and the server has two sessions for them', async () => {
      const example = await makeExample(world, 'sessions.list')
      const answers = await Promise.all(
        Array.from({ length: 100 }, (_, n) =>
          send([server.url, other.listening.url][n % 2]!, specOf('sessions.list'), example),
        ),
      )
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
      const { pathname } = new URL(direct)
      const pools = await bouncer.show('SERVERS')
      const ours = pools.filter(({ database }) => `/${database}` === pathname)
      expect(ours.length).toBeGreaterThan(0)
      expect(ours.length).toBeLessThanOrEqual(2)
    })

    it('statements and idle transactions end in time, though nothing is set on a connection', async () => {
      const db = pooled(50)
      const slow = [db.reader.get('SELECT pg_sleep(30)'), db.transact((tx) => tx.get('SELECT pg_sleep(30)'))]
      for (const ended of await Promise.allSettled(slow)) {
        expect(ended.status).toBe('rejected')
        expect(outageOf('reason' in ended ? ended.reason : undefined)?.cause).toBe('database_busy')
      }
      await db.close()
      // Whoever has the session next has none of it.
      const plain = openPostgres({ connectionString: direct, max: 2 })
      const shown = await plain.transact((tx) => tx.get('SHOW statement_timeout'))
      expect(shown).toEqual({ statement_timeout: '1min' })
      await plain.close()
      await expect(pooled().reader.all('DELETE FROM orgs')).rejects.toThrow('read-only')
    })

    it('migrations, and tables that are written again, go through', async () => {
      const db = pooled()
      expect(await migrateUp(db, migrations)).toEqual([])
      // Somebody else may read for a moment.
      await expect.poll(() => db.scrub(['portal_tokens']).catch(String)).toBeUndefined()
      expect(await db.dialect.hasMigrations(db.reader)).toBe(true)
      await db.close()
    })

    const doctor = async (directUrl?: string) => {
      let text = ''
      const write = (more: string) => {
        text += more
      }
      const { dataDir, databaseUrl = '' } = server.app.config
      const address = directUrl === undefined ? {} : { DATABASE_DIRECT_URL: directUrl }
      const env = { DATA_DIR: dataDir, DATABASE_URL: databaseUrl, ...address }
      await runAdmin(['doctor'], { env, stdout: { write }, stderr: { write } })
      return text
    }

    it('doctor names a direct address of another database', async () => {
      expect(await doctor(direct)).toMatch(/^ok +direct /m)
      expect(await doctor(await postgresUrl())).toMatch(/^MEND +direct .* is another database/m)
    })

    it('doctor names a pooler that DATABASE_DIRECT_URL is missing beside, or that it names itself', async () => {
      expect(await doctor(direct)).toMatch(/^ok +wake-ups .* passes them on$/m)
      expect(await doctor()).toMatch(
        /^MEND +wake-ups .*DATABASE_URL names a pooler in transaction mode → set DATABASE_D/m,
      )
      const pooler = bouncer.urlOf(direct)
      expect(await doctor(pooler)).toMatch(/^MEND +wake-ups .*DATABASE_DIRECT_URL names a pooler in transaction mode/m)
    })

    it('a pooler where the server itself should be is told: nothing is heard there', async () => {
      const told = Promise.withResolvers<Error | undefined>()
      const url = bouncer.urlOf(direct)
      const db = openPostgres({ connectionString: url, directString: url, onWakes: told.resolve })
      const stop = db.listen('wake.up', () => undefined)
      expect((await told.promise)?.message).toBe('LISTEN is answered, and nothing is heard')
      expect(db.hearsOthers()).toBe(false)
      stop()
      await db.close()
    })

    it('a Postgres that is gone or silent behind a living pooler is an outage', async () => {
      const proxy = await frozenPostgres(direct)
      const before = await startPgBouncer(proxy.url)
      const db = openPostgres({ connectionString: before.urlOf(direct), directString: proxy.url })
      const cause = async () => outageOf(await db.ping().catch((thrown: unknown) => thrown))?.cause
      await db.ping()
      proxy.freeze()
      expect(await cause()).toBe('database_unreachable')
      await proxy.close()
      expect(await cause()).toBe('database_unreachable')
      await db.close()
      await before.stop()
    })

    it('without the direct address plans and wake-ups are lost, which is why it is asked for', async () => {
      const db = openPostgres({ connectionString: bouncer.urlOf(direct), max: 8 })
      const asked = Array.from({ length: 200 }, () => db.reader.get('SELECT count(*) AS n FROM orgs'))
      const failed = (await Promise.allSettled(asked)).filter(({ status }) => status === 'rejected')
      expect(failed.map((one) => String('reason' in one && one.reason)).join('\n')).toMatch(/prepared statement/)
      await db.close()
    })
  },
)
