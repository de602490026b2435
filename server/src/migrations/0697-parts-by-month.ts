import type { Migration, MigrationHelpers } from '../platform/db/migrate.ts'
import { byMonth } from './0695-months-to-be.ts'

const boundaryOf = async ({ tx }: MigrationHelpers, table: string): Promise<string> => {
  const row = await tx.get<{ text: string }>(
    'SELECT pg_get_constraintdef(oid) AS text FROM pg_constraint WHERE conname = ?',
    [`${table}_before`],
  )
  const boundary = /\d{10,}/.exec(row?.text ?? '')?.[0]
  if (boundary === undefined) throw new Error(`${table} has no boundary`)
  return boundary
}

/** The table that is there becomes the first part as it is, with its indexes. Nothing is copied, nothing read. */
const divide = async (h: MigrationHelpers, table: string, column: string): Promise<void> => {
  const boundary = await boundaryOf(h, table)
  const first = `${table}_first`
  await h.sql(`ALTER TABLE ${table} RENAME TO ${first}`)
  await h.sql(`CREATE TABLE ${table} (LIKE ${first} INCLUDING DEFAULTS) PARTITION BY RANGE (${column})`)
  await h.sql(`ALTER TABLE ${table} ATTACH PARTITION ${first} FOR VALUES FROM (MINVALUE) TO (${boundary})`)
  await h.sql(`ALTER TABLE ${first} DROP CONSTRAINT ${table}_before`)
  await h.sql(`CREATE TABLE ${table}_late (LIKE ${first} INCLUDING ALL)`)
  await h.sql(`ALTER TABLE ${table} ATTACH PARTITION ${table}_late DEFAULT`)
}

/** All rows in one table again, which is the first part or, where that was dropped, is made like the late one. */
const join = async (h: MigrationHelpers, table: string, column: string): Promise<void> => {
  const first = `${table}_first`
  await h.sql(`ALTER TABLE ${table} DETACH PARTITION ${table}_late`)
  const parts = await h.tx.all<{ name: string; bound: string }>(
    `SELECT c.relname::text AS name, pg_get_expr(c.relpartbound, c.oid) AS bound FROM pg_inherits i
     JOIN pg_class c ON c.oid = i.inhrelid WHERE i.inhparent = '${table}'::regclass`,
  )
  if (!parts.some(({ name }) => name === first))
    throw new Error(`${first} was dropped since: this step cannot be undone any more`)
  for (const { name } of parts) await h.sql(`ALTER TABLE ${table} DETACH PARTITION ${name}`)
  for (const name of [...parts.map((part) => part.name).filter((name) => name !== first), `${table}_late`]) {
    await h.sql(`INSERT INTO ${first} SELECT * FROM ${name}`)
    await h.sql(`DROP TABLE ${name}`)
  }
  await h.sql(`DROP TABLE ${table}`)
  await h.sql(`ALTER TABLE ${first} RENAME TO ${table}`)
  const newest = await h.tx.get<{ at: number }>(
    `SELECT greatest(coalesce(max(${column}), 0) + 1, (extract(epoch FROM date_trunc('month', now() AT TIME ZONE 'UTC')
       + interval '2 months') * 1000)::bigint) AS at FROM ${table}`,
  )
  await h.sql(`ALTER TABLE ${table} ADD CONSTRAINT ${table}_before CHECK (${column} < ${newest?.at})`)
}

/**
 * The last step: parts by month, each with keys of its own (decision 65). What no month takes lies in the late one. New months
 * are made, and empty ones dropped, by a job.
 */
export const partsByMonth: Migration = {
  name: '0697-parts-by-month',
  async up(h) {
    if (h.engine !== 'postgres') return
    for (const [table, column] of byMonth) await divide(h, table, column)
  },
  async down(h) {
    if (h.engine !== 'postgres') return
    for (const [table, column] of byMonth) await join(h, table, column)
  },
}
