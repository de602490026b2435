import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type FreshDatabase, freshDatabase } from '../../../../test/test-support/databases.ts'
import { hasEngine } from '../../../../test/test-support/engines.ts'
import { frozenPostgres } from '../../../../test/test-support/frozen-proxy.ts'
import { type PostgresReplica, startPrimary, startReplica } from '../../../../test/test-support/postgres-replica.ts'
import type { PostgresServer } from '../../../../test/test-support/postgres-server.ts'
import type { MigratableDb } from '../dialect.ts'
import { outageOf } from '../outage.ts'
import { openPostgres } from './postgres.db.ts'
import type { ReplicaOutcome } from './replica.types.ts'

describe.skipIf(!hasEngine('postgres'))('two servers that were one', { timeout: 120_000 }, () => {
  let primary: PostgresServer
  let database: FreshDatabase
  let old: MigratableDb
  const [replicas, opened] = [[] as PostgresReplica[], [] as MigratableDb[]]
  const open = (options: Parameters<typeof openPostgres>[0]): MigratableDb => {
    const db = openPostgres({ ...options, max: 4 })
    opened.push(db)
    return db
  }
  const insert = (db: MigratableDb, text: string) =>
    db.transact((tx) => tx.run('INSERT INTO kept (text) VALUES (?)', [text]))

  beforeAll(async () => {
    primary = await startPrimary()
    database = await freshDatabase('postgres', 'nothing', primary.url)
    old = database.open()
    await old.transact((tx) => tx.run('CREATE TABLE kept (text text)'))
    for (let n = 0; n < 2; n += 1) replicas.push(await startReplica(primary.url))
  }, 120_000)
  afterAll(async () => {
    await Promise.all(opened.map((db) => db.close()))
    await Promise.all(replicas.map((replica) => replica.stop()))
    await database?.drop()
    await primary?.stop()
  })

  it('both silent at once are found out together, not one after the other', async () => {
    const [primary, replica] = [
      await frozenPostgres(database.databaseUrl!),
      await frozenPostgres(replicas[0]!.urlOf(database.databaseUrl!)),
    ]
    const db = open({ connectionString: primary.url, readString: replica.url })
    const alone = open({ connectionString: primary.url })
    await alone.reader.get('SELECT 1')
    const reading = db.replica!.reader().get('SELECT pg_sleep(60)')
    const isRunning = `SELECT count(*) AS n FROM pg_stat_activity WHERE query LIKE 'SELECT pg_sleep(60)%'`
    const there = open({ connectionString: replicas[0]!.urlOf(database.databaseUrl!) })
    while ((await there.reader.get<{ n: number }>(isRunning))?.n !== 1);
    primary.freeze()
    replica.freeze()
    const began = performance.now()
    const waits = async (work: Promise<unknown>) => {
      const error = await work.catch((thrown: unknown) => thrown)
      expect(outageOf(error)?.cause).toBe('database_unreachable')
      return performance.now() - began
    }
    const [both, one] = await Promise.all([waits(reading), waits(alone.reader.get('SELECT 1'))])
    expect(both / one).toBeLessThan(1.6)
    await Promise.all([primary.close(), replica.close()])
  })

  it('a replica that goes on after a failover with the old primary is not read from, however long its log is', async () => {
    const [promoted, follower] = replicas as [PostgresReplica, PostgresReplica]
    await Promise.all(replicas.map((replica) => replica.caughtUp()))
    const outcomes: ReplicaOutcome[] = []
    const [connectionString, readString] = [promoted, follower].map((one) => one.urlOf(database.databaseUrl!))
    const db = open({ connectionString: connectionString!, readString, onReplicaRead: (one) => outcomes.push(one) })
    expect(await db.reader.get('SELECT pg_promote() AS done')).toEqual({ done: 1 })
    await insert(db, 'told by the new primary')
    // More than the new one has written in the meantime.
    for (let n = 0; n < 20; n += 1) await insert(old, 'x'.repeat(100_000))
    await insert(old, 'told by the old primary')
    await follower.caughtUp()
    const rows = await db.replica!.reader().all('SELECT text FROM kept WHERE text LIKE ?', ['told by%'])
    expect(rows).toEqual([{ text: 'told by the new primary' }])
    expect(outcomes).toEqual(['stray'])
    await expect(db.replica!.look()).rejects.toThrow(/on timeline 1 and the primary on 2: after a failover/)
  })
})
