import { readFileSync, writeFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { describeEachDatabase, freshDatabase } from '../../test/test-support/databases.ts'
import type { MigratableDb } from '../platform/db/dialect.ts'
import { dumpSchema, migrateDown, migrateUp, pendingMigrations } from '../platform/db/migrate.ts'
import { migrations } from './index.ts'

/** Set to 1 to write the schema files anew instead of comparing with them. */
const regenerate = process.env['UPDATE_SCHEMA'] === '1'
const howTo =
  'the schema differs from the committed file; if that is meant, write it anew with ' +
  '`UPDATE_SCHEMA=1 node_modules/.bin/node node_modules/vitest/vitest.mjs run server/src/migrations` and commit it'

/** Tables of the whole server rather than of one organisation. */
const withoutOrg = [
  'access_attempts',
  'access_request_log',
  'access_requests',
  'billing_events',
  'evidence_bindings',
  'factor_setups',
  'login_attempts',
  'master_key_names',
  'migrations',
  'open_connections',
  'org_slugs',
  'owner_invites',
  'password_links',
  'portal_sessions',
  'portal_tokens',
  'rate_windows',
  'recovery_codes',
  'second_factors',
  'second_steps',
  'server_processes',
  'shared_blobs',
  'signed_documents',
  // A domain has one organisation of all.
  'sso_verified_domains',
  'users',
]

/** Steps that change nothing on SQLite, which has no partitions. */
const postgresAlone = ['0695-months-to-be', '0696-months-checked', '0697-parts-by-month']

interface KeyColumn {
  readonly table: string
  readonly column: string
}

/** Every table with the first column of its primary key; null where there is none. */
const firstKeyColumns = (db: MigratableDb): Promise<{ table: string; column: string | null }[]> =>
  db.reader.all<KeyColumn>(
    db.dialect.engine === 'sqlite'
      ? `SELECT t.name AS "table", (SELECT c.name FROM pragma_table_info(t.name) c WHERE c.pk = 1) AS "column"
         FROM sqlite_schema t WHERE t.type = 'table' AND t.name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY t.name`
      : `SELECT t.table_name::text AS "table", (
           SELECT k.column_name::text FROM information_schema.table_constraints p
           JOIN information_schema.key_column_usage k ON k.constraint_name = p.constraint_name
             AND k.constraint_schema = p.constraint_schema AND k.table_name = p.table_name
           WHERE p.table_schema = t.table_schema AND p.table_name = t.table_name
             AND p.constraint_type = 'PRIMARY KEY' AND k.ordinal_position = 1) AS "column"
         FROM information_schema.tables t JOIN pg_class c ON c.oid = quote_ident(t.table_name)::regclass
         -- A table of parts has no key of its own: each part has one.
         WHERE t.table_schema = 'public' AND c.relkind <> 'p' ORDER BY t.table_name`,
  )

it('migrations have unique names', () => {
  const names = migrations.map((migration) => migration.name)
  expect([...new Set(names)]).toEqual(names)
})

describeEachDatabase('the migrations', (open, engine) => {
  it('apply prefix by prefix, and each down restores exactly the schema before it', async () => {
    const database = await freshDatabase(engine)
    try {
      const db = database.open()
      const before: string[] = []
      for (const { name } of migrations) {
        before.push(await dumpSchema(db))
        expect(await migrateUp(db, migrations, { to: name })).toEqual([name])
        const changes = (await dumpSchema(db)) !== before.at(-1)
        expect(changes, name).toBe(engine === 'postgres' || !postgresAlone.includes(name))
      }
      const whole = await dumpSchema(db)
      for (let n = migrations.length - 1; n >= 0; n--) {
        const to = n === 0 ? null : migrations[n - 1]!.name
        expect(await migrateDown(db, migrations, to)).toEqual([migrations[n]!.name])
        expect(await dumpSchema(db)).toBe(before[n])
      }
      expect(before[0]).toBe('')
      await migrateUp(db, migrations)
      expect(await dumpSchema(db)).toBe(whole)
    } finally {
      await database.drop()
    }
  })

  it('apply once however many processes start at the same time', async () => {
    const database = await freshDatabase(engine)
    try {
      const starting = Array.from({ length: 4 }, () => migrateUp(database.open(), migrations))
      const applied = (await Promise.all(starting)).flat()
      expect(applied.toSorted()).toEqual(migrations.map(({ name }) => name).toSorted())
      expect(await pendingMigrations(database.open(), migrations)).toEqual([])
    } finally {
      await database.drop()
    }
  })

  it('make the schema that is committed', async () => {
    const file = new URL(`./schema.${engine}.txt`, import.meta.url)
    const schema = await dumpSchema(await open(migrations))
    if (regenerate) writeFileSync(file, schema)
    expect(schema, howTo).toBe(readFileSync(file, 'utf8'))
  })

  it('begin the primary key of every table with the organisation, but for those of the whole server', async () => {
    const tables = await firstKeyColumns(await open(migrations))
    expect(tables.length).toBeGreaterThan(withoutOrg.length)
    const others = tables.filter(({ column }) => column !== 'org_id').map(({ table }) => table)
    expect(others).toEqual(withoutOrg)
  })

  it('guard what is written for good, and nothing else, against change', async () => {
    const schema = await dumpSchema(await open(migrations))
    const guarded = [...schema.matchAll(/CREATE TRIGGER .*? ON "?(?:public\.)?"?([a-z_]+)"?/gi)].map(
      ([, table]) => table,
    )
    expect([...new Set(guarded)].sort()).toEqual([
      'access_request_log',
      'audit_checkpoints',
      'audit_log',
      'audit_timestamps',
      'legal_holds',
      'notes',
      'report_revisions',
      'report_staleness',
      'session_policy_versions',
    ])
  })
})
