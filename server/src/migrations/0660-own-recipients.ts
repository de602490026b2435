import type { Knex } from 'knex'
import type { Migration } from '../platform/db/migrate.ts'
import { dropTables } from './tables.ts'

const recipientsTable = (t: Knex.CreateTableBuilder): void => {
  t.text('org_id').notNullable()
  t.text('recipient_id').notNullable()
  t.text('recipient').notNullable()
  t.text('label').notNullable()
  t.bigInteger('added_at').notNullable()
  t.bigInteger('removed_at')
  t.primary(['org_id', 'recipient_id'])
  t.foreign(['org_id'], 'org_recipients_org_id_fkey').references(['org_id']).inTable('orgs')
}

/** Age recipients of an organisation's own, to which its new objects are sealed too. */
export const ownRecipients: Migration = {
  name: '0660-own-recipients',
  up: (h) => h.createTable('org_recipients', recipientsTable, { clustered: true }),
  down: (h) => dropTables(h, 'org_recipients'),
}
