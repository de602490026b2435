import { auditJobs } from '../domains/audit/audit.jobs.ts'
import { authJobs } from '../domains/auth/auth.jobs.ts'
import { candidateRequestsJobs } from '../domains/candidate-requests/candidate-requests.jobs.ts'
import { companionsJobs } from '../domains/companions/companions.jobs.ts'
import { compositionsJobLimits, compositionsJobs } from '../domains/compositions/compositions.jobs.ts'
import { evidenceJobs } from '../domains/evidence/evidence.jobs.ts'
import { invitationsJobs } from '../domains/invitations/invitations.jobs.ts'
import { sandboxJobs } from '../domains/sandbox/sandbox.jobs.ts'
import { uploadsJobs } from '../domains/uploads/uploads.jobs.ts'
import { webhooksJobs } from '../domains/webhooks/webhooks.jobs.ts'
import type { JobHandler, Jobs } from '../kernel/jobs/jobs.ts'
import type { Parts } from '../kernel/parts.ts'
import { deleteExpiredKeysOfAllOrgs } from '../pipeline/idempotency/idempotency.store.ts'

const hour = 3_600_000

const housekeeping = (app: () => Parts): Record<string, JobHandler> => ({
  'idempotency.expire': async () => {
    const { db, clock } = app()
    while ((await db.transact((tx) => deleteExpiredKeysOfAllOrgs(tx, clock.now(), 1000))) === 1000);
  },
  'jobs.purge': async () => {
    await app().jobs.purge(7 * 86_400_000)
  },
  'store.tidy': async () => {
    const { store, clock } = app()
    await store.removeStaleTemporaries(clock.now() - 24 * hour)
  },
})

/** Every kind of job with its handler. */
export const jobHandlers = (app: () => Parts): Record<string, JobHandler> => ({
  ...housekeeping(app),
  ...auditJobs(app),
  ...candidateRequestsJobs(app),
  ...companionsJobs(app),
  ...authJobs(app),
  ...compositionsJobs(app),
  ...evidenceJobs(app),
  ...invitationsJobs(app),
  ...sandboxJobs(app),
  ...uploadsJobs(app),
  ...webhooksJobs(app),
})

/** Kinds of which a process runs only so many at once. */
export const jobLimits: Readonly<Record<string, number>> = { ...compositionsJobLimits }

/** What runs by itself, each in one process at a time. */
export const scheduleJobs = (jobs: Jobs): void => {
  jobs.every('idempotency.expire', hour)
  jobs.every('jobs.purge', 24 * hour)
  jobs.every('audit.checkpoint', hour)
  jobs.every('auth.purge', hour)
  jobs.every('compositions.expire', hour)
  jobs.every('store.tidy', hour)
  jobs.every('uploads.expire', hour / 6)
}
