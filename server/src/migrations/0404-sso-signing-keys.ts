import type { Knex } from 'knex'
import type { Migration } from '../platform/db/migrate.ts'
import { dropTables } from './tables.ts'

const signingKeys = (t: Knex.CreateTableBuilder): void => {
  t.text('org_id').notNullable()
  t.text('wrapped_key').notNullable()
  t.text('certificate').notNullable()
  t.primary(['org_id'])
  t.foreign(['org_id'], 'sso_signing_keys_org_id_fkey').references(['org_id']).inTable('orgs')
}

/** What an organisation's requests to its identity provider are signed with. */
export const ssoSigningKeys: Migration = {
  name: '0404-sso-signing-keys',
  up: (h) => h.createTable('sso_signing_keys', signingKeys),
  down: (h) => dropTables(h, 'sso_signing_keys'),
}
