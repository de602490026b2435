import type { Knex } from 'knex'
import type { Migration } from '../platform/db/migrate.ts'
import { dropTables } from './tables.ts'

const jobsTable = (t: Knex.CreateTableBuilder): void => {
  t.text('org_id').notNullable()
  t.text('id').notNullable()
  t.text('environment').notNullable()
  t.text('kind').notNullable()
  t.text('payload').notNullable()
  t.bigInteger('run_at').notNullable()
  t.bigInteger('lease_until')
  t.text('lease_owner')
  t.integer('attempts').notNullable()
  t.integer('max_attempts').notNullable()
  t.text('state').notNullable()
  t.text('last_error')
  t.bigInteger('created_at').notNullable()
  t.bigInteger('finished_at')
  t.text('dedupe_key')
  t.primary(['org_id', 'id'])
  // NULLs are distinct on both engines, so only waiting jobs with a key are held apart.
  t.unique(['org_id', 'environment', 'kind', 'dedupe_key'], { indexName: 'jobs_dedupe' })
  t.index(['state', 'run_at', 'id'], 'jobs_due')
}

/** Durable jobs with leases. */
export const jobs: Migration = {
  name: '0100-jobs',
  up: (h) => h.createTable('jobs', jobsTable),
  down: (h) => dropTables(h, 'jobs'),
}
