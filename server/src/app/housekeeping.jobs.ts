import { defineJob } from '../kernel/jobs/define-job.ts'
import { deleteInPages } from '../kernel/jobs/delete-in-pages.ts'
import { deleteOldRequestsOfAllOrgs } from '../kernel/recent-requests/recent-requests.store.ts'
import { recentMs } from '../kernel/recent-requests/recent-requests.ts'
import { forgetShared } from '../kernel/shared/forget-shared.ts'
import { deleteExpiredKeysOfAllOrgs } from '../pipeline/idempotency/idempotency.store.ts'

const minute = 60_000
const hour = 3_600_000

export const housekeepingJobs = [
  defineJob({
    kind: 'idempotency.expire',
    everyMs: hour,
    run: (call) => deleteInPages(call, (tx, limit) => deleteExpiredKeysOfAllOrgs(tx, call.clock.now(), limit)),
  }),
  defineJob({
    kind: 'recent_requests.purge',
    everyMs: hour,
    run: (call) =>
      deleteInPages(call, (tx, limit) => deleteOldRequestsOfAllOrgs(tx, call.clock.now() - recentMs, limit)),
  }),
  defineJob({
    kind: 'shared.forget',
    everyMs: minute,
    run: ({ db, clock }) => db.transact((tx) => forgetShared(tx, clock.now())),
  }),
  defineJob({
    kind: 'jobs.purge',
    everyMs: 24 * hour,
    run: ({ jobs }) => jobs.purge(7 * 24 * hour),
  }),
  defineJob({
    kind: 'partitions.tend',
    everyMs: 6 * hour,
    run: ({ db, clock }) => db.dialect.tendPartitions(db, clock.now()),
  }),
  defineJob({
    kind: 'store.tidy',
    everyMs: hour,
    run: async ({ store, clock }) => {
      await store.removeStaleTemporaries(clock.now() - 24 * hour)
    },
  }),
]
