import pg from 'pg'
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { describeDatabase, type FreshDatabase } from '../../../../test/test-support/databases.ts'
import type { MigratableDb } from '../dialect.ts'
import { DatabaseBusy } from '../errors.ts'
import type { Tx } from '../types.ts'
import { openPostgres } from './postgres.db.ts'
import { numberPlaceholders, PostgresTexts } from './postgres.text.ts'

const setN = (tx: Tx, id: string) => tx.run('UPDATE items SET n = n + 1 WHERE id = ?', [id])

/** Two transactions that take the rows `a` and `b` in opposite order, each only once the other holds its first. */
const crossed = (db: MigratableDb, always: boolean) => {
  let attempts = 0
  let gates = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const side = (own: 0 | 1) => async (tx: Tx) => {
    attempts += 1
    const order = own === 0 ? ['a', 'b'] : ['b', 'a']
    await setN(tx, order[0]!)
    gates[own]!.resolve()
    await gates[1 - own]!.promise
    if (always) gates = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    await setN(tx, order[1]!)
  }
  return { run: () => Promise.all([db.transact(side(0)), db.transact(side(1))]), attempts: () => attempts }
}

describeDatabase('postgres', 'its own ways', (open, _engine, fresh) => {
  let database: FreshDatabase
  let db: MigratableDb
  beforeAll(async () => {
    db = await open()
    database = await fresh()
    await db.transact(async (tx) => {
      await tx.run('CREATE TABLE items (id text PRIMARY KEY, n bigint NOT NULL DEFAULT 0)')
      await tx.run('CREATE TABLE queue (id text PRIMARY KEY)')
      await tx.run("INSERT INTO items (id) VALUES ('a'), ('b')")
    })
  })

  /** Another connection, which ends with its test. */
  const connect = async (): Promise<pg.Client> => {
    const client = new pg.Client({ connectionString: database.databaseUrl! })
    onTestFinished(() => client.end())
    await client.connect()
    return client
  }

  it('runs a deadlocked transaction again, so that both succeed once', async () => {
    const pair = crossed(db, false)
    await pair.run()
    expect(pair.attempts()).toBe(3)
    expect(await db.reader.all('SELECT n FROM items ORDER BY id')).toEqual([{ n: 2 }, { n: 2 }])
  })

  it('gives up after three attempts, with the conflict as the cause', async () => {
    let attempts = 0
    const hopeless = db.transact(async (tx) => {
      attempts += 1
      await tx.run("DO $$ BEGIN RAISE EXCEPTION 'why?' USING ERRCODE = '40001'; END $$")
    })
    await expect(hopeless).rejects.toThrow(DatabaseBusy)
    await expect(hopeless).rejects.toMatchObject({ cause: { code: '40001' } })
    expect(attempts).toBe(3)
  })

  it('does not run a transaction again for any other error', async () => {
    let attempts = 0
    const wrong = db.transact(async (tx) => {
      attempts += 1
      await tx.run('SELECT nothing FROM nowhere')
    })
    await expect(wrong).rejects.toMatchObject({ code: '42P01' })
    expect(attempts).toBe(1)
  })

  it('rejects the transaction, and calls nobody, when the commit itself fails', async () => {
    await db.transact((tx) =>
      tx.run('CREATE TABLE children (item text REFERENCES items (id) DEFERRABLE INITIALLY DEFERRED)'),
    )
    let called = false
    const failing = db.transact(async (tx) => {
      tx.afterCommit(() => {
        called = true
      })
      await tx.run('INSERT INTO children (item) VALUES (?)', ['nobody'])
    })
    await expect(failing).rejects.toMatchObject({ name: 'CommitFailed', cause: { code: '23503' } })
    expect(called).toBe(false)
    expect(await db.reader.all('SELECT item FROM children')).toEqual([])
  })

  it('lets two transactions claim disjoint rows with skip locked', async () => {
    const names = Array.from({ length: 10 }, (_, n) => [`q${n}`])
    await db.transact((tx) => tx.insertMany('queue', [{ name: 'id', type: 'text' }], names))
    const gates = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const claim = (own: 0 | 1) =>
      db.transact(async (tx) => {
        const sql = `SELECT id FROM queue ORDER BY id LIMIT ?${tx.forUpdateSkipLocked}`
        const rows = await tx.all<{ id: string }>(sql, [5])
        gates[own]!.resolve()
        await gates[1 - own]!.promise
        return rows.map((row) => row.id)
      })
    const [first, second] = await Promise.all([claim(0), claim(1)])
    expect([...first, ...second].sort()).toEqual(names.flat())
  })

  it('wakes a listener in another process, and every listener after its connection broke', async () => {
    const other = database.open()
    const heard = { ready: Promise.withResolvers<void>(), calls: 0 }
    const next = () => {
      heard.ready = Promise.withResolvers<void>()
      return heard.ready.promise
    }
    const ready = next()
    const stop = other.listen('wake.up', () => {
      heard.calls += 1
      heard.ready.resolve()
    })
    await ready
    const woken = next()
    db.notify('wake.up')
    await woken
    expect(heard.calls).toBe(2)

    const reconnected = next()
    const kill = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE 'LISTEN%'"
    await db.reader.all(kill)
    await reconnected
    const again = next()
    db.notify('wake.up')
    await again
    stop()
    await other.close()
  })

  it('refuses a channel name that Postgres would cut off', () => {
    expect(() => db.notify('x'.repeat(64))).toThrow(TypeError)
    expect(() => db.listen('', () => undefined)).toThrow(TypeError)
  })

  it('rejects a transaction whose connection breaks, and uses a new one for the next', async () => {
    const lost = db.transact(async (tx) => {
      const me = await tx.get<{ pid: number }>('SELECT pg_backend_pid() AS pid')
      await db.reader.all('SELECT pg_terminate_backend(?::integer)', [me!.pid])
      await setN(tx, 'a')
    })
    await expect(lost).rejects.toThrow()
    await db.transact((tx) => setN(tx, 'a'))
    await db.ping()
  })

  it('ends a transaction that awaits something besides statements', async () => {
    const impatient = openPostgres({ connectionString: database.databaseUrl!, max: 2, stallMs: 50 })
    const client = await connect()
    const stalled = impatient.transact(async (tx) => {
      const me = await tx.get<{ pid: number }>('SELECT pg_backend_pid() AS pid')
      const alive = 'SELECT 1 FROM pg_stat_activity WHERE pid = $1'
      while ((await client.query(alive, [me!.pid])).rowCount !== 0);
      await setN(tx, 'a')
    })
    await expect(stalled).rejects.toThrow()
    await impatient.close()
  })

  it('goes on with its prepared statements after a migration changed their columns', async () => {
    const single = openPostgres({ connectionString: database.databaseUrl!, max: 2 })
    const sql = 'SELECT * FROM items WHERE id = ?'
    for (let n = 0; n < 3; n += 1) {
      await single.reader.get(sql, ['a'])
      await single.transact((tx) => tx.get(sql, ['a']))
    }
    await db.transact((tx) => tx.run('ALTER TABLE items ADD COLUMN extra text'))
    expect(await single.reader.get(sql, ['a'])).toHaveProperty('extra', null)
    expect(await single.transact((tx) => tx.get(sql, ['a']))).toHaveProperty('extra', null)
    await db.transact((tx) => tx.run('ALTER TABLE items ALTER COLUMN extra TYPE bigint USING 7'))
    expect(await single.transact((tx) => tx.get(sql, ['b']))).toHaveProperty('extra', 7)
    await single.close()
  })

  it('has scrubbed a table only when no transaction can still read what was deleted from it', async () => {
    const client = await connect()
    await db.transact((tx) => tx.run("INSERT INTO queue (id) VALUES ('to go')"))
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ')
    await client.query('SELECT 1')
    await db.transact((tx) => tx.run("DELETE FROM queue WHERE id = 'to go'"))
    await expect(db.scrub(['queue'])).rejects.toThrow('the file of queue still holds dead rows (1)')
    await client.query('COMMIT')
    // Somebody else may read for a moment: another connection that begins, or the planner's analysis.
    await expect.poll(() => db.scrub(['queue']).catch(String)).toBeUndefined()
  })

  it('prepares one plan for insertMany whatever the number of rows', async () => {
    const single = openPostgres({ connectionString: database.databaseUrl!, max: 2 })
    const columns = [{ name: 'id', type: 'text' }] as const
    for (const count of [1, 2, 3, 50]) {
      const rows = Array.from({ length: count }, (_, n) => [`plan-${count}-${n}`])
      await single.transact((tx) => tx.insertMany('queue', columns, rows))
    }
    const plans = await single.transact((tx) =>
      tx.all<{ statement: string }>("SELECT statement FROM pg_prepared_statements WHERE statement LIKE 'INSERT%'"),
    )
    expect(plans).toHaveLength(1)
    await single.close()
  })
})

describe('placeholders', () => {
  it.each([
    ['a = ? AND b = ?', 'a = $1 AND b = $2'],
    ["a = '?' AND b = ?", "a = '?' AND b = $1"],
    ["a = 'it''s ?' AND b = ?", "a = 'it''s ?' AND b = $1"],
    ['"what?" = ? -- why?\nAND c = ?', '"what?" = $1 -- why?\nAND c = $2'],
    ['a /* ? */ = ?', 'a /* ? */ = $1'],
    ["$$ SELECT '? $$ || ?", "$$ SELECT '? $$ || $1"],
    ['$x$ ? $$ ? $x$ || ?', '$x$ ? $$ ? $x$ || $1'],
  ])('numbers %j', (sql, expected) => {
    expect(numberPlaceholders(sql)).toBe(expected)
  })

  it('names a text from its second use, the same way in every process, and never a schema change', () => {
    const [one, two] = [new PostgresTexts(), new PostgresTexts()]
    const sql = 'SELECT ?::text'
    expect(one.get(sql).name).toBeUndefined()
    const name = one.get(sql).name
    expect(name).toMatch(/^p0_[0-9a-f]{24}$/)
    two.get(sql)
    expect(two.get(sql).name).toBe(name)
    one.forgetPlans()
    one.get(sql)
    expect(one.get(sql).name).not.toBe(name)
    one.get('CREATE TABLE x (id text)')
    expect(one.get('CREATE TABLE x (id text)').name).toBeUndefined()
  })
})
