import type { Knex } from 'knex'
import type { Migration } from '../platform/db/migrate.ts'
import { dropTables } from './tables.ts'

export const auditLogTable = (t: Knex.CreateTableBuilder): void => {
  t.text('org_id').notNullable()
  t.bigInteger('seq').notNullable()
  t.bigInteger('at').notNullable()
  t.text('actor_kind').notNullable()
  t.text('actor_id').notNullable()
  t.text('action').notNullable()
  t.text('target').notNullable()
  t.text('session_id')
  t.text('payload_hash')
  t.text('prev_hash').notNullable()
  t.text('hash').notNullable()
  t.primary(['org_id', 'seq'])
}

const auditPayloadsTable = (t: Knex.CreateTableBuilder): void => {
  t.text('org_id').notNullable()
  t.bigInteger('seq').notNullable()
  t.text('salt').notNullable()
  t.text('payload').notNullable()
  t.primary(['org_id', 'seq'])
}

const auditCheckpointsTable = (t: Knex.CreateTableBuilder): void => {
  t.text('org_id').notNullable()
  t.bigInteger('size').notNullable()
  t.text('note').notNullable()
  t.bigInteger('at').notNullable()
  t.primary(['org_id', 'size'])
}

/** The hash chain of each organisation, the personal payloads beside it, and signed checkpoints of its head. */
export const audit: Migration = {
  name: '0060-audit',
  async up(h) {
    await h.createTable('audit_log', auditLogTable, { clustered: true })
    // Received batches are most of the rows and nobody asks for them by session; their index would cost every batch.
    await h.sql(`CREATE INDEX audit_log_session ON audit_log (org_id, session_id, seq)
      WHERE action <> 'session.events_received'`)
    await h.immutable('audit_log')
    await h.createTable('audit_payloads', auditPayloadsTable, { clustered: true })
    await h.createTable('audit_checkpoints', auditCheckpointsTable, { clustered: true })
  },
  down: (h) => dropTables(h, 'audit_checkpoints', 'audit_payloads', 'audit_log'),
}
