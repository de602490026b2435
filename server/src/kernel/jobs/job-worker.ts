import { createWaiter } from '../../platform/waiter.ts'
import type { Parts } from '../parts.ts'
import type { JobDefinition } from './define-job.ts'
import { createClaims, createRegistration } from './job-claims.ts'
import { createJobRunner, type JobReport } from './job-runner.ts'
import { jobsChannel } from './jobs.ts'

export interface JobWorkerOptions {
  readonly definitions: readonly JobDefinition[]
  /** Names this process in its claims. Unique among processes. */
  readonly processId: string
  readonly concurrency?: number
  /** A process that died gives its jobs back after this at the latest. Milliseconds. */
  readonly leaseMs?: number
  readonly pollMs?: number
  readonly onRun?: JobReport
}

export interface JobWorker {
  start(): void
  /** Runs everything that is due until nothing is; jobs waiting for a later time stay. */
  processAll(): Promise<void>
  /** Claims no more and waits for what runs. When `signal` aborts, running jobs are told and given back. */
  stop(signal?: AbortSignal): Promise<void>
}

const defaults = { concurrency: 4, leaseMs: 60_000, pollMs: 1000 }

/** The jobs that run in this process. */
const createRunning = (onEnd: () => void) => {
  const running = new Map<Promise<void>, string>()
  return {
    get size() {
      return running.size
    },
    kinds: (): string[] => [...running.values()],
    add: (kind: string, work: Promise<void>): void => {
      const run = work.finally(() => {
        running.delete(run)
        onEnd()
      })
      running.set(run, kind)
    },
    /** Resolves when one of them has ended. */
    next: (): Promise<void> => Promise.race(running.keys()),
    settled: async (): Promise<void> => {
      await Promise.all(running.keys())
    },
  }
}

/** Claims due jobs and runs them, a bounded number at a time, until `stopping` aborts. */
const createLoop = (
  app: Parts,
  given: JobWorkerOptions,
  { stopping, aborted }: Record<'stopping' | 'aborted', AbortSignal>,
) => {
  const { clock, log } = app
  const options = { ...defaults, ...given }
  const { concurrency, pollMs } = options
  const waiter = createWaiter(clock)
  const running = createRunning(() => waiter.wake())
  const runner = createJobRunner(app, { ...options, aborted })
  const claims = createClaims(app, options)
  const registerRecurring = createRegistration(app, options.definitions)

  /** Fills the free places; returns how many jobs began. */
  const fill = async (): Promise<number> => {
    if (running.size >= concurrency || stopping.aborted) return 0
    const claimed = await claims.claim(running.kinds())
    for (const one of claimed) running.add(one.job.kind, runner.run(one))
    return claimed.length
  }

  /** Until the next poll, or until the next job is due if that is sooner. */
  const untilNext = async (): Promise<number> => {
    const now = clock.now()
    return Math.min(pollMs, ((await claims.nextRunAt(now)) ?? Number.POSITIVE_INFINITY) - now)
  }

  return {
    /** Looks for due jobs now instead of at the next poll. */
    wake: () => waiter.wake(),
    async work(): Promise<void> {
      while (!stopping.aborted) {
        let began = 0
        let wait = pollMs
        try {
          await registerRecurring()
          began = await fill()
          if (began === 0) wait = await untilNext()
        } catch (error) {
          log.error({ err: error }, 'jobs could not be claimed')
        }
        if (began === 0 || running.size >= concurrency) await waiter.wait(wait, stopping)
      }
    },
    async drain(): Promise<void> {
      await registerRecurring()
      for (;;) {
        // Only then: one that ends while a claim looks may make room that the claim did not see.
        const idle = running.size === 0
        if ((await fill()) === 0 && idle) return
        if (running.size > 0) await running.next()
      }
    },
    idle: running.settled,
  }
}

/**
 * Runs the jobs of the table `jobs` in this process. A job is claimed in a short transaction under a lease that is
 * extended while it runs; it must bear being run twice.
 */
export const createJobWorker = (app: Parts, options: JobWorkerOptions): JobWorker => {
  const stopping = new AbortController()
  const aborting = new AbortController()
  const loop = createLoop(app, options, { stopping: stopping.signal, aborted: aborting.signal })
  let working: Promise<void> | undefined
  return {
    start() {
      if (working) return
      const stopListening = app.db.listen(jobsChannel, loop.wake)
      working = loop.work().finally(stopListening)
    },
    processAll: () => loop.drain(),
    async stop(signal) {
      stopping.abort()
      const abort = () => aborting.abort(signal?.reason)
      if (signal?.aborted) abort()
      signal?.addEventListener('abort', abort, { once: true })
      await working
      await loop.idle()
      signal?.removeEventListener('abort', abort)
    },
  }
}
