import { beforeAll, expect, it } from 'vitest'
import { describeEachDatabase } from '../../test/test-support/databases.ts'
import type { MigratableDb } from '../platform/db/dialect.ts'
import type { Tx } from '../platform/db/types.ts'
import { migrations } from './index.ts'

interface Guard {
  readonly name: string
  readonly table: string
}
interface Column {
  readonly name: string
  readonly type: string
}

/** What a trigger refuses, by how its name ends. */
const refusedBy: Readonly<Record<string, (table: string, column: string) => readonly string[]>> = {
  no_update: (table, column) => [`UPDATE ${table} SET ${column} = ${column}`],
  no_delete: (table) => [`DELETE FROM ${table}`],
  no_replace: (table) => [`INSERT OR REPLACE INTO ${table} SELECT * FROM ${table}`],
  no_change: (table, column) => [`UPDATE ${table} SET ${column} = ${column}`, `DELETE FROM ${table}`],
  no_truncate: (table) => [`TRUNCATE ${table}`],
}
const kindOf = ({ name, table }: Guard): string => name.slice(table.length + 1)

const guardsOf = ({ dialect, reader }: MigratableDb): Promise<Guard[]> =>
  reader.all<Guard>(
    dialect.engine === 'sqlite'
      ? `SELECT name, tbl_name AS "table" FROM sqlite_schema WHERE type = 'trigger' ORDER BY name`
      : `SELECT t.tgname::text AS name, c.relname::text AS "table" FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid
         WHERE NOT t.tgisinternal ORDER BY t.tgname`,
  )

const columnsOf = ({ dialect, reader }: MigratableDb, table: string): Promise<Column[]> =>
  reader.all<Column>(
    dialect.engine === 'sqlite'
      ? 'SELECT name, type FROM pragma_table_info(?) ORDER BY cid'
      : `SELECT column_name::text AS name, data_type::text AS type FROM information_schema.columns
         WHERE table_schema = 'public' AND table_name = ? ORDER BY ordinal_position`,
    [table],
  )

class Undone extends Error {}

describeEachDatabase('the triggers', (open) => {
  let db: MigratableDb
  let guards: Guard[]
  beforeAll(async () => {
    db = await open(migrations)
    guards = await guardsOf(db)
  })

  /** The row stands alone: what it would belong to is not asked for. */
  const addRow = async (tx: Tx, table: string, columns: readonly Column[]): Promise<void> => {
    if (db.dialect.engine === 'sqlite') {
      await tx.run('PRAGMA defer_foreign_keys = ON')
    } else {
      const keys = await tx.all<{ name: string }>(
        "SELECT conname::text AS name FROM pg_constraint WHERE contype = 'f' AND conrelid = ?::text::regclass",
        [table],
      )
      for (const { name } of keys) await tx.run(`ALTER TABLE ${table} DROP CONSTRAINT ${name}`)
    }
    const names = columns.map(({ name }) => `"${name}"`).join(', ')
    const values = columns.map(({ type }) => (/int/i.test(type) ? '1' : "'x'")).join(', ')
    await tx.run(`INSERT INTO ${table} (${names}) VALUES (${values})`)
  }

  /** How the statement ends on a table of one row; everything is undone. */
  const outcomeOf = async ({ name, table }: Guard, sql: string, without = false): Promise<string> => {
    const columns = await columnsOf(db, table)
    try {
      await db.transact(async (tx) => {
        await addRow(tx, table, columns)
        if (without) await tx.run(`DROP TRIGGER ${name}${db.dialect.engine === 'sqlite' ? '' : ` ON ${table}`}`)
        await tx.run(sql)
        throw new Undone('nothing refused it')
      })
      return ''
    } catch (error) {
      return (error as Error).message
    }
  }

  it('each refuse what they are named after, which nothing else would', async () => {
    expect(guards.length).toBeGreaterThanOrEqual(16)
    for (const guard of guards) {
      const [column] = await columnsOf(db, guard.table)
      const statements = refusedBy[kindOf(guard)]?.(guard.table, column?.name ?? '') ?? []
      expect(statements, guard.name).not.toEqual([])
      for (const sql of statements) {
        expect(await outcomeOf(guard, sql), sql).toContain(`${guard.table} is append-only`)
        // A row that is replaced is deleted first, which has its own.
        const expected = kindOf(guard) === 'no_replace' ? `${guard.table} is append-only` : 'nothing refused it'
        expect(await outcomeOf(guard, sql, true), `${guard.name} dropped: ${sql}`).toContain(expected)
      }
    }
  })
})
