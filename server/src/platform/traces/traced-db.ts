import type { MigratableDb } from '../db/dialect.ts'
import { noTraces, type Traces } from './traces.ts'

/** The database with a span for each transaction of a traced request or job: from its wait for a turn to the durable commit. */
export const tracedDb = (db: MigratableDb, traces: Traces): MigratableDb =>
  traces === noTraces
    ? db
    : {
        ...db,
        transact: (work, bounds) =>
          traces.step({ kind: 'transaction', name: 'transaction' }, () => db.transact(work, bounds)),
      }
