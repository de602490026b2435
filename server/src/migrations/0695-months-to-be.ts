import type { Migration, MigrationHelpers } from '../platform/db/migrate.ts'

/** What lies in parts by time on Postgres, and the column that says when. */
export const byMonth: readonly (readonly [table: string, column: string])[] = [
  ['events', 'created_at'],
  ['webhook_attempts', 'at'],
]

const postgresOnly = async (h: MigrationHelpers, work: () => Promise<void>): Promise<void> => {
  if (h.engine === 'postgres') await work()
}

/** The month after next, or behind the newest row where a clock was ahead. */
const boundaryOf = async ({ tx }: MigrationHelpers, table: string, column: string): Promise<number> => {
  const row = await tx.get<{ at: number }>(
    `SELECT (extract(epoch FROM date_trunc('month', greatest(now(),
       to_timestamp((SELECT coalesce(max(${column}), 0) FROM ${table}) / 1000.0)) AT TIME ZONE 'UTC')
       + interval '2 months') * 1000)::bigint AS at`,
  )
  if (!row) throw new Error('no boundary')
  return row.at
}

/**
 * The first of three steps, each of which holds nobody up on a full table: says, of rows to come, that they lie before a
 * month that is not yet.
 */
export const monthsToBe: Migration = {
  name: '0695-months-to-be',
  up: (h) =>
    postgresOnly(h, async () => {
      for (const [table, column] of byMonth) {
        const boundary = await boundaryOf(h, table, column)
        await h.sql(`ALTER TABLE ${table} ADD CONSTRAINT ${table}_before CHECK (${column} < ${boundary}) NOT VALID`)
      }
    }),
  down: (h) =>
    postgresOnly(h, async () => {
      for (const [table] of byMonth) await h.sql(`ALTER TABLE ${table} DROP CONSTRAINT ${table}_before`)
    }),
}
