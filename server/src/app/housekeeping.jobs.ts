import { defineJob } from '../kernel/jobs/define-job.ts'
import { deleteExpiredKeysOfAllOrgs } from '../pipeline/idempotency/idempotency.store.ts'

const hour = 3_600_000

export const housekeepingJobs = [
  defineJob({
    kind: 'idempotency.expire',
    everyMs: hour,
    run: async ({ db, clock }) => {
      while ((await db.transact((tx) => deleteExpiredKeysOfAllOrgs(tx, clock.now(), 1000))) === 1000);
    },
  }),
  defineJob({
    kind: 'jobs.purge',
    everyMs: 24 * hour,
    run: async ({ jobs }) => {
      await jobs.purge(7 * 24 * hour)
    },
  }),
  defineJob({
    kind: 'store.tidy',
    everyMs: hour,
    run: async ({ store, clock }) => {
      await store.removeStaleTemporaries(clock.now() - 24 * hour)
    },
  }),
]
