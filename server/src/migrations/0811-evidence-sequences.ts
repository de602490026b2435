import type { Migration } from '../platform/db/migrate.ts'

/**
 * Sound in the order in which its sender numbered it: `played_at` where that is not the order of the dates. -1: not numbered.
 * And what came from rooms, which no type tells.
 */
export const evidenceSequences: Migration = {
  name: '0811-evidence-sequences',
  async up(h) {
    await h.sql('ALTER TABLE evidence ADD COLUMN sequence bigint NOT NULL DEFAULT -1')
    await h.sql('ALTER TABLE evidence ADD COLUMN played_at bigint')
    await h.sql(`CREATE INDEX evidence_sequence ON evidence (org_id, session_id, evidence_type, sequence)
      WHERE sequence >= 0`)
    await h.sql(`CREATE INDEX evidence_played
      ON evidence (org_id, session_id, evidence_type, played_at, sequence, position) WHERE played_at IS NOT NULL`)
    await h.sql(`CREATE INDEX evidence_dated
      ON evidence (org_id, session_id, evidence_type, captured_at, sequence, position, played_at)`)
    await h.sql('DROP INDEX evidence_playback')
    await h.sql(`CREATE INDEX evidence_rooms ON evidence (org_id, session_id) WHERE source = 'room_camera'`)
  },
  async down(h) {
    await h.sql('DROP INDEX evidence_rooms')
    await h.sql(`create index "evidence_playback"
      on "evidence" ("org_id", "session_id", "evidence_type", "captured_at", "position")`)
    for (const index of ['dated', 'played', 'sequence']) await h.sql(`DROP INDEX evidence_${index}`)
    await h.sql('ALTER TABLE evidence DROP COLUMN played_at')
    await h.sql('ALTER TABLE evidence DROP COLUMN sequence')
  },
}
