import type { Migration } from '../platform/db/migrate.ts'
import { clustered, dropTables } from './tables.ts'

/** Webhook endpoints, their subscriptions, and deliveries: the delivery log is the queue. */
export const webhooks: Migration = {
  name: '0080-webhooks',
  async up(h) {
    await h.sql(`CREATE TABLE webhook_endpoints (
      org_id text NOT NULL REFERENCES orgs (org_id), endpoint_id text NOT NULL, environment text NOT NULL,
      url text NOT NULL, event_types text NOT NULL, description text, status text NOT NULL, disabled_reason text,
      consecutive_failures integer NOT NULL DEFAULT 0, wrapped_secret text NOT NULL, delivery_count bigint NOT NULL DEFAULT 0,
      created_at bigint NOT NULL, updated_at bigint NOT NULL, deleted_at bigint, PRIMARY KEY (org_id, endpoint_id))`)
    await h.sql('CREATE INDEX webhook_endpoints_environment ON webhook_endpoints (org_id, environment, created_at)')
    await clustered(
      h,
      `CREATE TABLE webhook_subscriptions (
      org_id text NOT NULL, environment text NOT NULL, event_type text NOT NULL, endpoint_id text NOT NULL,
      PRIMARY KEY (org_id, environment, event_type, endpoint_id))`,
    )
    await h.sql(`CREATE TABLE webhook_deliveries (
      org_id text NOT NULL, delivery_id text NOT NULL, environment text NOT NULL, endpoint_id text NOT NULL,
      position bigint NOT NULL, event_id text NOT NULL, event_seq bigint NOT NULL, event_type text NOT NULL,
      status text NOT NULL, attempt_count integer NOT NULL DEFAULT 0, next_attempt_at bigint, lease_until bigint,
      lease_owner text, replay_of text, created_at bigint NOT NULL, finished_at bigint,
      PRIMARY KEY (org_id, delivery_id),
      FOREIGN KEY (org_id, endpoint_id) REFERENCES webhook_endpoints (org_id, endpoint_id))`)
    await h.sql('CREATE UNIQUE INDEX webhook_deliveries_position ON webhook_deliveries (org_id, endpoint_id, position)')
    // The queue: only rows still to be sent have a next attempt.
    await h.sql(
      'CREATE INDEX webhook_deliveries_due ON webhook_deliveries (next_attempt_at, endpoint_id) WHERE next_attempt_at IS NOT NULL',
    )
    await clustered(
      h,
      `CREATE TABLE webhook_attempts (
      org_id text NOT NULL, delivery_id text NOT NULL, attempt integer NOT NULL, at bigint NOT NULL,
      duration_ms bigint NOT NULL, outcome text NOT NULL, status_code integer, response_excerpt text,
      PRIMARY KEY (org_id, delivery_id, attempt))`,
    )
  },
  down: (h) => dropTables(h, 'webhook_attempts', 'webhook_deliveries', 'webhook_subscriptions', 'webhook_endpoints'),
}
