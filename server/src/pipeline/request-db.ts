import type { Parts } from '../kernel/parts.ts'

/** Whoever asked is told within five seconds that the database is busy, and comes again. */
const lockMs = 4_000

/** The database for what requests write. */
export const requestDbOf = (db: Parts['db']): Parts['db'] => ({
  ...db,
  transact: (work) => db.transact(work, { lockMs }),
})
