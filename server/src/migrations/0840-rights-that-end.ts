import type { Migration } from '../platform/db/migrate.ts'
import { dropTables } from './tables.ts'

const up = [
  // Who issued a token before had every permission, since only owners held this one.
  'ALTER TABLE scim_tokens ADD COLUMN reaches_owners integer NOT NULL DEFAULT 1',
  // Who mailed it last, and so gives the role: it ends with what they may give.
  'ALTER TABLE invites ADD COLUMN given_by text',
  // When the TXT record was looked for last, and since when it is missing.
  'ALTER TABLE sso_verified_domains ADD COLUMN checked_at bigint',
  'ALTER TABLE sso_verified_domains ADD COLUMN missing_since bigint',
  // The identity provider of a sign-in that waits for its second step.
  'ALTER TABLE second_steps ADD COLUMN provider text',
  // Accounts that agreed that an organisation's identity provider opens them in other organisations, too.
  `CREATE TABLE vouching_agreements (
     org_id text NOT NULL CONSTRAINT vouching_agreements_org_id_fkey REFERENCES orgs (org_id),
     user_id text NOT NULL CONSTRAINT vouching_agreements_user_id_fkey REFERENCES users (user_id),
     agreed_at bigint NOT NULL,
     PRIMARY KEY (org_id, user_id))`,
  `CREATE TABLE vouching_links (
     org_id text NOT NULL CONSTRAINT vouching_links_org_id_fkey REFERENCES orgs (org_id),
     link_id text NOT NULL,
     user_id text NOT NULL CONSTRAINT vouching_links_user_id_fkey REFERENCES users (user_id),
     token_hash text NOT NULL,
     created_at bigint NOT NULL,
     expires_at bigint NOT NULL,
     used_at bigint,
     PRIMARY KEY (org_id, link_id))`,
  'CREATE UNIQUE INDEX vouching_links_token_hash_key ON vouching_links (token_hash)',
  'CREATE INDEX vouching_links_user ON vouching_links (user_id, created_at)',
  'CREATE INDEX vouching_links_expiry ON vouching_links (expires_at)',
]

/** What ends a right that was proved or given once. */
export const rightsThatEnd: Migration = {
  name: '0840-rights-that-end',
  async up(h) {
    for (const sql of up) await h.sql(sql)
  },
  async down(h) {
    await dropTables(h, 'vouching_links', 'vouching_agreements')
    await h.sql('ALTER TABLE second_steps DROP COLUMN provider')
    await h.sql('ALTER TABLE invites DROP COLUMN given_by')
    await h.sql('ALTER TABLE sso_verified_domains DROP COLUMN missing_since')
    await h.sql('ALTER TABLE sso_verified_domains DROP COLUMN checked_at')
    await h.sql('ALTER TABLE scim_tokens DROP COLUMN reaches_owners')
  },
}
