import type { Migration, MigrationHelpers } from '../platform/db/migrate.ts'

/**
 * Received batches are most rows and come fastest, so they stand in two indexes only; what people do is asked for by
 * person. The conditions are spelled as the list asks (`audit.list.store.ts`).
 */
const received = "action = 'session.events_received'"
const others = "action <> 'session.events_received'"
const people = "actor_kind IN ('user', 'account', 'refresh')"
const indexes = [
  ['audit_log_received', 'org_id, at, seq', received],
  ['audit_log_received_session', 'org_id, session_id, at, seq', received],
  ['audit_log_at', 'org_id, at, seq', others],
  ['audit_log_action', 'org_id, action, at, seq', others],
  ['audit_log_session', 'org_id, session_id, at, seq', others],
  ['audit_log_session_action', 'org_id, session_id, action, at, seq', others],
  ['audit_log_person', 'org_id, actor_id, at, seq', people],
  ['audit_log_person_action', 'org_id, actor_id, action, at, seq', people],
  ['audit_log_person_session', 'org_id, actor_id, session_id, at, seq', people],
  ['audit_log_person_session_action', 'org_id, actor_id, session_id, action, at, seq', people],
] as const

const drop = async (h: MigrationHelpers, names: readonly string[]): Promise<void> => {
  for (const name of names) await h.sql(`DROP INDEX ${name}`)
}

/** The audit trail is listed newest first, by any of its filters together. */
export const auditLists: Migration = {
  name: '0340-audit-lists',
  async up(h) {
    await drop(h, ['audit_log_session'])
    for (const [name, columns, where] of indexes)
      await h.sql(`CREATE INDEX ${name} ON audit_log (${columns}) WHERE ${where}`)
  },
  async down(h) {
    await drop(
      h,
      indexes.map(([name]) => name),
    )
    await h.sql(`CREATE INDEX audit_log_session ON audit_log (org_id, session_id, seq)
      WHERE action <> 'session.events_received'`)
  },
}
