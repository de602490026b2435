import pg from 'pg'
import { migrationsTable } from '../dialect.ts'
import { quoteName } from '../insert-many.ts'
import { checkShape, rowsInPiece, type TableShape, type Values, type WholeDatabase } from '../snapshot.types.ts'
import { resultTypes } from './postgres.types.ts'

const shapes = async (client: pg.Client): Promise<TableShape[]> => {
  const { rows } = await client.query<TableShape>({
    text: `SELECT c.relname::text AS name, json_agg(a.attname ORDER BY a.attnum)::text AS columns
      FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
      WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
        AND a.attnum > 0 AND NOT a.attisdropped AND c.relname <> $1 GROUP BY c.relname ORDER BY c.relname`,
    values: [migrationsTable],
  })
  return rows.map(({ name, columns }) => ({ name, columns: JSON.parse(String(columns)) as string[] }))
}

const columnsOf = ({ columns }: TableShape) => columns.map(quoteName).join(', ')

async function* rowsOf(client: pg.Client, table: TableShape): AsyncGenerator<readonly Values[]> {
  await client.query(`DECLARE whole NO SCROLL CURSOR FOR SELECT ${columnsOf(table)} FROM ${quoteName(table.name)}`)
  for (;;) {
    const { rows } = await client.query<Values[]>({ text: `FETCH ${rowsInPiece} FROM whole`, rowMode: 'array' })
    if (rows.length > 0) yield rows as unknown as Values[]
    if (rows.length < rowsInPiece) break
  }
  await client.query('CLOSE whole')
}

interface Reference {
  readonly table: string
  readonly name: string
  readonly definition: string
}

/** Takes the references between tables away until they are filled, and sets them again, which checks every row. */
const withoutReferences = async (client: pg.Client, work: () => Promise<void>): Promise<void> => {
  const { rows } = await client.query<Reference>(
    `SELECT c.relname::text AS table, k.conname::text AS name, pg_get_constraintdef(k.oid) AS definition
     FROM pg_constraint k JOIN pg_class c ON c.oid = k.conrelid
     WHERE k.contype = 'f' AND k.connamespace = current_schema()::regnamespace AND k.conparentid = 0`,
  )
  const alter = (table: string, change: string) => client.query(`ALTER TABLE ${quoteName(table)} ${change}`)
  for (const { table, name } of rows) await alter(table, `DROP CONSTRAINT ${client.escapeIdentifier(name)}`)
  await work()
  for (const { table, name, definition } of rows)
    await alter(table, `ADD CONSTRAINT ${client.escapeIdentifier(name)} ${definition}`)
}

const connected = async <T>(connectionString: string, work: (client: pg.Client) => Promise<T>): Promise<T> => {
  const client = new pg.Client({ connectionString, types: resultTypes, connectionTimeoutMillis: 15_000 })
  // A connection that breaks fails its statement.
  client.on('error', () => undefined)
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

export const wholePostgres = (connectionString: string): WholeDatabase => ({
  snapshot: (work) =>
    connected(connectionString, async (client) => {
      await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY')
      const { rows } = await client.query<{ name: string }>(`SELECT name FROM ${migrationsTable} ORDER BY name`)
      const migrations = rows.map(({ name }) => name)
      return work({ migrations, tables: await shapes(client), rows: (table) => rowsOf(client, table) })
    }),
  filledTables: () =>
    connected(connectionString, async (client) => {
      const filled: string[] = []
      for (const { name } of await shapes(client)) {
        const { rowCount } = await client.query(`SELECT 1 FROM ${quoteName(name)} LIMIT 1`)
        if (rowCount) filled.push(name)
      }
      return filled
    }),
  fill: (fillings) =>
    connected(connectionString, async (client) => {
      await client.query('BEGIN')
      const tables = await shapes(client)
      await withoutReferences(client, async () => {
        for await (const { table, rows } of fillings) {
          checkShape(tables, table)
          const records = rows.map((row) => Object.fromEntries(table.columns.map((name, at) => [name, row[at]])))
          await client.query(
            `INSERT INTO ${quoteName(table.name)} (${columnsOf(table)})
             SELECT ${columnsOf(table)} FROM json_populate_recordset(NULL::${quoteName(table.name)}, $1)`,
            [JSON.stringify(records)],
          )
        }
      })
      await client.query('COMMIT')
      await client.query('ANALYZE')
    }),
})
