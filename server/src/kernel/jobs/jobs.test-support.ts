import { afterEach, beforeAll, beforeEach } from 'vitest'
import type { OpenDatabase } from '../../../test/support/databases.ts'
import { jobs as table } from '../../migrations/0100-jobs.ts'
import type { MigratableDb } from '../../platform/db/dialect.ts'
import { createIds } from '../../platform/ids.ts'
import { createLog } from '../../platform/log/log.ts'
import { createManualClock, type ManualClock } from '../../platform/manual-clock.test-support.ts'
import type { Scope } from '../scope.ts'
import type { JobRow } from './jobs.store.ts'
import { createJobs, type JobHandler, type Jobs } from './jobs.ts'

export const scope: Scope = { orgId: 'org_1', environment: 'sandbox' }
export const LEASE = 60_000
const log = createLog({ level: 'silent' })
const newId = createIds(Date.now)

/** A handler that says when it begins and ends when it is told. */
export const holding =
  (began: PromiseWithResolvers<void>, hold: PromiseWithResolvers<void>): JobHandler =>
  () => {
    began.resolve()
    return hold.promise
  }

/** An empty queue for each test, with two connections to its database; the processes that work on it stop after the test. */
export const useQueue = (open: OpenDatabase) => {
  let db: MigratableDb
  let other: MigratableDb
  let clock: ManualClock
  let processes = 0
  const started: Jobs[] = []

  beforeAll(async () => {
    db = await open([table])
    other = await open([table])
  })
  beforeEach(async () => {
    clock = createManualClock()
    await db.transact((tx) => tx.run('DELETE FROM jobs'))
  })
  afterEach(async () => {
    for (const jobs of started.splice(0)) await jobs.stop(AbortSignal.abort(new Error('the test is over')))
  })

  const build = (
    handlers: Record<string, JobHandler>,
    overrides: {
      db?: MigratableDb
      clock?: ManualClock
      concurrency?: number
      limits?: Record<string, number>
      onRun?: (...run: unknown[]) => void
    } = {},
  ) => {
    processes += 1
    const jobs = createJobs({
      db,
      clock,
      log,
      newId,
      handlers,
      processId: `p${processes}`,
      leaseMs: LEASE,
      ...overrides,
    })
    started.push(jobs)
    return jobs
  }
  const add = (jobs: Jobs, kind: string, options: Partial<Parameters<Jobs['enqueue']>[1]> = {}, of = scope) =>
    db.transact((tx) => jobs.enqueue({ tx, scope: of }, { kind, payload: {}, ...options }))
  const rows = () => db.reader.all<JobRow>('SELECT * FROM jobs ORDER BY created_at, id')
  return {
    build,
    add,
    rows,
    get db() {
      return db
    },
    /** The same database, as another process has it open. */
    get other() {
      return other
    },
    get clock() {
      return clock
    },
  }
}
