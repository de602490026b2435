import type { Tx } from '../../platform/db/types.ts'
import type { Scope } from '../scope.ts'
import { createJobWorker, type JobsOptions, MAX_ATTEMPTS } from './job-worker.ts'
import { deleteFinishedJobsAcrossOrgs, insertJob } from './jobs.store.ts'

export type { Job, JobHandler, JobReport } from './job-runner.ts'
export type { JobsOptions } from './job-worker.ts'

export interface EnqueueOptions {
  readonly kind: string
  /** Anything JSON can hold; the handler parses it. */
  readonly payload: unknown
  /** Epoch milliseconds; now unless given. */
  readonly runAt?: number
  /** While a job of the same scope, kind and key has not started, another is not added. */
  readonly dedupeKey?: string
  /** Claims until it counts as failed; 10 unless given. */
  readonly maxAttempts?: number
}

export interface Jobs {
  /** Adds a job in the caller's transaction; it exists exactly if that commits. Null when the dedupe key was waiting. */
  enqueue(call: { readonly tx: Tx; readonly scope: Scope }, options: EnqueueOptions): Promise<string | null>
  /** Runs `kind` every `everyMs` in one process at a time. Call before `start` or `processAll`. */
  every(kind: string, everyMs: number): void
  start(): void
  /** Runs everything that is due until nothing is; jobs waiting for a later time stay. */
  processAll(): Promise<void>
  /** Claims no more and waits for what runs. When `signal` aborts, running handlers are told and their jobs given back. */
  stop(signal?: AbortSignal): Promise<void>
  /** Forgets jobs that ended longer ago than `ageMs`. */
  purge(ageMs: number): Promise<number>
}

/** Wakes the jobs of every process. */
const CHANNEL = 'jobs'

/**
 * Durable jobs over the table `jobs`: at least once, in any number of processes. A job is claimed in a short
 * transaction under a lease that is extended while its handler runs; a handler must bear being run twice.
 */
export const createJobs = (options: JobsOptions): Jobs => {
  const { db, clock, newId, handlers } = options
  const worker = createJobWorker(options)
  const stopping = new AbortController()
  let loop: Promise<void> | undefined
  return {
    async enqueue({ tx, scope }, { kind, payload, runAt, dedupeKey, maxAttempts = MAX_ATTEMPTS }) {
      const now = clock.now()
      const id = newId('job')
      const text = JSON.stringify(payload ?? null)
      const job = { id, kind, payload: text, run_at: runAt ?? now, max_attempts: maxAttempts, created_at: now }
      const added = await insertJob(tx, scope, { ...job, dedupe_key: dedupeKey ?? null })
      if (!added) return null
      tx.afterCommit(() => db.notify(CHANNEL))
      return id
    },
    every(kind, everyMs) {
      if (!(kind in handlers)) throw new TypeError(`no handler for the recurring job ${kind}`)
      worker.recurring.set(kind, everyMs)
    },
    start() {
      if (loop) return
      const stopListening = db.listen(CHANNEL, worker.wake)
      loop = worker.work(stopping.signal).finally(stopListening)
    },
    processAll: () => worker.drain(stopping.signal),
    async stop(signal) {
      stopping.abort()
      const abort = () => worker.abort(signal?.reason)
      if (signal?.aborted) abort()
      signal?.addEventListener('abort', abort, { once: true })
      await loop
      await worker.idle()
      signal?.removeEventListener('abort', abort)
    },
    purge: (ageMs) => db.transact((tx) => deleteFinishedJobsAcrossOrgs(tx, clock.now() - ageMs)),
  }
}
