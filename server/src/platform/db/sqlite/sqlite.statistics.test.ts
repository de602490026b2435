import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { MigratableDb } from '../dialect.ts'
import { type Migration, migrateUp } from '../migrate.ts'
import { openSqlite } from './sqlite.db.ts'
import { statisticsOf } from './sqlite.statistics.ts'

const things: Migration = {
  name: '0001-things',
  up: async (helpers) => {
    await helpers.sql(
      'CREATE TABLE things (org_id text, environment text, thing_id text, at bigint, PRIMARY KEY (org_id, thing_id))',
    )
    await helpers.sql('CREATE INDEX things_at ON things (org_id, environment, at)')
    await helpers.sql(
      'CREATE TABLE counts (org_id text, thing_id text, n bigint, PRIMARY KEY (org_id, thing_id)) WITHOUT ROWID',
    )
  },
  down: async (helpers) => {
    await helpers.sql('DROP TABLE counts')
    await helpers.sql('DROP TABLE things')
  },
}
const several = 'SELECT at FROM things WHERE org_id = ? AND environment = ? AND thing_id IN (?, ?, ?, ?, ?, ?, ?, ?)'

describe('what the planner is told', () => {
  let folder: string
  let db: MigratableDb
  const open = () => openSqlite({ file: join(folder, 'test.sqlite') })
  const planOf = async (sql: string) => {
    const params = Array.from({ length: sql.split('?').length - 1 }, () => 'x')
    const steps = await db.reader.all<{ detail: string }>(`EXPLAIN QUERY PLAN ${sql}`, params)
    return steps.map(({ detail }) => detail)
  }
  const statistics = () =>
    db.reader.all<{ idx: string; stat: string }>('SELECT idx, stat FROM sqlite_stat1 ORDER BY tbl, idx')

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'statistics-'))
    db = open()
  })
  afterEach(async () => {
    await db.close()
    await rm(folder, { recursive: true })
  })

  it('makes it look for what is named, not through all of the tenant', async () => {
    await db.reader.get('SELECT 1 AS one')
    await migrateUp(db, [things])
    expect(await planOf(several)).toEqual([
      'SEARCH things USING INDEX sqlite_autoindex_things_1 (org_id=? AND thing_id=?)',
    ])
    expect(
      await db.transact(async (tx) => tx.all<{ detail: string }>(`EXPLAIN QUERY PLAN ${several}`, Array(10).fill('x'))),
    ).toMatchObject([{ detail: 'SEARCH things USING INDEX sqlite_autoindex_things_1 (org_id=? AND thing_id=?)' }])
  })

  it('is written for a database that was migrated before, and again after somebody had it counted', async () => {
    await migrateUp(db, [things])
    const wanted = await statistics()
    expect(wanted.map(({ idx }) => idx)).toEqual([
      'counts',
      'sqlite_autoindex_migrations_1',
      'sqlite_autoindex_things_1',
      'things_at',
    ])
    for (const change of ['DELETE FROM sqlite_stat1', 'DROP TABLE sqlite_stat1', 'ANALYZE']) {
      await db.transact((tx) => tx.run(change))
      await db.close()
      db = open()
      await migrateUp(db, [things])
      expect(await statistics()).toEqual(wanted)
      expect(await planOf(several)).toHaveLength(1)
    }
  })

  it('says that each further column narrows, the environment alone does not, and a whole unique key is one row', () => {
    expect(statisticsOf(['org_id', 'session_id'], true, false)).toBe('1000000 20000 1 noskipscan')
    expect(statisticsOf(['org_id', 'environment', 'created_at'], false, false)).toBe(
      '1000000 20000 20000 200 noskipscan',
    )
    expect(statisticsOf(['org_id', 'credential', 'endpoint', 'key'], true, false)).toBe(
      '1000000 20000 200 4 1 noskipscan',
    )
    expect(statisticsOf(['next_attempt_at'], false, true)).toBe('10000 100 noskipscan')
  })
})
