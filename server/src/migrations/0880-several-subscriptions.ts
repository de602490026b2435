import type { Migration } from '../platform/db/migrate.ts'
import { dropTables } from './tables.ts'

const tables = [
  `CREATE TABLE payment_subscriptions (
    provider text NOT NULL, subscription_id text NOT NULL, org_id text NOT NULL,
    customer_id text, item_id text, plan text NOT NULL, billing_interval text NOT NULL, status text NOT NULL,
    seats integer NOT NULL, period_start bigint, period_end bigint, cancel_at_period_end integer NOT NULL,
    cancel_at bigint, overdue_since bigint, unpaid_since bigint, version integer NOT NULL, read_at bigint NOT NULL,
    PRIMARY KEY (org_id, provider, subscription_id),
    CONSTRAINT payment_subscriptions_org_id_fkey FOREIGN KEY (org_id) REFERENCES orgs (org_id))`,
  `CREATE TABLE plan_spans (
    org_id text NOT NULL, provider text NOT NULL, subscription_id text NOT NULL, from_at bigint NOT NULL,
    until_at bigint, plan text NOT NULL, seats integer NOT NULL, customer_id text, retention_days integer,
    end_noted integer NOT NULL,
    PRIMARY KEY (org_id, provider, subscription_id, from_at),
    CONSTRAINT plan_spans_org_id_fkey FOREIGN KEY (org_id) REFERENCES orgs (org_id))`,
  `CREATE TABLE payment_pages (
    provider text NOT NULL, checkout_id text NOT NULL, org_id text NOT NULL, plan text NOT NULL,
    billing_interval text NOT NULL, seats integer NOT NULL, url text NOT NULL, opened_at bigint NOT NULL,
    expires_at bigint NOT NULL,
    PRIMARY KEY (org_id, provider, checkout_id),
    CONSTRAINT payment_pages_org_id_fkey FOREIGN KEY (org_id) REFERENCES orgs (org_id))`,
  `CREATE TABLE payment_wishes (
    org_id text NOT NULL, wanted text NOT NULL, wish_key text NOT NULL, params text NOT NULL, made_at bigint NOT NULL,
    PRIMARY KEY (org_id, wanted),
    CONSTRAINT payment_wishes_org_id_fkey FOREIGN KEY (org_id) REFERENCES orgs (org_id))`,
  `CREATE TABLE payment_countries (
    org_id text NOT NULL PRIMARY KEY, country text NOT NULL,
    CONSTRAINT payment_countries_org_id_fkey FOREIGN KEY (org_id) REFERENCES orgs (org_id))`,
]
const indexes = [
  'CREATE UNIQUE INDEX payment_subscriptions_theirs ON payment_subscriptions (provider, subscription_id)',
  'CREATE INDEX plan_spans_ended ON plan_spans (until_at) WHERE end_noted = 0',
]
const metered: Readonly<Record<string, string>> = {
  plan: 'text',
  provider: 'text',
  subscription_id: 'text',
  customer_id: 'text',
  stamp: 'bigint',
  claimed_until: 'bigint',
  problem: 'text',
}
/** A plan without a subscription was agreed upon with people; `free` is what everybody has. */
const copies = [
  `INSERT INTO payment_subscriptions (provider, subscription_id, org_id, customer_id, item_id, plan, billing_interval, status,
     seats, period_start, period_end, cancel_at_period_end, cancel_at, overdue_since, unpaid_since, version, read_at)
   SELECT provider, subscription_id, org_id, customer_id, item_id, plan, billing_interval, status, seats, period_start,
     period_end, cancel_at_period_end, CASE WHEN cancel_at_period_end = 1 THEN period_end END,
     CASE WHEN status = 'past_due' THEN read_at END, NULL, 1, read_at FROM billing_subscriptions`,
  `INSERT INTO plan_spans (org_id, provider, subscription_id, from_at, until_at, plan, seats, customer_id, end_noted)
   SELECT org_id, provider, subscription_id, COALESCE(period_start, read_at),
     CASE WHEN status = 'cancelled' THEN read_at END, plan, seats, customer_id,
     CASE WHEN status = 'cancelled' THEN 1 ELSE 0 END
   FROM billing_subscriptions WHERE status IN ('active', 'past_due', 'cancelled')`,
  `INSERT INTO plan_spans (org_id, provider, subscription_id, from_at, plan, seats, end_noted)
   SELECT org_id, 'agreed', 'agreed', 0, plan, 0, 0 FROM org_plans
   WHERE plan <> 'free' AND NOT EXISTS (SELECT 1 FROM billing_subscriptions b WHERE b.org_id = org_plans.org_id)`,
  `UPDATE billing_metering SET plan = 'business', stamp = begun_at,
     provider = (SELECT b.provider FROM billing_subscriptions b WHERE b.org_id = billing_metering.org_id),
     subscription_id = (SELECT b.subscription_id FROM billing_subscriptions b WHERE b.org_id = billing_metering.org_id),
     customer_id = (SELECT b.customer_id FROM billing_subscriptions b WHERE b.org_id = billing_metering.org_id)
   WHERE pushed_at IS NULL`,
  `INSERT INTO payment_pages (provider, checkout_id, org_id, plan, billing_interval, seats, url, opened_at, expires_at)
   SELECT provider, checkout_id, org_id, plan, billing_interval, seats, url, 0, expires_at FROM billing_checkouts`,
]

/**
 * An organisation may have several subscriptions, pages and, over time, plans. What is in force follows from the spans;
 * `org_plans`, `billing_subscriptions`, `billing_checkouts` and `retention_rules.ceiling_days` are read no longer.
 */
export const severalSubscriptions: Migration = {
  name: '0880-several-subscriptions',
  async up(h) {
    for (const sql of [...tables, ...indexes]) await h.sql(sql)
    for (const [name, type] of Object.entries(metered))
      await h.sql(`ALTER TABLE billing_metering ADD COLUMN ${name} ${type}`)
    for (const sql of copies) await h.sql(sql)
  },
  async down(h) {
    for (const name of Object.keys(metered)) await h.sql(`ALTER TABLE billing_metering DROP COLUMN ${name}`)
    await dropTables(h, 'payment_countries', 'payment_wishes', 'payment_pages', 'plan_spans', 'payment_subscriptions')
  },
}
