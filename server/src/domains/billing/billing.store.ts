import type { PaymentProvider } from '@integrity/protocol'
import type { Stretch } from '../../kernel/paging.ts'
import type { Reader, Tx } from '../../platform/db/types.ts'
import type { ChargeRow, CheckoutRow, SubscriptionRow } from '../../platform/payments/types.ts'

/** What is paid is of both environments: the organisation's id is the whole scope. */
const subscriptionColumns = `org_id AS "orgId", provider, subscription_id AS "subscriptionId", customer_id AS "customerId",
  item_id AS "itemId", plan, billing_interval AS "interval", status, seats, period_start AS "periodStart",
  period_end AS "periodEnd", cancel_at_period_end AS "cancelAtPeriodEnd"`

type Stored = Omit<SubscriptionRow, 'cancelAtPeriodEnd'> & { readonly cancelAtPeriodEnd: 0 | 1 }
const rowOf = (row: Stored): SubscriptionRow => ({ ...row, cancelAtPeriodEnd: row.cancelAtPeriodEnd === 1 })

export const findSubscription = async (reader: Reader, orgId: string): Promise<SubscriptionRow | undefined> => {
  const sql = `SELECT ${subscriptionColumns} FROM billing_subscriptions WHERE org_id = ?`
  const row = await reader.get<Stored>(sql, [orgId])
  return row && rowOf(row)
}

/** Across organisations: whose subscription is this? */
export const findOrgOfSubscriptionAcrossOrgs = async (
  reader: Reader,
  provider: PaymentProvider,
  subscriptionId: string,
): Promise<string | undefined> => {
  const sql = 'SELECT org_id AS "orgId" FROM billing_subscriptions WHERE provider = ? AND subscription_id = ?'
  return (await reader.get<{ orgId: string }>(sql, [provider, subscriptionId]))?.orgId
}

/** Across organisations: those that pay, or have paid until after `endedAfter`, a page behind one organisation. */
export const listSubscriptionsOfAllOrgs = async (
  reader: Reader,
  { after, endedAfter, limit }: { readonly after: string; readonly endedAfter: number; readonly limit: number },
): Promise<SubscriptionRow[]> => {
  const sql = `SELECT ${subscriptionColumns} FROM billing_subscriptions
    WHERE org_id > ? AND (status <> 'cancelled' OR period_end > ?) ORDER BY org_id LIMIT ?`
  return (await reader.all<Stored>(sql, [after, endedAfter, limit])).map(rowOf)
}

export const saveSubscription = async (tx: Tx, row: SubscriptionRow, now: number): Promise<void> => {
  await tx.run(
    `INSERT INTO billing_subscriptions (org_id, provider, subscription_id, customer_id, item_id, plan, billing_interval,
       status, seats, period_start, period_end, cancel_at_period_end, read_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (org_id) DO UPDATE SET provider = excluded.provider, subscription_id = excluded.subscription_id,
       customer_id = excluded.customer_id, item_id = excluded.item_id, plan = excluded.plan,
       billing_interval = excluded.billing_interval, status = excluded.status, seats = excluded.seats,
       period_start = excluded.period_start, period_end = excluded.period_end,
       cancel_at_period_end = excluded.cancel_at_period_end, read_at = excluded.read_at`,
    [
      ...[row.orgId, row.provider, row.subscriptionId, row.customerId, row.itemId, row.plan, row.interval, row.status],
      ...[row.seats, row.periodStart, row.periodEnd, row.cancelAtPeriodEnd ? 1 : 0, now],
    ],
  )
}

const checkoutColumns = `checkout_id AS id, provider, plan, billing_interval AS "interval", seats, url, expires_at AS "expiresAt"`

export const findCheckout = (reader: Reader, orgId: string, now: number): Promise<CheckoutRow | undefined> =>
  reader.get<CheckoutRow>(`SELECT ${checkoutColumns} FROM billing_checkouts WHERE org_id = ? AND expires_at > ?`, [
    orgId,
    now,
  ])

/** Across organisations: hosted pages that were open after an instant, a page behind one organisation. */
export const listCheckoutsOfAllOrgs = (
  reader: Reader,
  { after, openAfter, limit }: { readonly after: string; readonly openAfter: number; readonly limit: number },
): Promise<(CheckoutRow & { readonly orgId: string })[]> =>
  reader.all(
    `SELECT org_id AS "orgId", ${checkoutColumns} FROM billing_checkouts
     WHERE org_id > ? AND expires_at > ? ORDER BY org_id LIMIT ?`,
    [after, openAfter, limit],
  )

export const saveCheckout = async (tx: Tx, orgId: string, row: CheckoutRow): Promise<void> => {
  await tx.run(
    `INSERT INTO billing_checkouts (org_id, checkout_id, provider, plan, billing_interval, seats, url, expires_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (org_id) DO UPDATE SET checkout_id = excluded.checkout_id, provider = excluded.provider,
       plan = excluded.plan, billing_interval = excluded.billing_interval, seats = excluded.seats, url = excluded.url,
       expires_at = excluded.expires_at`,
    [orgId, row.id, row.provider, row.plan, row.interval, row.seats, row.url, row.expiresAt],
  )
}

export const deleteCheckout = async (tx: Tx, orgId: string): Promise<void> => {
  await tx.run('DELETE FROM billing_checkouts WHERE org_id = ?', [orgId])
}

/** @returns false for one that came before */
export const insertProviderEvent = async (
  tx: Tx,
  event: { readonly provider: PaymentProvider; readonly eventId: string; readonly now: number },
): Promise<boolean> => {
  const sql = `INSERT INTO billing_events (provider, event_id, received_at) VALUES (?, ?, ?)
    ON CONFLICT (provider, event_id) DO NOTHING`
  return (await tx.run(sql, [event.provider, event.eventId, event.now])).changes > 0
}

/** Across organisations. */
export const deleteProviderEventsOfAllOrgs = async (tx: Tx, before: number, limit: number): Promise<number> => {
  const sql = `DELETE FROM billing_events WHERE (provider, event_id) IN
    (SELECT provider, event_id FROM billing_events WHERE received_at < ? ORDER BY received_at LIMIT ?)`
  return (await tx.run(sql, [before, limit])).changes
}

export const saveCharge = async (tx: Tx, orgId: string, row: ChargeRow): Promise<void> => {
  await tx.run(
    `INSERT INTO billing_charges (org_id, charge_id, provider, status, currency, amount, charged_at, period_start,
       period_end, url) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (org_id, charge_id) DO UPDATE SET status = excluded.status, amount = excluded.amount, url = excluded.url`,
    [
      ...[orgId, row.id, row.provider, row.status, row.currency, row.amount, row.chargedAt],
      ...[row.periodStart, row.periodEnd, row.url],
    ],
  )
}

export const pageOfCharges = (reader: Reader, orgId: string, { after, skip, take }: Stretch): Promise<ChargeRow[]> =>
  reader.all<ChargeRow>(
    `SELECT charge_id AS id, provider, status, currency, amount, charged_at AS "chargedAt",
       period_start AS "periodStart", period_end AS "periodEnd", url
     FROM billing_charges WHERE org_id = ? ${after ? 'AND (charged_at, charge_id) < (?, ?)' : ''}
     ORDER BY charged_at DESC, charge_id DESC LIMIT ? OFFSET ?`,
    [orgId, ...(after ?? []), take, skip],
  )

/** A dozen a year. */
export const countCharges = async (reader: Reader, orgId: string): Promise<number> =>
  (await reader.get<{ n: number }>('SELECT count(*) AS n FROM billing_charges WHERE org_id = ?', [orgId]))?.n ?? 0

export interface MeteringRow {
  readonly quantity: number
  readonly pushedAt: number | null
}

/** The count of a period as it was made first, and whether it was there already. */
export const beginMetering = async (
  tx: Tx,
  of: { readonly orgId: string; readonly period: string; readonly quantity: number; readonly now: number },
): Promise<MeteringRow & { readonly isNew: boolean }> => {
  const sql = `INSERT INTO billing_metering (org_id, period, quantity, begun_at) VALUES (?, ?, ?, ?)
    ON CONFLICT (org_id, period) DO NOTHING`
  const { changes } = await tx.run(sql, [of.orgId, of.period, of.quantity, of.now])
  const row = await tx.get<MeteringRow>(
    'SELECT quantity, pushed_at AS "pushedAt" FROM billing_metering WHERE org_id = ? AND period = ?',
    [of.orgId, of.period],
  )
  return { quantity: row?.quantity ?? 0, pushedAt: row?.pushedAt ?? null, isNew: changes > 0 }
}

export const markPushed = async (tx: Tx, orgId: string, period: string, now: number): Promise<void> => {
  const sql = 'UPDATE billing_metering SET pushed_at = COALESCE(pushed_at, ?) WHERE org_id = ? AND period = ?'
  await tx.run(sql, [now, orgId, period])
}
