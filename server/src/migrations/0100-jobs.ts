import type { Migration } from '../platform/db/migrate.ts'
import { createJobsTable, dropJobsTable } from '../platform/jobs/jobs.store.ts'

/** Durable jobs with leases. */
export const jobs: Migration = {
  name: '0100-jobs',
  up: (h) => h.schema(createJobsTable),
  down: (h) => h.schema(dropJobsTable),
}
