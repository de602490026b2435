import type { Clock } from '../clock.ts'
import type { Db } from '../db/types.ts'
import type { NewId } from '../ids.ts'
import type { Log } from '../log/log.ts'
import type { Scope } from '../scope.ts'
import { createJobRunner, type JobHandler, type JobReport } from './job-runner.ts'
import { type Claim, claimDueJobsAcrossOrgs, insertJob } from './jobs.store.ts'
import { createWaiter } from './waiter.ts'

export interface JobsOptions {
  readonly db: Db
  readonly clock: Clock
  readonly log: Log
  readonly newId: NewId
  readonly handlers: Readonly<Record<string, JobHandler>>
  /** Names this process in its claims. Unique among processes. */
  readonly processId: string
  readonly concurrency?: number
  /** A process that died gives its jobs back after this at the latest. Milliseconds. */
  readonly leaseMs?: number
  readonly pollMs?: number
  readonly onRun?: JobReport
}

export interface JobWorker {
  /** Kind → milliseconds between two runs. */
  readonly recurring: Map<string, number>
  /** Looks for due jobs now instead of at the next poll. */
  readonly wake: () => void
  /** Claims and runs until the signal aborts; what runs then goes on. */
  work(stopping: AbortSignal): Promise<void>
  /** Claims and runs until nothing is due and nothing runs. */
  drain(stopping: AbortSignal): Promise<void>
  /** Tells running handlers to end; their jobs are given back. */
  abort(reason: unknown): void
  /** Resolves when nothing runs. */
  idle(): Promise<void>
}

export const MAX_ATTEMPTS = 10
const DEFAULTS = { concurrency: 4, leaseMs: 60_000, pollMs: 1000 }
/** Recurring jobs belong to no organisation. */
const NO_ORG: Scope = { orgId: '', environment: 'live' }

/** Makes the rows of recurring jobs, once. */
const createRegistration = ({ db, clock }: JobsOptions, recurring: ReadonlyMap<string, number>) => {
  let registered = false
  return async (): Promise<void> => {
    if (registered || recurring.size === 0) return
    const now = clock.now()
    await db.transact(async (tx) => {
      for (const kind of recurring.keys()) {
        // One id for each kind: whichever process comes first makes the row, all share it.
        const job = { id: `every:${kind}`, kind, payload: 'null', run_at: now, max_attempts: MAX_ATTEMPTS }
        await insertJob(tx, NO_ORG, { ...job, created_at: now, dedupe_key: null })
      }
    })
    registered = true
  }
}

/** Claims due jobs and runs them, a bounded number at a time. */
export const createJobWorker = (options: JobsOptions): JobWorker => {
  const { db, clock, log, handlers, processId } = options
  const { concurrency, leaseMs, pollMs } = { ...DEFAULTS, ...options }
  const recurring = new Map<string, number>()
  const running = new Set<Promise<void>>()
  const aborting = new AbortController()
  const waiter = createWaiter(clock)
  const runner = createJobRunner({ ...options, leaseMs, recurring, aborted: aborting.signal })
  const registerRecurring = createRegistration(options, recurring)
  const kinds = Object.keys(handlers)
  let claims = 0

  const claim = (limit: number): Promise<Claim[]> => {
    const now = clock.now()
    const nextOwner = () => `${processId}:${++claims}`
    return db.transact((tx) => claimDueJobsAcrossOrgs(tx, { kinds, now, leaseUntil: now + leaseMs, limit, nextOwner }))
  }

  /** Fills the free places; returns how many jobs began. */
  const fill = async (stopping: AbortSignal): Promise<number> => {
    const free = concurrency - running.size
    if (free <= 0 || stopping.aborted) return 0
    const claimed = await claim(free)
    for (const one of claimed) {
      const run = runner.run(one).finally(() => {
        running.delete(run)
        waiter.wake()
      })
      running.add(run)
    }
    return claimed.length
  }

  return {
    recurring,
    wake: () => waiter.wake(),
    async work(stopping) {
      while (!stopping.aborted) {
        let began = 0
        try {
          await registerRecurring()
          began = await fill(stopping)
        } catch (error) {
          log.error({ err: error }, 'jobs could not be claimed')
        }
        if (began === 0 || running.size >= concurrency) await waiter.wait(pollMs, stopping)
      }
    },
    async drain(stopping) {
      await registerRecurring()
      for (;;) {
        const began = await fill(stopping)
        if (began === 0 && running.size === 0) return
        if (running.size > 0) await Promise.race(running)
      }
    },
    abort: (reason) => aborting.abort(reason),
    async idle() {
      await Promise.all(running)
    },
  }
}
