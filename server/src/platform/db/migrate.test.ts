import { afterEach, beforeEach, expect, it } from 'vitest'
import { describeEachDatabase, type FreshDatabase, freshDatabase } from '../../../test/test-support/databases.ts'
import type { MigratableDb } from './dialect.ts'
import { dumpSchema, type Migration, type MigrationStep, migrateDown, migrateUp, pendingMigrations } from './migrate.ts'

const migrations: readonly Migration[] = [
  {
    name: '0010-orgs',
    up: (m) =>
      m.schema((s) =>
        s.createTable('orgs', (t) => {
          t.text('id').primary()
          t.text('name').notNullable()
          t.bigInteger('created_at').notNullable().defaultTo(0)
          t.index(['created_at', 'id'])
        }),
      ),
    down: (m) => m.schema((s) => s.dropTable('orgs')),
  },
  {
    name: '0020-log',
    up: async (m) => {
      await m.sql(`CREATE TABLE log (
        org_id text NOT NULL REFERENCES orgs (id),
        position bigint NOT NULL,
        kind text NOT NULL CHECK (kind IN ('a,b', 'c')),
        PRIMARY KEY (org_id, position)
      )`)
      await m.immutable('log')
    },
    down: (m) => m.schema((s) => s.dropTable('log')),
  },
  {
    name: '0030-org-plan',
    up: async (m) => {
      await m.sql('ALTER TABLE orgs ADD COLUMN plan text')
      await m.sql({
        sqlite: 'CREATE UNIQUE INDEX orgs_plan ON orgs (plan) WHERE plan IS NOT NULL',
        postgres: 'CREATE UNIQUE INDEX orgs_plan ON orgs (plan) WHERE plan IS NOT NULL',
      })
    },
    down: async (m) => {
      await m.sql('DROP INDEX orgs_plan')
      await m.sql('ALTER TABLE orgs DROP COLUMN plan')
    },
  },
]

const names = migrations.map((migration) => migration.name)

describeEachDatabase('migrations', (_open, engine) => {
  let database: FreshDatabase
  let db: MigratableDb
  beforeEach(async () => {
    database = await freshDatabase(engine)
    db = database.open()
  })
  afterEach(() => database.drop())

  it('applies prefix by prefix, and each down restores the schema before it', async () => {
    const dumps = [await dumpSchema(db)]
    for (const to of names) {
      expect(await migrateUp(db, migrations, { to })).toEqual([to])
      dumps.push(await dumpSchema(db))
    }
    expect(new Set(dumps).size).toBe(names.length + 1)
    for (let kept = names.length - 1; kept >= 0; kept -= 1) {
      expect(await migrateDown(db, migrations, names[kept - 1] ?? null)).toEqual([names[kept]])
      expect(await dumpSchema(db)).toBe(dumps[kept])
    }
  })

  it('comes to the same schema whether applied at once, again, or after a way down', async () => {
    expect(await pendingMigrations(db, migrations)).toEqual(names)
    expect(await migrateUp(db, migrations)).toEqual(names)
    const dump = await dumpSchema(db)
    expect(await migrateUp(db, migrations)).toEqual([])
    expect(await pendingMigrations(db, migrations)).toEqual([])
    expect(await migrateDown(db, migrations, null)).toEqual([...names].reverse())
    expect(await pendingMigrations(db, migrations)).toEqual(names)
    await migrateUp(db, migrations)
    expect(await dumpSchema(db)).toBe(dump)
  })

  it('dumps tables, constraints, indexes and triggers, one thing to a line', async () => {
    await migrateUp(db, migrations)
    const dump = await dumpSchema(db)
    for (const word of ['orgs', 'created_at', 'orgs_plan', 'log_no_', "'a,b'", 'kind']) expect(dump).toContain(word)
    expect(dump).not.toContain('migrations')
    expect(dump.split('\n').length).toBeGreaterThan(12)
  })

  it('runs each migration once when several processes start together', async () => {
    const starters = [db, database.open(), database.open()]
    const applied = await Promise.all(starters.map((starter) => migrateUp(starter, migrations)))
    expect(applied.flat().sort()).toEqual(names)
  })

  it('leaves nothing of a migration that fails', async () => {
    const broken: Migration = {
      name: '0040-broken',
      up: async (m) => {
        await m.sql('CREATE TABLE half (id text)')
        await m.sql('INSERT INTO nowhere VALUES (1)')
      },
      down: async () => {},
    }
    await migrateUp(db, migrations)
    const dump = await dumpSchema(db)
    await expect(migrateUp(db, [...migrations, broken])).rejects.toThrow(/nowhere/)
    expect(await dumpSchema(db)).toBe(dump)
    expect(await pendingMigrations(db, [...migrations, broken])).toEqual(['0040-broken'])
  })

  it('refuses a knex change that would need a connection of its own', async () => {
    const alter: Migration = {
      name: '0040-alter',
      up: (m) => m.schema((s) => s.alterTable('orgs', (t) => t.dropColumn('plan'))),
      down: async () => {},
    }
    const applied = migrateUp(db, [...migrations, alter])
    if (engine === 'sqlite') await expect(applied).rejects.toThrow(/write this change as SQL/)
    else expect(await applied).toContain('0040-alter')
  })

  it('refuses a database that a newer version has migrated', async () => {
    await migrateUp(db, migrations)
    await expect(migrateUp(db, migrations.slice(0, 2))).rejects.toThrow('0030-org-plan')
  })

  it('applies what is missing below the newest, and says of each step when it begins and how long it took', async () => {
    await migrateUp(db, migrations)
    const late = (name: string): Migration => ({
      name,
      up: (m) => m.sql(`CREATE TABLE late_${name.slice(0, 4)} (id text)`),
      down: (m) => m.sql(`DROP TABLE late_${name.slice(0, 4)}`),
    })
    const list = [migrations[0]!, late('0015-late'), ...migrations.slice(1), late('0040-last')]
    const told: string[] = []
    const onStep = ({ migration, state, left, ms }: MigrationStep) =>
      void told.push(`${migration} ${state} ${left} ${typeof ms}`)
    expect(await migrateUp(db, list, { onStep })).toEqual(['0015-late', '0040-last'])
    expect(await pendingMigrations(db, list)).toEqual([])
    expect(told).toEqual([
      '0015-late begins 2 undefined',
      '0015-late applied 2 number',
      '0040-last begins 1 undefined',
      '0040-last applied 1 number',
    ])
    expect(await migrateDown(db, list, null)).toEqual(list.map(({ name }) => name).reverse())
  })

  it('makes an immutable table refuse UPDATE and DELETE until it is mutable again', async () => {
    await migrateUp(db, migrations)
    await db.transact(async (tx) => {
      await tx.run('INSERT INTO orgs (id, name) VALUES (?, ?)', ['o', 'O'])
      await tx.run('INSERT INTO log (org_id, position, kind) VALUES (?, ?, ?)', ['o', 1, 'c'])
    })
    const change = (sql: string) => db.transact((tx) => tx.run(sql))
    await expect(change("UPDATE log SET kind = 'a,b'")).rejects.toThrow('log is append-only')
    await expect(change('DELETE FROM log')).rejects.toThrow('log is append-only')
    const sideDoor = engine === 'sqlite' ? "INSERT OR REPLACE INTO log VALUES ('o', 1, 'a,b')" : 'TRUNCATE log'
    await expect(change(sideDoor)).rejects.toThrow('log is append-only')
    expect(await db.reader.all('SELECT kind FROM log')).toEqual([{ kind: 'c' }])

    const opened: Migration = { name: '0040-open', up: (m) => m.mutable('log'), down: (m) => m.immutable('log') }
    await migrateUp(db, [...migrations, opened])
    expect(await change('DELETE FROM log')).toEqual({ changes: 1 })
  })

  it('enforces foreign keys and checks', async () => {
    await migrateUp(db, migrations)
    const add = (org: string, kind: string) =>
      db.transact((tx) => tx.run('INSERT INTO log (org_id, position, kind) VALUES (?, 1, ?)', [org, kind]))
    await expect(add('nobody', 'c')).rejects.toThrow(/foreign key/i)
    await expect(add('nobody', 'z')).rejects.toThrow(/check/i)
  })
})
