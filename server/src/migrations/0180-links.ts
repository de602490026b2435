import type { Migration } from '../platform/db/migrate.ts'
import { dropTables } from './tables.ts'

/** Links that people get by e-mail, each for one thing; an ended one is kept, so that it can be said why it ended. */
export const links: Migration = {
  name: '0180-links',
  async up(h) {
    await h.sql(`CREATE TABLE links (
      org_id text NOT NULL, link_id text NOT NULL, environment text NOT NULL, session_id text NOT NULL,
      kind text NOT NULL, subject_id text NOT NULL, origin text, token_hash text NOT NULL UNIQUE,
      created_at bigint NOT NULL, expires_at bigint NOT NULL, ended_at bigint, end_reason text,
      PRIMARY KEY (org_id, link_id), FOREIGN KEY (org_id, session_id) REFERENCES sessions (org_id, session_id))`)
    await h.sql('CREATE INDEX links_subject ON links (org_id, subject_id, kind)')
  },
  down: (h) => dropTables(h, 'links'),
}
