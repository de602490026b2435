import Database from 'better-sqlite3'
import { migrationsTable } from '../dialect.ts'
import { quoteName } from '../insert-many.ts'
import { checkShape, rowsInPiece, type TableShape, type Values, type WholeDatabase } from '../snapshot.types.ts'

const shapes = (database: Database.Database): TableShape[] => {
  const names = database
    .prepare(
      "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY name",
    )
    .pluck()
    .all() as string[]
  return names
    .filter((name) => name !== migrationsTable)
    .map((name) => ({
      name,
      columns: database.prepare('SELECT name FROM pragma_table_info(?) ORDER BY cid').pluck().all(name) as string[],
    }))
}

const columnsOf = ({ columns }: TableShape) => columns.map(quoteName).join(', ')

async function* rowsOf(database: Database.Database, table: TableShape): AsyncGenerator<readonly Values[]> {
  const statement = database.prepare(`SELECT ${columnsOf(table)} FROM ${quoteName(table.name)}`).raw()
  let piece: Values[] = []
  for (const row of statement.iterate() as Iterable<Values>) {
    piece.push(row)
    if (piece.length < rowsInPiece) continue
    yield piece
    piece = []
  }
  if (piece.length > 0) yield piece
}

/** A read transaction on a connection of its own sees one moment, while the writer goes on in the log. */
export const wholeSqlite = (file: string): WholeDatabase => ({
  async snapshot(work) {
    const database = new Database(file, { readonly: true, timeout: 5_000 })
    try {
      database.exec('BEGIN')
      const migrations = database.prepare(`SELECT name FROM ${migrationsTable} ORDER BY name`).pluck().all() as string[]
      return await work({ migrations, tables: shapes(database), rows: (table) => rowsOf(database, table) })
    } finally {
      database.close()
    }
  },
  async filledTables() {
    await Promise.resolve()
    const database = new Database(file, { readonly: true, timeout: 5_000 })
    try {
      const isFilled = ({ name }: TableShape) =>
        database.prepare(`SELECT 1 FROM ${quoteName(name)} LIMIT 1`).get() !== undefined
      return shapes(database)
        .filter(isFilled)
        .map(({ name }) => name)
    } finally {
      database.close()
    }
  },
  async fill(fillings) {
    const database = new Database(file, { timeout: 5_000 })
    try {
      database.pragma('synchronous = FULL')
      // Tables come in any order; what points nowhere is looked for at the end.
      database.pragma('foreign_keys = OFF')
      database.exec('BEGIN IMMEDIATE')
      const tables = shapes(database)
      for await (const { table, rows } of fillings) {
        checkShape(tables, table)
        const places = table.columns.map(() => '?').join(', ')
        const insert = database.prepare(`INSERT INTO ${quoteName(table.name)} (${columnsOf(table)}) VALUES (${places})`)
        for (const row of rows) insert.run(row)
      }
      const [lost] = database.pragma('foreign_key_check') as { table: string }[]
      if (lost) throw new Error(`a row of ${lost.table} names one that is not there`)
      database.exec('COMMIT')
      database.pragma('wal_checkpoint(TRUNCATE)')
    } finally {
      database.close()
    }
  },
})
