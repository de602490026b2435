import type { Knex } from 'knex'
import type { Migration } from '../platform/db/migrate.ts'
import { dropTables } from './tables.ts'

const idempotencyKeysTable = (t: Knex.CreateTableBuilder): void => {
  t.text('org_id').notNullable()
  t.text('credential').notNullable()
  t.text('endpoint').notNullable()
  t.text('key').notNullable()
  t.text('body_hash').notNullable()
  t.integer('status').notNullable()
  t.text('answer').notNullable()
  t.bigInteger('created_at').notNullable()
  t.bigInteger('expires_at').notNullable()
  t.primary(['org_id', 'credential', 'endpoint', 'key'])
  t.index(['expires_at'], 'idempotency_expiry')
}

/** Answers of writes that carried an Idempotency-Key, kept for 24 hours. */
export const idempotency: Migration = {
  name: '0090-idempotency',
  async up(h) {
    await h.createTable('idempotency_keys', idempotencyKeysTable, { clustered: true })
  },
  down: (h) => dropTables(h, 'idempotency_keys'),
}
