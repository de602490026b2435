import type { Migration } from '../platform/db/migrate.ts'

/** Of rooms alone: who sent an older object is in its audit row, and only there. Everything else is told by its type. */
const fromRooms = `SELECT a.org_id, a.target FROM session_credentials c
  JOIN audit_log a ON a.org_id = c.org_id AND a.session_id = c.session_id
  WHERE c.kind = 'room' AND a.action = 'evidence.stored' AND a.action <> 'session.events_received' AND a.actor_kind = 'room'`

/** What recorded an object, who sent it, and whether it could be decoded. Null in what is older: told by its type when read. */
export const evidenceSources: Migration = {
  name: '0810-evidence-sources',
  async up(h) {
    await h.sql('ALTER TABLE evidence ADD COLUMN source text')
    await h.sql('ALTER TABLE evidence ADD COLUMN sent_by text')
    await h.sql('ALTER TABLE evidence ADD COLUMN decodable bigint')
    await h.sql(`UPDATE evidence SET source = 'room_camera', sent_by = 'room'
      WHERE evidence_type = 'camera_frame' AND (org_id, evidence_id) IN (${fromRooms})`)
    await h.sql(`CREATE INDEX evidence_held
      ON evidence (org_id, session_id, evidence_type, captured_at, position, duration_ms, source, erased_at)
      WHERE erased_at IS NULL`)
    await h.sql('DROP INDEX evidence_kept')
  },
  async down(h) {
    await h.sql(`create index "evidence_kept"
      on "evidence" ("org_id", "session_id", "evidence_type", "captured_at", "position") WHERE erased_at IS NULL`)
    await h.sql('DROP INDEX evidence_held')
    for (const column of ['decodable', 'sent_by', 'source']) await h.sql(`ALTER TABLE evidence DROP COLUMN ${column}`)
  },
}
