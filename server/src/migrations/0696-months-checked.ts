import type { Migration } from '../platform/db/migrate.ts'
import { byMonth } from './0695-months-to-be.ts'

/** The second step: reads the rows that are there, while others are written. */
export const monthsChecked: Migration = {
  name: '0696-months-checked',
  async up(h) {
    if (h.engine !== 'postgres') return
    for (const [table] of byMonth) await h.sql(`ALTER TABLE ${table} VALIDATE CONSTRAINT ${table}_before`)
  },
  async down(h) {
    if (h.engine !== 'postgres') return
    for (const [table, column] of byMonth) {
      const row = await h.tx.get<{ text: string }>(
        'SELECT pg_get_constraintdef(oid) AS text FROM pg_constraint WHERE conname = ?',
        [`${table}_before`],
      )
      const boundary = /\d{10,}/.exec(row?.text ?? '')?.[0]
      if (boundary === undefined) throw new Error(`${table} has no boundary`)
      await h.sql(`ALTER TABLE ${table} DROP CONSTRAINT ${table}_before,
        ADD CONSTRAINT ${table}_before CHECK (${column} < ${boundary}) NOT VALID`)
    }
  },
}
