import type { Knex } from 'knex'
import type { Migration } from '../platform/db/migrate.ts'
import { dropTables } from './tables.ts'

const webhookSubscriptionsTable = (t: Knex.CreateTableBuilder): void => {
  t.text('org_id').notNullable()
  t.text('environment').notNullable()
  t.text('event_type').notNullable()
  t.text('endpoint_id').notNullable()
  t.primary(['org_id', 'environment', 'event_type', 'endpoint_id'])
}

const webhookAttemptsTable = (t: Knex.CreateTableBuilder): void => {
  t.text('org_id').notNullable()
  t.text('delivery_id').notNullable()
  t.integer('attempt').notNullable()
  t.bigInteger('at').notNullable()
  t.bigInteger('duration_ms').notNullable()
  t.text('outcome').notNullable()
  t.integer('status_code')
  t.text('response_excerpt')
  t.primary(['org_id', 'delivery_id', 'attempt'])
}

const webhookEndpointsTable = (t: Knex.CreateTableBuilder): void => {
  t.text('org_id').notNullable()
  t.text('endpoint_id').notNullable()
  t.text('environment').notNullable()
  t.text('url').notNullable()
  t.text('event_types').notNullable()
  t.text('description')
  t.text('status').notNullable()
  t.text('disabled_reason')
  t.integer('consecutive_failures').notNullable().defaultTo(0)
  t.text('wrapped_secret').notNullable()
  t.bigInteger('delivery_count').notNullable().defaultTo(0)
  t.bigInteger('created_at').notNullable()
  t.bigInteger('updated_at').notNullable()
  t.bigInteger('deleted_at')
  t.foreign(['org_id'], 'webhook_endpoints_org_id_fkey').references(['org_id']).inTable('orgs')
  t.primary(['org_id', 'endpoint_id'])
  t.index(['org_id', 'environment', 'created_at'], 'webhook_endpoints_environment')
}

const webhookDeliveriesTable = (t: Knex.CreateTableBuilder): void => {
  t.text('org_id').notNullable()
  t.text('delivery_id').notNullable()
  t.text('environment').notNullable()
  t.text('endpoint_id').notNullable()
  t.bigInteger('position').notNullable()
  t.text('event_id').notNullable()
  t.bigInteger('event_seq').notNullable()
  t.text('event_type').notNullable()
  t.text('status').notNullable()
  t.integer('attempt_count').notNullable().defaultTo(0)
  t.bigInteger('next_attempt_at')
  t.bigInteger('lease_until')
  t.text('lease_owner')
  t.text('replay_of')
  t.bigInteger('created_at').notNullable()
  t.bigInteger('finished_at')
  t.primary(['org_id', 'delivery_id'])
  t.foreign(['org_id', 'endpoint_id'], 'webhook_deliveries_org_id_endpoint_id_fkey')
    .references(['org_id', 'endpoint_id'])
    .inTable('webhook_endpoints')
  t.unique(['org_id', 'endpoint_id', 'position'], { indexName: 'webhook_deliveries_position', useConstraint: false })
}

/** Webhook endpoints, their subscriptions, and deliveries: the delivery log is the queue. */
export const webhooks: Migration = {
  name: '0080-webhooks',
  async up(h) {
    await h.createTable('webhook_endpoints', webhookEndpointsTable)
    await h.createTable('webhook_subscriptions', webhookSubscriptionsTable, { clustered: true })
    await h.createTable('webhook_deliveries', webhookDeliveriesTable)
    // The queue: only rows still to be sent have a next attempt.
    await h.sql(
      'CREATE INDEX webhook_deliveries_due ON webhook_deliveries (next_attempt_at, endpoint_id) WHERE next_attempt_at IS NOT NULL',
    )
    await h.createTable('webhook_attempts', webhookAttemptsTable, { clustered: true })
  },
  down: (h) => dropTables(h, 'webhook_attempts', 'webhook_deliveries', 'webhook_subscriptions', 'webhook_endpoints'),
}
