import type { Migration, MigrationHelpers } from '../platform/db/migrate.ts'
import { auditLogTable } from './0060-audit.ts'

const clientIndex = async (h: MigrationHelpers, columns: readonly string[]): Promise<void> => {
  const indexName = 'integrity_events_client'
  await h.sql(`DROP INDEX ${indexName}`)
  await h.schema((s) =>
    s.alterTable('integrity_events', (t) => void t.unique(columns, { indexName, useConstraint: false })),
  )
}

/** Writes the log anew, row by row in the order of each chain. */
const rebuildLog = async (h: MigrationHelpers, clustered: boolean): Promise<void> => {
  // A Postgres table is never clustered.
  if (h.engine !== 'sqlite') return
  await h.createTable('audit_log_anew', auditLogTable, { clustered })
  await h.sql('INSERT INTO audit_log_anew SELECT * FROM audit_log ORDER BY org_id, seq')
  await h.schema((s) => s.dropTable('audit_log'))
  await h.sql('ALTER TABLE audit_log_anew RENAME TO audit_log')
  await h.sql(`CREATE INDEX audit_log_session ON audit_log (org_id, session_id, seq)
      WHERE action <> 'session.events_received'`)
  await h.immutable('audit_log')
}

/**
 * What many organisations write in one commit lies together, so that it touches few pages: a commit costs what its pages
 * cost. Client ids are ordered by time, so the ends of all organisations' are one end; audit rows are appended to one table.
 */
export const ingestPages: Migration = {
  name: '0240-ingest-pages',
  async up(h) {
    await clientIndex(h, ['client_id', 'org_id', 'session_id'])
    await rebuildLog(h, false)
  },
  async down(h) {
    await rebuildLog(h, true)
    await clientIndex(h, ['org_id', 'client_id', 'session_id'])
  },
}
