import { auditJobs } from '../domains/audit/audit.jobs.ts'
import { evidenceJobs } from '../domains/evidence/evidence.jobs.ts'
import { uploadsJobs } from '../domains/uploads/uploads.jobs.ts'
import { webhooksJobs } from '../domains/webhooks/webhooks.jobs.ts'
import { deleteExpiredKeysOfAllOrgs } from '../platform/idempotency/idempotency.store.ts'
import type { JobHandler, Jobs } from '../platform/jobs/jobs.ts'
import type { AppContext } from './context.ts'

const housekeeping = (app: () => AppContext): Record<string, JobHandler> => ({
  'idempotency.expire': async () => {
    const { db, clock } = app()
    while ((await db.transact((tx) => deleteExpiredKeysOfAllOrgs(tx, clock.now(), 1000))) === 1000);
  },
  'jobs.purge': async () => {
    await app().jobs.purge(7 * 86_400_000)
  },
})

/** Every kind of job with its handler. */
export const jobHandlers = (app: () => AppContext): Record<string, JobHandler> => ({
  ...housekeeping(app),
  ...auditJobs(app),
  ...evidenceJobs(app),
  ...uploadsJobs(app),
  ...webhooksJobs(app),
})

const hour = 3_600_000

/** What runs by itself, each in one process at a time. */
export const scheduleJobs = (jobs: Jobs): void => {
  jobs.every('idempotency.expire', hour)
  jobs.every('jobs.purge', 24 * hour)
  jobs.every('audit.checkpoint', hour)
  jobs.every('uploads.expire', hour / 6)
}
