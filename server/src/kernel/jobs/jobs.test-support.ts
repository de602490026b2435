import { afterEach, beforeAll, beforeEach } from 'vitest'
import type { OpenDatabase } from '../../../test/test-support/databases.ts'
import { migrations } from '../../migrations/index.ts'
import type { MigratableDb } from '../../platform/db/dialect.ts'
import { createIds } from '../../platform/ids.ts'
import { createLog } from '../../platform/log/log.ts'
import { createManualClock, type ManualClock } from '../../platform/manual-clock.test-support.ts'
import { noTraces } from '../../platform/traces/traces.ts'
import type { Scope } from '../identity/scope.ts'
import type { JobRequest, Jobs } from '../jobs.types.ts'
import type { Parts } from '../parts.ts'
import type { JobDefinition, JobRun } from './define-job.ts'
import { createJobWorker, type JobWorker, type JobWorkerOptions } from './job-worker.ts'
import type { JobRow } from './jobs.store.ts'
import { createJobs } from './jobs.ts'

export const scope: Scope = { orgId: 'org_1', environment: 'sandbox' }
export const lease = 60_000
const log = createLog({ level: 'silent' })
const newId = createIds(Date.now)

/** What the run of a kind that a test makes up is told. */
export interface SeenRun extends JobRun {
  readonly scope: Scope
  readonly payload: unknown
}
export type RunOfTest = (run: SeenRun) => Promise<void>
type TestKind = RunOfTest | (Partial<Omit<JobDefinition, 'run'>> & { readonly run: RunOfTest })

const definitionOf = ([kind, given]: [string, TestKind]): JobDefinition => {
  const { run, ...rest } = typeof given === 'function' ? { run: given } : given
  return { kind, attempts: 10, ...rest, run: ({ scope: of }, payload, seen) => run({ ...seen, scope: of, payload }) }
}

/** A process with its queue; the kinds that it is asked for are its test's, which no domain declares. */
export interface TestJobs extends JobWorker {
  readonly enqueue: (call: Parameters<Jobs['enqueue']>[0], request: TestRequest) => Promise<string | null>
  readonly purge: Jobs['purge']
}
type TestRequest = Omit<JobRequest, 'kind' | 'payload'> & { readonly kind: string; readonly payload: unknown }

/** A handler that says when it begins and ends when it is told. */
export const holding =
  (began: PromiseWithResolvers<void>, hold: PromiseWithResolvers<void>): RunOfTest =>
  () => {
    began.resolve()
    return hold.promise
  }

interface BuildOptions extends Partial<Pick<JobWorkerOptions, 'concurrency'>> {
  readonly db?: MigratableDb
  readonly clock?: ManualClock
  readonly onRun?: (...run: unknown[]) => void
}

/** An empty queue for each test, with two connections to its database; the processes that work on it stop after the test. */
export const useQueue = (open: OpenDatabase) => {
  let db: MigratableDb
  let other: MigratableDb
  let clock: ManualClock
  let processes = 0
  const started: TestJobs[] = []

  beforeAll(async () => {
    db = await open(migrations)
    other = await open(migrations)
  })
  beforeEach(async () => {
    clock = createManualClock()
    await db.transact((tx) => tx.run('DELETE FROM jobs'))
  })
  afterEach(async () => {
    for (const jobs of started.splice(0)) await jobs.stop(AbortSignal.abort(new Error('the test is over')))
  })

  const build = (
    kinds: Record<string, TestKind>,
    { db: ownDb = db, clock: ownClock = clock, ...options }: BuildOptions = {},
  ): TestJobs => {
    processes += 1
    const app = { db: ownDb, clock: ownClock, log, newId, reader: ownDb.reader, traces: noTraces } as unknown as Parts
    const definitions = Object.entries(kinds).map(definitionOf)
    const worker = createJobWorker(app, { definitions, processId: `p${processes}`, leaseMs: lease, ...options })
    const jobs = { ...worker, ...createJobs(app, definitions) } as unknown as TestJobs
    started.push(jobs)
    return jobs
  }
  const add = (jobs: TestJobs, kind: string, options: Partial<TestRequest> = {}, of = scope) =>
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
