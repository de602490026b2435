import type { Knex } from 'knex'
import type { Migration } from '../platform/db/migrate.ts'
import { dropTables } from './tables.ts'

const invitesTable = (t: Knex.CreateTableBuilder): void => {
  t.text('org_id').notNullable()
  t.text('invite_id').notNullable()
  t.text('email').notNullable()
  t.text('role').notNullable()
  t.text('custom_role_id')
  t.text('message')
  t.text('locale').notNullable()
  t.text('invited_by').notNullable()
  t.text('state').notNullable()
  t.bigInteger('created_at').notNullable()
  t.bigInteger('expires_at').notNullable()
  t.bigInteger('sent_at')
  t.bigInteger('refused_at')
  t.bigInteger('ended_at')
  t.text('membership_id')
  t.primary(['org_id', 'invite_id'])
  t.foreign(['org_id'], 'invites_org_id_fkey').references(['org_id']).inTable('orgs')
  t.index(['org_id', 'state', 'created_at', 'invite_id'], 'invites_list')
}

const linksTable = (t: Knex.CreateTableBuilder): void => {
  t.text('org_id').notNullable()
  t.text('link_id').notNullable()
  t.text('invite_id').notNullable()
  t.text('token_hash').notNullable()
  t.bigInteger('created_at').notNullable()
  t.bigInteger('replaced_at')
  t.primary(['org_id', 'link_id'])
  t.unique(['token_hash'], { indexName: 'invite_links_token_hash_key' })
  t.foreign(['org_id', 'invite_id'], 'invite_links_org_id_invite_id_fkey')
    .references(['org_id', 'invite_id'])
    .inTable('invites')
}

const countsTable = (t: Knex.CreateTableBuilder): void => {
  t.text('org_id').notNullable()
  t.text('state').notNullable()
  t.bigInteger('n').notNullable()
  t.primary(['org_id', 'state'])
}

/** Invites to become a member, the links that were mailed for them, and what their list costs. */
export const invites: Migration = {
  name: '0321-invites',
  async up(h) {
    await h.createTable('invites', invitesTable)
    await h.sql("CREATE UNIQUE INDEX invites_open ON invites (org_id, email) WHERE state = 'open'")
    await h.createTable('invite_links', linksTable)
    // No two links of one invite work at the same time.
    await h.sql(
      'CREATE UNIQUE INDEX invite_links_working ON invite_links (org_id, invite_id) WHERE replaced_at IS NULL',
    )
    await h.createTable('invite_counts', countsTable, { clustered: true })
  },
  down: (h) => dropTables(h, 'invite_counts', 'invite_links', 'invites'),
}
