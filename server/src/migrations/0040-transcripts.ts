import type { Migration } from '../platform/db/migrate.ts'
import { clustered, dropTables } from './tables.ts'

/** Transcript segments; `change_seq` is the session's own counter, so that a poll can ask for what changed. */
export const transcripts: Migration = {
  name: '0040-transcripts',
  async up(h) {
    await clustered(
      h,
      `CREATE TABLE transcript_segments (
      org_id text NOT NULL, session_id text NOT NULL, client_segment_id text NOT NULL, segment_id text NOT NULL,
      change_seq bigint NOT NULL, sequence integer NOT NULL, speaker text NOT NULL, start_ms bigint NOT NULL,
      end_ms bigint NOT NULL, text text NOT NULL, language text, final integer NOT NULL,
      confidence double precision, updated_at bigint NOT NULL, PRIMARY KEY (org_id, session_id, client_segment_id))`,
    )
    await h.sql('CREATE INDEX transcript_order ON transcript_segments (org_id, session_id, start_ms, sequence)')
    await h.sql('CREATE INDEX transcript_changes ON transcript_segments (org_id, session_id, change_seq)')
  },
  down: (h) => dropTables(h, 'transcript_segments'),
}
