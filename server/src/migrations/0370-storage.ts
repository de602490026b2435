import type { Knex } from 'knex'
import type { Migration } from '../platform/db/migrate.ts'
import { dropTables } from './tables.ts'

const placesTable = (t: Knex.CreateTableBuilder): void => {
  t.text('org_id').notNullable()
  t.text('place_id').notNullable()
  t.text('provider').notNullable()
  t.text('settings').notNullable()
  t.text('wrapped_secrets')
  t.integer('in_use').notNullable()
  t.bigInteger('set_at').notNullable()
  t.bigInteger('replaced_at')
  t.bigInteger('validated_at')
  t.text('checks').notNullable()
  t.bigInteger('emptied_at')
  t.primary(['org_id', 'place_id'])
  t.foreign(['org_id'], 'storage_places_org_id_fkey').references(['org_id']).inTable('orgs')
}

const migrationsTable = (t: Knex.CreateTableBuilder): void => {
  t.text('org_id').notNullable()
  t.text('claim')
  t.bigInteger('claimed_until').notNullable().defaultTo(0)
  t.bigInteger('started_at')
  t.bigInteger('updated_at')
  t.bigInteger('completed_at')
  t.bigInteger('moved').notNullable().defaultTo(0)
  t.bigInteger('remaining').notNullable().defaultTo(0)
  t.text('failed').notNullable().defaultTo('[]')
  t.primary(['org_id'])
  t.foreign(['org_id'], 'storage_migrations_org_id_fkey').references(['org_id']).inTable('orgs')
}

const removalsTable = (t: Knex.CreateTableBuilder): void => {
  t.text('org_id').notNullable()
  t.text('store_key').notNullable()
  t.bigInteger('at').notNullable()
  t.primary(['org_id', 'store_key'])
  t.index(['at'], 'storage_removals_at')
}

/** Where organisations keep their objects, how far a migration is, and what was removed while objects were on their way. */
export const storage: Migration = {
  name: '0370-storage',
  async up(h) {
    await h.createTable('storage_places', placesTable, { clustered: true })
    await h.createTable('storage_migrations', migrationsTable, { clustered: true })
    await h.createTable('storage_removals', removalsTable, { clustered: true })
  },
  async down(h) {
    await dropTables(h, 'storage_removals', 'storage_migrations', 'storage_places')
  },
}
