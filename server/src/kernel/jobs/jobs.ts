import type { Jobs } from '../jobs.types.ts'
import type { Parts } from '../parts.ts'
import type { JobDefinition } from './define-job.ts'
import { deleteInPages } from './delete-in-pages.ts'
import { deleteFinishedJobsAcrossOrgs, insertJob } from './jobs.store.ts'

/** Wakes the jobs of every process. */
export const jobsChannel = 'jobs'

/**
 * Durable jobs over the table `jobs`: at least once, in any number of processes. What is asked for here a job worker
 * runs, in this process or another.
 */
export const createJobs = (
  { db, clock, newId, traces }: Pick<Parts, 'db' | 'clock' | 'newId' | 'traces'>,
  definitions: readonly Pick<JobDefinition, 'kind' | 'attempts'>[],
): Jobs => {
  const attemptsOf = new Map(definitions.map(({ kind, attempts }) => [kind, attempts]))
  return {
    async enqueue({ tx, scope, requestId }, { kind, payload, runAt, dedupeKey }) {
      const attempts = attemptsOf.get(kind)
      if (attempts === undefined) throw new TypeError(`no job is called ${kind}`)
      const now = clock.now()
      const id = newId('job')
      const text = JSON.stringify(payload ?? null)
      const job = { id, kind, payload: text, run_at: runAt ?? now, max_attempts: attempts, created_at: now }
      const of = { request_id: requestId ?? null, traceparent: traces.here(requestId) }
      const added = await insertJob(tx, scope, { ...job, dedupe_key: dedupeKey ?? null, ...of })
      if (!added) return null
      tx.afterCommit(() => db.notify(jobsChannel))
      return id
    },
    purge: (ageMs) => {
      const before = clock.now() - ageMs
      return deleteInPages({ db }, (tx, limit) => deleteFinishedJobsAcrossOrgs(tx, before, limit))
    },
  }
}
