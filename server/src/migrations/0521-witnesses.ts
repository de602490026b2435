import type { Knex } from 'knex'
import type { Migration } from '../platform/db/migrate.ts'
import { dropTables } from './tables.ts'

const witnessesTable = (t: Knex.CreateTableBuilder): void => {
  t.text('org_id').notNullable()
  t.integer('mail').notNullable()
  t.integer('webhook').notNullable()
  t.text('witness_url')
  t.text('witness_key')
  t.bigInteger('mailed_rows').notNullable().defaultTo(0)
  t.bigInteger('mailed_at').notNullable().defaultTo(0)
  t.bigInteger('published_rows').notNullable().defaultTo(0)
  t.bigInteger('published_at').notNullable().defaultTo(0)
  t.bigInteger('asked_at').notNullable().defaultTo(0)
  t.bigInteger('cosigned_rows').notNullable().defaultTo(0)
  t.bigInteger('cosigned_at').notNullable().defaultTo(0)
  t.text('cosigned')
  t.text('problem')
  t.primary(['org_id'])
  t.foreign(['org_id'], 'audit_witnesses_org_id_fkey').references(['org_id']).inTable('orgs')
}

/** Where an organisation's checkpoints leave the house, and how far they did. */
export const witnesses: Migration = {
  name: '0521-witnesses',
  up: (h) => h.createTable('audit_witnesses', witnessesTable),
  down: (h) => dropTables(h, 'audit_witnesses'),
}
