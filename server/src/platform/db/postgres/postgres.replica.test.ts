import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type FreshDatabase, freshDatabase } from '../../../../test/test-support/databases.ts'
import { hasEngine } from '../../../../test/test-support/engines.ts'
import { frozenPostgres } from '../../../../test/test-support/frozen-proxy.ts'
import { type PostgresReplica, startPrimary, startReplica } from '../../../../test/test-support/postgres-replica.ts'
import type { PostgresServer } from '../../../../test/test-support/postgres-server.ts'
import type { MigratableDb } from '../dialect.ts'
import { outageOf } from '../outage.ts'
import { openPostgres } from './postgres.db.ts'
import type { ReplicaOutcome } from './replica.types.ts'

/** A real streaming replica of the Postgres of the tests. */
describe.skipIf(!hasEngine('postgres'))('a replica', { timeout: 60_000 }, () => {
  let primary: PostgresServer
  let database: FreshDatabase
  let replica: PostgresReplica
  const opened: MigratableDb[] = []
  let outcomes: ReplicaOutcome[] = []
  const open = (readString: string, statementMs?: number): MigratableDb => {
    const db = openPostgres({
      connectionString: database.databaseUrl!,
      readString,
      max: 4,
      onReplicaRead: (one) => outcomes.push(one),
      ...(statementMs !== undefined && { statementMs }),
    })
    opened.push(db)
    return db
  }
  const insert = (db: MigratableDb, n: number) => db.transact((tx) => tx.run('INSERT INTO kept (n) VALUES (?)', [n]))
  const rows = async (db: MigratableDb) =>
    (await db.replica!.reader().all<{ n: number }>('SELECT n FROM kept ORDER BY n')).map(({ n }) => n)

  beforeAll(async () => {
    primary = await startPrimary()
    database = await freshDatabase('postgres', 'nothing', primary.url)
    const db = database.open()
    await db.transact((tx) => tx.run('CREATE TABLE kept (n bigint)'))
    await db.transact((tx) => tx.run('CREATE UNLOGGED TABLE unlogged (n bigint)'))
    replica = await startReplica(primary.url)
    await replica.caughtUp()
  }, 120_000)
  beforeEach(async () => {
    const db = database.open()
    await db.transact((tx) => tx.run('DELETE FROM kept'))
    await replica.resume()
    await replica.caughtUp()
    outcomes = []
  })
  afterAll(async () => {
    await Promise.all(opened.map((db) => db.close()))
    await replica?.stop()
    await database?.drop()
    await primary?.stop()
  })

  it('shows every write that was acknowledged before a read, by whichever process it was made', async () => {
    const [one, other] = [open(replica.urlOf(database.databaseUrl!)), database.open()]
    for (let n = 0; n < 50; n += 1) {
      await insert(n % 2 === 0 ? one : other, n)
      expect(await rows(one)).toHaveLength(n + 1)
    }
    expect(new Set(outcomes)).toEqual(new Set(['replica']))
    expect(await one.replica!.look()).toEqual({ isCurrent: true, bytesBehind: 0 })
  })

  it('answers without the primary’s rows being looked at', async () => {
    const db = open(replica.urlOf(database.databaseUrl!))
    const where = await db.replica!.reader().get<{ standby: number }>('SELECT pg_is_in_recovery() AS standby')
    expect(where).toEqual({ standby: 1 })
    expect(await db.reader.get('SELECT pg_is_in_recovery() AS standby')).toEqual({ standby: 0 })
    await expect(db.replica!.reader().all('DELETE FROM kept')).rejects.toThrow('read-only')
  })

  it('that is behind is passed over until it has caught up', async () => {
    const db = open(replica.urlOf(database.databaseUrl!))
    while (outcomes.at(-1) !== 'replica') expect(await rows(db)).toEqual([])
    outcomes.length = 0
    await replica.pause()
    await insert(db, 1)
    expect(await rows(db)).toEqual([1])
    const look = await db.replica!.look()
    expect(look.isCurrent).toBe(false)
    expect(look.bytesBehind).toBeGreaterThan(0)
    // At once, without the wait of the first one.
    expect(await rows(db)).toEqual([1])
    expect(outcomes).toEqual(['behind', 'behind'])
    await replica.resume()
    await replica.caughtUp()
    while (outcomes.at(-1) !== 'replica') expect(await rows(db)).toEqual([1])
  })

  it('is not gone back to by a request that has read from the primary', async () => {
    const db = open(replica.urlOf(database.databaseUrl!))
    await replica.pause()
    await insert(db, 1)
    const reader = db.replica!.reader()
    const count = () => reader.get('SELECT count(*) AS n FROM kept')
    expect(await count()).toEqual({ n: 1 })
    await replica.resume()
    await replica.caughtUp()
    await insert(db, 2)
    expect(await count()).toEqual({ n: 2 })
    expect(outcomes).toEqual(['behind', 'behind'])
  })

  it('that cannot run a statement leaves it to the primary', async () => {
    const db = open(replica.urlOf(database.databaseUrl!))
    expect(await db.replica!.reader().get('SELECT count(*) AS n FROM unlogged')).toEqual({ n: 0 })
    expect(await rows(db)).toEqual([])
    expect(outcomes).toEqual(['failed', 'replica'])
  })

  it('ends a statement that takes too long, which is not begun again', async () => {
    const db = open(replica.urlOf(database.databaseUrl!), 50)
    const error = await db
      .replica!.reader()
      .get('SELECT pg_sleep(30)')
      .catch((thrown: unknown) => thrown)
    expect(outageOf(error)?.cause).toBe('database_busy')
    expect(outcomes).toEqual([])
  })

  it('of another database, or that is none, is read by nobody', async () => {
    const other = await freshDatabase('postgres')
    const [stray, itself] = [open(other.databaseUrl!), open(database.databaseUrl!)]
    await insert(stray, 1)
    expect(await rows(stray)).toEqual([1])
    expect(await rows(itself)).toEqual([1])
    expect(outcomes).toEqual(['stray', 'stray'])
    await expect(stray.replica!.look()).rejects.toThrow('another database')
    await expect(itself.replica!.look()).rejects.toThrow('no replica')
    await stray.close()
    await other.drop()
  })

  it('that falls silent, or is killed, leaves the primary to answer', async () => {
    const proxy = await frozenPostgres(replica.urlOf(database.databaseUrl!))
    const db = open(proxy.url)
    await insert(db, 1)
    expect(await rows(db)).toEqual([1])
    proxy.freeze()
    expect(await rows(db)).toEqual([1])
    proxy.thaw()
    while (outcomes.at(-1) !== 'replica') expect(await rows(db)).toEqual([1])
    await replica.kill()
    await insert(db, 2)
    expect(await rows(db)).toEqual([1, 2])
    expect(await rows(db)).toEqual([1, 2])
    expect(outcomes.slice(-2)).toEqual(['away', 'away'])
    await expect(db.replica!.look()).rejects.toThrow()
    await proxy.close()
  })
})
