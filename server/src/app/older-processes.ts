import { countPresent } from '../kernel/shared/presence.store.ts'
import { absentAfterMs } from '../kernel/shared/presence.ts'
import { migrations } from '../migrations/index.ts'
import { released } from '../migrations/released.ts'
import type { Clock } from '../platform/clock.ts'
import type { MigratableDb } from '../platform/db/dialect.ts'
import { pendingMigrations } from '../platform/db/migrate.ts'
import type { Log } from '../platform/log/log.ts'
import { ConfigError } from './config.ts'

const waitMs = 2_000
const saidEveryMs = 30_000

/** Whether the database is of a version before the last release, which cannot serve on what this one makes of it. */
const isBeforeRelease = async (db: MigratableDb): Promise<boolean> => {
  if (!(await db.dialect.hasMigrations(db.reader))) return false
  const last = migrations.findIndex(({ name }) => name === released)
  const needed = new Set(migrations.slice(0, last + 1).map(({ name }) => name))
  return (await pendingMigrations(db, migrations)).some((name) => needed.has(name))
}

/** SQLSTATE undefined_table. */
const isTableMissing = (error: unknown): boolean => (error as { code?: unknown }).code === '42P01'

/** Those that said in the last seconds that they are there; none where the database is too old to know. */
const present = (db: MigratableDb, now: number): Promise<number> =>
  countPresent(db.reader, now - absentAfterMs).catch((error: unknown) => {
    if (isTableMissing(error)) return 0
    throw error
  })

/**
 * Waits while processes of a version older than the last release serve on this database: beside what the migrations of this one
 * make they would write audit rows without what seals them, and such a mark stays. Beside the last release nobody waits. A command
 * does not wait either: it is refused.
 */
export const waitForOlder = async ({
  db,
  clock,
  log,
  isCommand,
}: {
  readonly db: MigratableDb
  readonly clock: Clock
  readonly log: Pick<Log, 'warn'>
  readonly isCommand: boolean
}): Promise<void> => {
  if (!db.servesMany || !(await isBeforeRelease(db))) return
  let saidAt = Number.NEGATIVE_INFINITY
  for (;;) {
    const processes = await present(db, clock.now())
    if (processes === 0) return
    if (isCommand)
      throw new ConfigError(
        `${processes} processes of a version before the last release serve on this database: end them, then start this version`,
      )
    if (clock.now() - saidAt >= saidEveryMs) {
      saidAt = clock.now()
      log.warn(
        { processes },
        'processes of a version before the last release serve on this database, which cannot stand beside this one: ' +
          'end them; this one waits and changes nothing',
      )
    }
    await clock.sleep(waitMs)
  }
}
