import type { Knex } from 'knex'
import type { Migration } from '../platform/db/migrate.ts'
import { dropTables } from './tables.ts'

const ofOrg = (t: Knex.CreateTableBuilder, name: string): void => {
  t.text('org_id').notNullable()
  t.foreign(['org_id'], `${name}_org_id_fkey`).references(['org_id']).inTable('orgs')
}

const plansTable = (t: Knex.CreateTableBuilder): void => {
  ofOrg(t, 'org_plans')
  t.text('plan').notNullable()
  t.primary(['org_id'])
}

const subscriptionsTable = (t: Knex.CreateTableBuilder): void => {
  ofOrg(t, 'billing_subscriptions')
  for (const name of ['provider', 'subscription_id', 'plan', 'billing_interval', 'status']) t.text(name).notNullable()
  for (const name of ['customer_id', 'item_id']) t.text(name)
  t.integer('seats').notNullable()
  for (const name of ['period_start', 'period_end']) t.bigInteger(name)
  t.integer('cancel_at_period_end').notNullable()
  t.bigInteger('read_at').notNullable()
  t.primary(['org_id'])
}

const checkoutsTable = (t: Knex.CreateTableBuilder): void => {
  ofOrg(t, 'billing_checkouts')
  for (const name of ['checkout_id', 'provider', 'plan', 'billing_interval', 'url']) t.text(name).notNullable()
  t.integer('seats').notNullable()
  t.bigInteger('expires_at').notNullable()
  t.primary(['org_id'])
}

const eventsTable = (t: Knex.CreateTableBuilder): void => {
  t.text('provider').notNullable()
  t.text('event_id').notNullable()
  t.bigInteger('received_at').notNullable()
  t.primary(['provider', 'event_id'])
}

const chargesTable = (t: Knex.CreateTableBuilder): void => {
  ofOrg(t, 'billing_charges')
  for (const name of ['charge_id', 'provider', 'status', 'currency']) t.text(name).notNullable()
  for (const name of ['amount', 'charged_at']) t.bigInteger(name).notNullable()
  for (const name of ['period_start', 'period_end']) t.bigInteger(name)
  t.text('url')
  t.primary(['org_id', 'charge_id'])
  t.index(['org_id', 'charged_at', 'charge_id'], 'billing_charges_listed')
}

const meteringTable = (t: Knex.CreateTableBuilder): void => {
  ofOrg(t, 'billing_metering')
  t.text('period').notNullable()
  t.bigInteger('quantity').notNullable()
  t.bigInteger('begun_at').notNullable()
  t.bigInteger('pushed_at')
  t.primary(['org_id', 'period'])
}

const tables = {
  org_plans: plansTable,
  billing_subscriptions: subscriptionsTable,
  billing_checkouts: checkoutsTable,
  billing_events: eventsTable,
  billing_charges: chargesTable,
  billing_metering: meteringTable,
}

/** Plans, and what payment providers have said. */
export const billing: Migration = {
  name: '0440-billing',
  async up(h) {
    for (const [name, build] of Object.entries(tables)) await h.createTable(name, build)
    await h.sql('CREATE UNIQUE INDEX billing_subscriptions_theirs ON billing_subscriptions (provider, subscription_id)')
    await h.sql('CREATE INDEX billing_events_received ON billing_events (received_at)')
  },
  down: (h) => dropTables(h, ...Object.keys(tables).reverse()),
}
