import type { Migration } from '../platform/db/migrate.ts'
import { clustered, dropTables } from './tables.ts'

/** Phones paired with a session, one after the other, and what they said of themselves. */
export const companions: Migration = {
  name: '0140-companions',
  async up(h) {
    await h.sql(`CREATE TABLE companions (
      org_id text NOT NULL, companion_id text NOT NULL, environment text NOT NULL, session_id text NOT NULL,
      credential_id text NOT NULL, device text, paired_at bigint NOT NULL, ended_at bigint, end_reason text,
      steps text NOT NULL DEFAULT '[]', placed_at bigint, photo_evidence_id text,
      recording text NOT NULL DEFAULT 'off', interrupted_at bigint, last_beat_at bigint, last_beat text,
      last_contact_at bigint, PRIMARY KEY (org_id, companion_id),
      FOREIGN KEY (org_id, session_id) REFERENCES sessions (org_id, session_id))`)
    await h.sql('CREATE INDEX companions_session ON companions (org_id, session_id, paired_at)')
    await clustered(
      h,
      `CREATE TABLE presence_beats (
      org_id text NOT NULL, companion_id text NOT NULL, client_id text NOT NULL, at bigint NOT NULL,
      beat text NOT NULL, received_at bigint NOT NULL, PRIMARY KEY (org_id, companion_id, client_id))`,
    )
  },
  down: (h) => dropTables(h, 'presence_beats', 'companions'),
}
