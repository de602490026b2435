import type { Migration } from '../platform/db/migrate.ts'
import { dropTables } from './tables.ts'

/**
 * One row for each session that anybody asked a film of. The film that is there (`header` is the key to its bytes) and
 * the render that is wanted (`render_id`) live side by side: a new film replaces the old one only when it is done.
 */
export const compositions: Migration = {
  name: '0120-compositions',
  async up(h) {
    await h.sql(`CREATE TABLE compositions (
      org_id text NOT NULL, composition_id text NOT NULL, environment text NOT NULL, session_id text NOT NULL,
      status text NOT NULL, render_id text, wanted_inputs text, pending_key text,
      progress_permille integer NOT NULL DEFAULT 0, requested_at bigint NOT NULL, started_at bigint, failure text,
      finished_at bigint, expires_at bigint, film_inputs text, input_count integer, inputs_sha256 text, inputs text,
      duration_ms bigint, width integer, height integer, size_bytes bigint, sha256 text, store_key text, header text,
      command text, ffmpeg_version text, PRIMARY KEY (org_id, composition_id),
      FOREIGN KEY (org_id, session_id) REFERENCES sessions (org_id, session_id))`)
    await h.sql('CREATE UNIQUE INDEX compositions_session ON compositions (org_id, session_id)')
    await h.sql('CREATE INDEX compositions_expiry ON compositions (expires_at) WHERE header IS NOT NULL')
  },
  down: (h) => dropTables(h, 'compositions'),
}
