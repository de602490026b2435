import Database from 'better-sqlite3'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { SqliteReaders } from '../../src/platform/db/sqlite/sqlite.readers.ts'
import { makeExample, specOf } from '../test-support/examples.ts'
import { filtersOf, freeValues, lists } from '../test-support/list-filters.ts'
import { send } from '../test-support/send.ts'
import { startServer, type TestServer } from '../test-support/server.ts'
import { buildWorld } from '../test-support/world.ts'
import { allIds } from './common.ts'

const day = 86_400_000

/** Asked neither by an example nor by a filter of a list, nor by a job that found something to do. */
const askedRarely: readonly string[] = [
  'UPDATE ats_syncs SET application_id = NULL WHERE org_id = ? AND session_id = ?',
  `SELECT count(*) FROM audit_log WHERE org_id = ? AND actor_id = ? AND session_id = ? AND action = ? AND at > ?
     AND actor_kind IN ('user', 'account', 'refresh')`,
  'SELECT pack_id AS id FROM objects WHERE org_id = ? AND pack_id IN (?, ?)',
  'SELECT beside_id AS id FROM objects WHERE org_id = ? AND beside_id IN (?, ?)',
  'SELECT connection_id AS id FROM open_connections WHERE process_id = ?',
  'SELECT g.group_id FROM scim_groups g WHERE g.org_id = ? AND g.external_id = ?',
  'SELECT x.membership_id FROM scim_users x WHERE x.org_id = ? AND x.external_id = ?',
  'DELETE FROM second_steps WHERE portal_session_id = ?',
  `SELECT count(*) AS n FROM sessions WHERE org_id = ? AND environment IN ('live', 'sandbox') AND legal_hold = 1`,
  'SELECT portal_session_id FROM sso_sign_ins WHERE org_id = ? AND name_id = ? ORDER BY portal_session_id LIMIT 100',
]
/** Without them another index serves as well, but every row that they leave out, or pass over by themselves, is looked at too. */
const leaveOut: readonly string[] = ['evidence_rooms', 'sessions_held', 'sessions_unreviewed']

interface Index {
  readonly name: string
  readonly table: string
  readonly unique: boolean
  readonly columns: readonly string[]
  /** Of which rows alone. */
  readonly where: string
}
interface Column {
  readonly name: string
  readonly type: string
  readonly notnull: number
}

/** What every endpoint, every filter of every list and every recurring job asks of the database, as SQL. */
const statementsOf = async (server: TestServer): Promise<string[]> => {
  const preparing = vi.spyOn(Database.prototype, 'prepare')
  const reading = vi.spyOn(SqliteReaders.prototype, 'read')
  const world = await buildWorld(server)
  for (const id of allIds) {
    const answer = await send(server.url, specOf(id), await makeExample(world, id))
    expect(answer.status, `${id} ${answer.text}`).toBeLessThan(400)
  }
  const free = await freeValues(server, world)
  for (const id of lists) {
    const example = await makeExample(world, id)
    for (const filters of filtersOf(id, free)) await send(server.url, specOf(id), { ...example, query: filters })
  }
  await server.processAll()
  server.clock.advance(day)
  await server.processAll()
  const prepared = preparing.mock.calls.map(([sql]) => sql)
  const read = reading.mock.calls.flatMap(([, job]) => ('sql' in job ? [job.sql] : []))
  vi.restoreAllMocks()
  return [...new Set([...prepared, ...read])].filter((sql) => /^\s*(SELECT|INSERT|UPDATE|DELETE|WITH)/i.test(sql))
}

describe('the indexes of SQLite', () => {
  let server: TestServer
  let database: Database.Database
  let statements: string[]
  let indexes: Index[]

  beforeAll(async () => {
    server = await startServer({ engine: 'sqlite' })
    statements = await statementsOf(server)
    database = new Database(`${server.app.config.dataDir}/database.sqlite`)
    database.pragma('foreign_keys = OFF')
    const rows = database
      .prepare(
        `SELECT i.name, t.name AS "table", i."unique" AS is_unique, m.sql,
           (SELECT group_concat(name) FROM pragma_index_info(i.name)) AS columns
         FROM pragma_table_list t JOIN pragma_index_list(t.name) i JOIN sqlite_schema m ON m.name = i.name WHERE i.origin = 'c' ORDER BY i.name`,
      )
      .all() as { name: string; table: string; is_unique: number; columns: string; sql: string }[]
    indexes = rows.map(({ name, table, is_unique, columns, sql }) => ({
      name,
      table,
      unique: is_unique === 1,
      columns: columns.split(','),
      where: sql.split(/ WHERE /i)[1] ?? '',
    }))
  })
  afterAll(async () => {
    database.close()
    await server.stop()
  })

  const planOf = (sql: string): string[] => {
    const params = Array.from({ length: sql.match(/\?/g)?.length ?? 0 }, () => 1)
    return (database.prepare(`EXPLAIN QUERY PLAN ${sql}`).all(params) as { detail: string }[]).map(
      ({ detail }) => detail,
    )
  }

  /** Without the index, and then with it again. */
  const without = <T>({ name }: Index, look: () => T): T => {
    database.exec(`BEGIN; DROP INDEX ${name}`)
    try {
      return look()
    } finally {
      database.exec('ROLLBACK')
    }
  }

  it('are each what some statement goes by, and nothing else serves it as well', () => {
    /** How a statement comes to its rows, whatever the index is called. */
    const ways = (plan: readonly string[]) => plan.map((step) => step.replace(/USING (?:COVERING )?INDEX \w+/, 'USING'))
    const plans = [...statements, ...askedRarely].map((sql) => ({ sql, plan: planOf(sql) }))
    const idle = indexes
      .filter(({ unique }) => !unique)
      .filter((index) => {
        const used = new RegExp(`INDEX ${index.name}\\b`)
        const served = plans.filter(({ plan }) => plan.some((step) => used.test(step)))
        const otherwise = () =>
          served.every(({ sql, plan }) => JSON.stringify(ways(planOf(sql))) === JSON.stringify(ways(plan)))
        return without(index, otherwise)
      })
    expect(idle.map(({ name }) => name)).toEqual(leaveOut)
  })

  it('of which two rows may not be the same in refuse the second', () => {
    const unique = indexes.filter((index) => index.unique)
    expect(unique.length).toBeGreaterThan(20)
    for (const index of unique) {
      const { name, table, where } = index
      const columns = database.prepare('SELECT * FROM pragma_table_info(?)').all(table) as Column[]
      const said = new Map([...where.matchAll(/(\w+) = '(\w+)'/g)].map(([, column, value]) => [column, value]))
      const add = (row: number): void => {
        const values = columns.map((column) => {
          if (said.has(column.name)) return said.get(column.name)
          if (index.columns.includes(column.name)) return /int/i.test(column.type) ? 900_000 : 'same'
          if (column.notnull === 0) return null
          return /int/i.test(column.type) ? row : `row-${row}`
        })
        const names = columns.map((column) => `"${column.name}"`).join(', ')
        database.prepare(`INSERT INTO ${table} (${names}) VALUES (${values.map(() => '?').join(', ')})`).run(values)
      }
      const both = () => {
        add(900_001)
        add(900_002)
      }
      database.exec('BEGIN')
      expect(both, name).toThrow(/UNIQUE constraint failed/)
      database.exec('ROLLBACK')
      expect(() => without(index, both), `${name} dropped`).not.toThrow()
    }
  })
})
