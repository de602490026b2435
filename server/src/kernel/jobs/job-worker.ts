import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/types.ts'
import type { NewId } from '../../platform/ids.ts'
import type { Log } from '../../platform/log/log.ts'
import { createWaiter } from '../../platform/waiter.ts'
import type { Scope } from '../scope.ts'
import { createJobRunner, type JobHandler, type JobReport } from './job-runner.ts'
import { type Claim, claimDueJobsAcrossOrgs, insertJob, nextRunAtAcrossOrgs } from './jobs.store.ts'

export interface JobsOptions {
  readonly db: Db
  readonly clock: Clock
  readonly log: Log
  readonly newId: NewId
  readonly handlers: Readonly<Record<string, JobHandler>>
  /** Names this process in its claims. Unique among processes. */
  readonly processId: string
  readonly concurrency?: number
  /** Kinds of which this process runs fewer at once than it has places, so that they leave some to the others. */
  readonly limits?: Readonly<Record<string, number>>
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
  const { concurrency, limits = {}, leaseMs, pollMs } = { ...DEFAULTS, ...options }
  const recurring = new Map<string, number>()
  /** What runs, with its kind. */
  const running = new Map<Promise<void>, string>()
  const aborting = new AbortController()
  const waiter = createWaiter(clock)
  const runner = createJobRunner({ ...options, leaseMs, recurring, aborted: aborting.signal })
  const registerRecurring = createRegistration(options, recurring)
  const limited = Object.keys(handlers).filter((kind) => limits[kind] !== undefined)
  const unlimited = Object.keys(handlers).filter((kind) => limits[kind] === undefined)
  let claims = 0

  const roomFor = (kind: string): number =>
    (limits[kind] ?? concurrency) - [...running.values()].filter((other) => other === kind).length

  const claim = (free: number): Promise<Claim[]> => {
    const now = clock.now()
    const due = { now, leaseUntil: now + leaseMs, nextOwner: () => `${processId}:${++claims}` }
    return db.transact(async (tx) => {
      const claimed: Claim[] = []
      for (const kind of limited) {
        const limit = Math.min(roomFor(kind), free - claimed.length)
        if (limit > 0) claimed.push(...(await claimDueJobsAcrossOrgs(tx, { ...due, kinds: [kind], limit })))
      }
      const limit = free - claimed.length
      if (limit > 0) claimed.push(...(await claimDueJobsAcrossOrgs(tx, { ...due, kinds: unlimited, limit })))
      return claimed
    })
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
      running.set(run, one.job.kind)
    }
    return claimed.length
  }

  /** Until the next poll, or until the next job is due if that is sooner. */
  const untilNext = async (): Promise<number> => {
    const now = clock.now()
    const next = await nextRunAtAcrossOrgs(db.reader, [...limited, ...unlimited], now)
    return Math.min(pollMs, (next ?? Number.POSITIVE_INFINITY) - now)
  }

  return {
    recurring,
    wake: () => waiter.wake(),
    async work(stopping) {
      while (!stopping.aborted) {
        let began = 0
        let wait = pollMs
        try {
          await registerRecurring()
          began = await fill(stopping)
          if (began === 0) wait = await untilNext()
        } catch (error) {
          log.error({ err: error }, 'jobs could not be claimed')
        }
        if (began === 0 || running.size >= concurrency) await waiter.wait(wait, stopping)
      }
    },
    async drain(stopping) {
      await registerRecurring()
      for (;;) {
        // Only then: one that ends while a claim looks may make room that the claim did not see.
        const idle = running.size === 0
        if ((await fill(stopping)) === 0 && idle) return
        if (running.size > 0) await Promise.race(running.keys())
      }
    },
    abort: (reason) => aborting.abort(reason),
    async idle() {
      await Promise.all(running.keys())
    },
  }
}
