import type { MigratableDb } from '../platform/db/dialect.ts'

interface Column {
  readonly name: string
  readonly type: string
  readonly required: number
  readonly filled: number
}

/** What a release relies on: its tables with their columns, and what refuses rows. */
export interface Shape {
  readonly columns: ReadonlyMap<string, Column>
  readonly tables: ReadonlySet<string>
  /** Unique indexes, constraints and triggers by name, each with its table. */
  readonly rules: ReadonlyMap<string, string>
}

export const shapeOf = async ({ reader }: MigratableDb): Promise<Shape> => {
  const columns = await reader.all<Column & { table: string }>(
    `SELECT c.table_name::text AS "table", c.column_name::text AS name, c.data_type::text AS type,
       CASE WHEN c.is_nullable = 'NO' THEN 1 ELSE 0 END AS required,
       CASE WHEN c.column_default IS NULL AND c.is_generated = 'NEVER' THEN 0 ELSE 1 END AS filled
     FROM information_schema.columns c WHERE c.table_schema = 'public'`,
  )
  const rules = await reader.all<{ name: string; table: string }>(
    `SELECT indexname::text AS name, tablename::text AS "table" FROM pg_indexes
       WHERE schemaname = 'public' AND indexdef LIKE 'CREATE UNIQUE%'
     UNION SELECT conname::text, conrelid::regclass::text FROM pg_constraint
       WHERE connamespace = 'public'::regnamespace AND contype IN ('c', 'f', 'u', 'x')
     UNION SELECT tgname::text, tgrelid::regclass::text FROM pg_trigger WHERE NOT tgisinternal`,
  )
  return {
    columns: new Map(columns.map(({ table, ...column }) => [`${table}.${column.name}`, column])),
    tables: new Set(columns.map(({ table }) => table)),
    rules: new Map(rules.map(({ name, table }) => [name, table])),
  }
}

/** What a change of the schema does to a release that knows nothing of it and goes on serving. */
export const breaksOf = (before: Shape, after: Shape): string[] => {
  const tableOf = (column: string): string => column.slice(0, column.indexOf('.'))
  const gone = [...before.columns].flatMap(([name, was]) => {
    const is = after.columns.get(name)
    if (!is) return [`${name} is gone`]
    if (is.type !== was.type) return [`${name} was ${was.type} and is ${is.type}`]
    return is.required > was.required ? [`${name} may be empty no more`] : []
  })
  const added = [...after.columns].filter(([name]) => !before.columns.has(name) && before.tables.has(tableOf(name)))
  return [
    ...gone,
    ...added.filter(([, { required, filled }]) => required && !filled).map(([name]) => `${name} has to be filled`),
    ...[...after.rules]
      .filter(([name, table]) => !before.rules.has(name) && before.tables.has(table))
      .map(([name, table]) => `${name} refuses rows of ${table}`),
  ]
}
