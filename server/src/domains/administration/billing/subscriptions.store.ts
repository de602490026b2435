import type { PaymentProvider } from '@integrity/protocol'
import type { Reader, Tx } from '../../../platform/db/types.ts'
import type { SubscriptionRow } from '../../../platform/payments/types.ts'

/** What is paid is of both environments: the organisation's id is the whole scope. */
const columns = `org_id AS "orgId", provider, subscription_id AS "subscriptionId", customer_id AS "customerId",
  item_id AS "itemId", plan, billing_interval AS "interval", status, seats, period_start AS "periodStart",
  period_end AS "periodEnd", cancel_at_period_end AS "cancelAtPeriodEnd", cancel_at AS "cancelAt",
  overdue_since AS "overdueSince", unpaid_since AS "unpaidSince", version`

type Stored = Omit<SubscriptionRow, 'cancelAtPeriodEnd'> & { readonly cancelAtPeriodEnd: 0 | 1 }
const rowOf = (row: Stored): SubscriptionRow => ({ ...row, cancelAtPeriodEnd: row.cancelAtPeriodEnd === 1 })

/** All that an organisation has or had, the newest answer first. */
export const listSubscriptions = async (reader: Reader, orgId: string): Promise<SubscriptionRow[]> => {
  const sql = `SELECT ${columns} FROM payment_subscriptions WHERE org_id = ? ORDER BY read_at DESC, provider, subscription_id`
  return (await reader.all<Stored>(sql, [orgId])).map(rowOf)
}

/** Across organisations: the id is the provider's, and says by itself whose subscription it is. */
export const findSubscriptionAcrossOrgs = async (
  reader: Reader,
  provider: PaymentProvider,
  subscriptionId: string,
): Promise<SubscriptionRow | undefined> => {
  const sql = `SELECT ${columns} FROM payment_subscriptions WHERE provider = ? AND subscription_id = ?`
  const row = await reader.get<Stored>(sql, [provider, subscriptionId])
  return row && rowOf(row)
}

export interface Place {
  readonly orgId: string
  readonly provider: string
  readonly subscriptionId: string
}

/** Across organisations: those that run, or whose last period ended after `endedAfter`, a page behind one of them. */
export const listSubscriptionsOfAllOrgs = async (
  reader: Reader,
  { after, endedAfter, limit }: { readonly after: Place; readonly endedAfter: number; readonly limit: number },
): Promise<SubscriptionRow[]> => {
  const sql = `SELECT ${columns} FROM payment_subscriptions
    WHERE (org_id, provider, subscription_id) > (?, ?, ?) AND (status <> 'cancelled' OR period_end > ?)
    ORDER BY org_id, provider, subscription_id LIMIT ?`
  const { orgId, provider, subscriptionId } = after
  return (await reader.all<Stored>(sql, [orgId, provider, subscriptionId, endedAfter, limit])).map(rowOf)
}

const valuesOf = (row: SubscriptionRow, now: number) => [
  ...[row.customerId, row.itemId, row.plan, row.interval, row.status, row.seats, row.periodStart, row.periodEnd],
  ...[row.cancelAtPeriodEnd ? 1 : 0, row.cancelAt, row.overdueSince, row.unpaidSince, row.version, now],
]

/** @returns false where somebody else has kept a newer answer since `row` was read, as its version says */
export const saveSubscription = async (tx: Tx, row: SubscriptionRow, now: number): Promise<boolean> => {
  const { orgId, provider, subscriptionId, version } = row
  if (version === 1) {
    const sql = `INSERT INTO payment_subscriptions (customer_id, item_id, plan, billing_interval, status, seats, period_start,
       period_end, cancel_at_period_end, cancel_at, overdue_since, unpaid_since, version, read_at, org_id, provider, subscription_id)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (provider, subscription_id) DO NOTHING`
    return (await tx.run(sql, [...valuesOf(row, now), orgId, provider, subscriptionId])).changes > 0
  }
  const sql = `UPDATE payment_subscriptions SET customer_id = ?, item_id = ?, plan = ?, billing_interval = ?, status = ?,
     seats = ?, period_start = ?, period_end = ?, cancel_at_period_end = ?, cancel_at = ?, overdue_since = ?,
     unpaid_since = ?, version = ?, read_at = ?
   WHERE org_id = ? AND provider = ? AND subscription_id = ? AND version = ?`
  return (await tx.run(sql, [...valuesOf(row, now), orgId, provider, subscriptionId, version - 1])).changes > 0
}
