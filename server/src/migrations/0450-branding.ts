import type { Knex } from 'knex'
import type { Migration } from '../platform/db/migrate.ts'
import { dropTables } from './tables.ts'

const ofOrg = (t: Knex.CreateTableBuilder, name: string): void => {
  t.text('org_id').notNullable()
  t.primary(['org_id'])
  t.foreign(['org_id'], `${name}_org_id_fkey`).references(['org_id']).inTable('orgs')
}

const brandsTable = (t: Knex.CreateTableBuilder): void => {
  ofOrg(t, 'brands')
  t.text('config').notNullable()
  t.bigInteger('updated_at').notNullable()
}

/** A logo is small; it is read apart from what is said of it. */
const logosTable = (t: Knex.CreateTableBuilder): void => {
  ofOrg(t, 'brand_logos')
  t.text('sha256').notNullable()
  t.integer('width').notNullable()
  t.integer('height').notNullable()
  t.integer('size_bytes').notNullable()
  t.text('png_base64').notNullable()
}

/** How an organisation looks to candidates. */
export const branding: Migration = {
  name: '0450-branding',
  async up(h) {
    await h.createTable('brands', brandsTable)
    await h.createTable('brand_logos', logosTable)
  },
  down: (h) => dropTables(h, 'brand_logos', 'brands'),
}
