import type { Knex } from 'knex'
import { type Dialect, migrationsTable } from '../dialect.ts'
import { quoteName } from '../insert-many.ts'
import { newKnex } from '../new-knex.ts'
import type { Reader, Tx } from '../types.ts'
import { tendPartitions } from './postgres.partitions.ts'

/** Any fixed number; it only has to be the same in every process that migrates. */
const migrationLock = 7_142_093_511

const refuseChange = 'refuse_change'

const dumpQueries: readonly string[] = [
  `SELECT 'table ' || c.relname || ' column ' || a.attname || ' ' || format_type(a.atttypid, a.atttypmod)
     || CASE WHEN a.attnotnull THEN ' not null' ELSE '' END
     || coalesce(' default ' || pg_get_expr(d.adbin, d.adrelid), '') AS line
   FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
   LEFT JOIN pg_attrdef d ON d.adrelid = c.oid AND d.adnum = a.attnum
   WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind IN ('r', 'p', 'v') AND a.attnum > 0
     AND NOT a.attisdropped AND c.relname <> ?`,
  `SELECT 'table ' || c.relname || ' constraint ' || k.conname || ' ' || pg_get_constraintdef(k.oid) AS line
   FROM pg_constraint k JOIN pg_class c ON c.oid = k.conrelid
   WHERE k.connamespace = current_schema()::regnamespace AND k.contype <> 'n' AND c.relname <> ?`,
  `SELECT 'table ' || tablename || ' index ' || replace(indexdef, current_schema() || '.', '') AS line
   FROM pg_indexes WHERE schemaname = current_schema() AND tablename <> ?`,
  `SELECT 'table ' || c.relname || ' trigger ' || replace(pg_get_triggerdef(t.oid), current_schema() || '.', '') AS line
   FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid
   WHERE NOT t.tgisinternal AND c.relnamespace = current_schema()::regnamespace AND c.relname <> ?`,
  `SELECT 'function ' || p.proname || ' ' || md5(pg_get_functiondef(p.oid)) AS line FROM pg_proc p
   WHERE p.pronamespace = current_schema()::regnamespace AND p.prokind = 'f' AND p.proname <> '${refuseChange}'
     AND p.proname <> ?`,
]

export class PostgresDialect implements Dialect {
  readonly engine = 'postgres'
  readonly clustered = ''
  #knex: Knex | undefined

  schema(): Knex.SchemaBuilder {
    this.#knex ??= newKnex({ client: 'pg' })
    return this.#knex.schema
  }

  async lockMigrations(tx: Tx): Promise<void> {
    // A step may take long, and whoever waits for it as well.
    await tx.run('SET LOCAL statement_timeout = 0')
    await tx.get('SELECT pg_advisory_xact_lock(?::bigint)', [migrationLock])
  }

  async prepareMigrations(tx: Tx): Promise<void> {
    if (await this.hasMigrations(tx)) return
    await tx.run(`CREATE TABLE ${migrationsTable} (name text NOT NULL PRIMARY KEY, applied_at bigint NOT NULL)`)
    await tx.run(`CREATE OR REPLACE FUNCTION ${refuseChange}() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN RAISE EXCEPTION '% is append-only', TG_TABLE_NAME USING ERRCODE = 'restrict_violation'; END $$`)
  }

  async hasMigrations(reader: Reader): Promise<boolean> {
    const sql = 'SELECT 1 AS found FROM pg_tables WHERE schemaname = current_schema() AND tablename = ?'
    return (await reader.get(sql, [migrationsTable])) !== undefined
  }

  readonly tendPartitions = tendPartitions

  /** Autovacuum counts what is there. */
  async describeIndexes(): Promise<void> {}

  immutable(table: string): readonly string[] {
    quoteName(table)
    return [
      `CREATE TRIGGER "${table}_no_change" BEFORE UPDATE OR DELETE ON "${table}"
        FOR EACH ROW EXECUTE FUNCTION ${refuseChange}()`,
      // TRUNCATE passes row triggers by.
      `CREATE TRIGGER "${table}_no_truncate" BEFORE TRUNCATE ON "${table}"
        FOR EACH STATEMENT EXECUTE FUNCTION ${refuseChange}()`,
    ]
  }

  mutable(table: string): readonly string[] {
    quoteName(table)
    return ['change', 'truncate'].map((what) => `DROP TRIGGER "${table}_no_${what}" ON "${table}"`)
  }

  async dump(reader: Reader): Promise<string> {
    const lines: string[] = []
    for (const query of dumpQueries) {
      const rows = await reader.all<{ line: string }>(query, [migrationsTable])
      lines.push(...rows.map((row) => row.line.replace(/\s+/g, ' ')))
    }
    // Sorted here: the order of text on the server depends on its locale.
    return lines
      .sort()
      .map((line) => `${line}\n`)
      .join('')
  }
}
