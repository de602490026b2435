import type { Knex } from 'knex'
import type { Migration } from '../platform/db/migrate.ts'
import { dropTables } from './tables.ts'

const tokens = (t: Knex.CreateTableBuilder): void => {
  t.text('org_id').notNullable()
  t.text('token_id').notNullable()
  t.text('token_hash').notNullable()
  t.bigInteger('created_at').notNullable()
  t.primary(['org_id'])
  t.unique(['token_hash'], { indexName: 'scim_tokens_hash' })
  t.foreign(['org_id'], 'scim_tokens_org_id_fkey').references(['org_id']).inTable('orgs')
}

/** What is looked for is kept beside the whole, in lower case. */
const users = (t: Knex.CreateTableBuilder): void => {
  t.text('org_id').notNullable()
  t.text('membership_id').notNullable()
  t.text('user_name_lower').notNullable()
  t.text('external_id')
  t.text('display_lower')
  t.text('given_lower')
  t.text('family_lower')
  t.text('emails_lower').notNullable()
  t.text('attributes').notNullable()
  t.bigInteger('updated_at').notNullable()
  t.bigInteger('removed_at')
  t.primary(['org_id', 'membership_id'])
  t.index(['org_id', 'external_id'], 'scim_users_external')
  t.unique(['org_id', 'user_name_lower'], { indexName: 'scim_users_user_name' })
}

const groups = (t: Knex.CreateTableBuilder): void => {
  t.text('org_id').notNullable()
  t.text('group_id').notNullable()
  t.text('display_name').notNullable()
  t.text('display_lower').notNullable()
  t.text('external_id')
  t.bigInteger('created_at').notNullable()
  t.bigInteger('updated_at').notNullable()
  t.primary(['org_id', 'group_id'])
  t.index(['org_id', 'external_id'], 'scim_groups_external')
  t.unique(['org_id', 'display_lower'], { indexName: 'scim_groups_display' })
}

const groupMembers = (t: Knex.CreateTableBuilder): void => {
  t.text('org_id').notNullable()
  t.text('group_id').notNullable()
  t.text('membership_id').notNullable()
  t.primary(['org_id', 'group_id', 'membership_id'])
  t.index(['org_id', 'membership_id'], 'scim_group_members_of')
}

/** What identity providers say of members and groups, and the token they say it with. */
export const scim: Migration = {
  name: '0410-scim',
  async up(h) {
    await h.createTable('scim_tokens', tokens, { clustered: true })
    await h.createTable('scim_users', users, { clustered: true })
    await h.sql('CREATE INDEX scim_users_removed ON scim_users (org_id, membership_id) WHERE removed_at IS NOT NULL')
    await h.createTable('scim_groups', groups, { clustered: true })
    await h.createTable('scim_group_members', groupMembers, { clustered: true })
  },
  async down(h) {
    await dropTables(h, 'scim_group_members', 'scim_groups', 'scim_users', 'scim_tokens')
  },
}
