import type { Migration } from '../platform/db/migrate.ts'

/** Keys with which Greenhouse asks for assessments, and what it is told of each. */
export const assessments: Migration = {
  name: '0932-assessments',
  async up(h) {
    await h.sql('ALTER TABLE ats_connections ADD COLUMN key_hash text')
    await h.sql('CREATE INDEX ats_connections_key ON ats_connections (key_hash) WHERE key_hash IS NOT NULL')
    await h.sql('ALTER TABLE ats_sessions ADD COLUMN test_id text')
    await h.sql('ALTER TABLE ats_sessions ADD COLUMN wrapped_url text')
  },
  async down(h) {
    await h.sql('ALTER TABLE ats_sessions DROP COLUMN wrapped_url')
    await h.sql('ALTER TABLE ats_sessions DROP COLUMN test_id')
    await h.sql('DROP INDEX ats_connections_key')
    await h.sql('ALTER TABLE ats_connections DROP COLUMN key_hash')
  },
}
