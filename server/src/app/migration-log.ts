import type { MigrationStep } from '../platform/db/migrate.ts'
import type { Log } from '../platform/log/log.ts'

/** Says in the log what becomes of each step. `all` that there are, on a new database, are quick and many: for debugging. */
export const logSteps =
  (log: Log, all: number) =>
  ({ migration, state, left, missing, ms }: MigrationStep): void =>
    log[missing === all ? 'debug' : 'info'](
      { migration, left, ms },
      state === 'begins' ? 'a migration begins' : 'a migration is applied',
    )
