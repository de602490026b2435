import { createJobsTable, dropJobsTable } from '../kernel/jobs/jobs.store.ts'
import type { Migration } from '../platform/db/migrate.ts'

/** Durable jobs with leases. */
export const jobs: Migration = {
  name: '0100-jobs',
  up: (h) => h.schema(createJobsTable),
  down: (h) => h.schema(dropJobsTable),
}
