import { describe, expect, it } from 'vitest'
import { freshDatabase } from '../../test/test-support/databases.ts'
import { hasEngine } from '../../test/test-support/engines.ts'
import type { MigratableDb } from '../platform/db/dialect.ts'
import { type Migration, migrateUp } from '../platform/db/migrate.ts'
import { breaksOf, shapeOf } from './contract.test-support.ts'
import { migrations } from './index.ts'
import { released } from './released.ts'

/** Migrations that take away what the release before the last one used, each with why nobody misses it. */
const contractSteps: Readonly<Record<string, string>> = {
  '0695-months-to-be': 'refuses rows dated two months ahead, until 0697 a moment later',
  '0696-months-checked': 'the same',
}

const onPostgres = async (work: (db: MigratableDb) => Promise<void>): Promise<void> => {
  const database = await freshDatabase('postgres')
  try {
    await work(database.open())
  } finally {
    await database.drop()
  }
}

describe.skipIf(!hasEngine('postgres'))('expand, then contract', () => {
  it('no migration since the last release takes from it what it uses, but those that are listed', async () => {
    expect(migrations.map(({ name }) => name)).toContain(released)
    await onPostgres(async (db) => {
      await migrateUp(db, migrations, { to: released })
      const before = await shapeOf(db)
      const breaking: string[] = []
      for (const { name } of migrations.slice(migrations.findIndex((one) => one.name === released) + 1)) {
        await migrateUp(db, migrations, { to: name })
        if (breaksOf(before, await shapeOf(db)).length > 0 && !(name in contractSteps)) breaking.push(name)
      }
      expect(breaking).toEqual([])
    })
  })

  it.each([
    ['ALTER TABLE sessions DROP COLUMN external_id', 'sessions.external_id is gone'],
    ['ALTER TABLE sessions RENAME COLUMN external_id TO foreign_id', 'sessions.external_id is gone'],
    ['ALTER TABLE sessions ALTER COLUMN external_id SET NOT NULL', 'sessions.external_id may be empty no more'],
    ['ALTER TABLE sessions ALTER COLUMN created_at TYPE text', 'sessions.created_at was bigint and is text'],
    ['ALTER TABLE sessions ADD COLUMN wanted text NOT NULL', 'sessions.wanted has to be filled'],
    ['CREATE UNIQUE INDEX one_a_day ON sessions (org_id, created_at)', 'one_a_day refuses rows of sessions'],
    ['ALTER TABLE sessions ADD CONSTRAINT early CHECK (created_at < 5)', 'early refuses rows of sessions'],
  ])('%s is found', async (sql, found) => {
    await onPostgres(async (db) => {
      await migrateUp(db, migrations)
      const before = await shapeOf(db)
      await migrateUp(db, [...migrations, step(sql)])
      expect(breaksOf(before, await shapeOf(db))).toEqual([found])
    })
  })

  it('what only adds is let pass', async () => {
    await onPostgres(async (db) => {
      await migrateUp(db, migrations)
      const before = await shapeOf(db)
      const sql = `ALTER TABLE sessions ADD COLUMN wanted text, ADD COLUMN often bigint NOT NULL DEFAULT 0;
        CREATE TABLE wishes (wish text PRIMARY KEY); CREATE INDEX sessions_wanted ON sessions (wanted)`
      await migrateUp(db, [...migrations, ...sql.split(';').map((text, n) => step(text, n))])
      expect(breaksOf(before, await shapeOf(db))).toEqual([])
    })
  })
})

const step = (sql: string, n = 0): Migration => ({
  name: `9999-step-${n}`,
  up: (h) => h.sql(sql),
  down: async () => undefined,
})
