import type { Knex } from 'knex'
import type { Migration } from '../platform/db/migrate.ts'
import { dropTables } from './tables.ts'

const linksTable = (t: Knex.CreateTableBuilder): void => {
  t.text('link_id').notNullable()
  t.text('user_id').notNullable()
  t.text('token_hash').notNullable()
  t.text('purpose').notNullable()
  t.text('locale').notNullable()
  t.bigInteger('created_at').notNullable()
  t.bigInteger('expires_at').notNullable()
  t.bigInteger('used_at')
  t.bigInteger('ended_at')
  t.primary(['link_id'])
  t.unique(['token_hash'], { indexName: 'password_links_token_hash_key' })
  t.foreign(['user_id'], 'password_links_user_id_fkey').references(['user_id']).inTable('users')
  t.index(['user_id', 'created_at'], 'password_links_user')
  t.index(['expires_at'], 'password_links_expiry')
}

/** Links by which people set a password. */
export const passwordLinks: Migration = {
  name: '0310-password-links',
  up: (h) => h.createTable('password_links', linksTable),
  down: (h) => dropTables(h, 'password_links'),
}
