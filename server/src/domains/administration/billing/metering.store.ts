import type { PaymentProvider } from '@integrity/protocol'
import type { Reader, Tx } from '../../../platform/db/types.ts'
import type { OrgPlan } from '../../organisation/plans/plans.service.ts'

/** A month that is over as it was counted first: with the plan and the subscription of that month. */
export interface MeteringRow {
  readonly quantity: number
  /** Null for one that was counted before plans were kept with it. */
  readonly plan: OrgPlan | null
  readonly provider: PaymentProvider | null
  readonly subscriptionId: string | null
  readonly customerId: string | null
  /** The instant that the provider is told it for, the same at every try. */
  readonly stamp: number | null
  readonly pushedAt: number | null
}
interface OfMonth {
  readonly orgId: string
  readonly period: string
}

export const findMetering = (reader: Reader, { orgId, period }: OfMonth): Promise<MeteringRow | undefined> =>
  reader.get<MeteringRow>(
    `SELECT quantity, plan, provider, subscription_id AS "subscriptionId", customer_id AS "customerId", stamp,
       pushed_at AS "pushedAt" FROM billing_metering WHERE org_id = ? AND period = ?`,
    [orgId, period],
  )

/** Keeps a count, unless there is one. @returns whether it is new */
export const insertMetering = async (
  tx: Tx,
  { orgId, period, ...row }: OfMonth & Omit<MeteringRow, 'pushedAt'> & { readonly now: number },
): Promise<boolean> => {
  const sql = `INSERT INTO billing_metering (org_id, period, quantity, plan, provider, subscription_id, customer_id, stamp,
    begun_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (org_id, period) DO NOTHING`
  const { quantity, plan, provider, subscriptionId, customerId, stamp, now } = row
  const values = [quantity, plan, provider, subscriptionId, customerId, stamp, now]
  return (await tx.run(sql, [orgId, period, ...values])).changes > 0
}

/** Makes the caller the only one who tells of a month, until an instant. */
export const claimMetering = async (
  tx: Tx,
  { orgId, period }: OfMonth,
  { now, until }: { readonly now: number; readonly until: number },
): Promise<boolean> => {
  const sql = `UPDATE billing_metering SET claimed_until = ? WHERE org_id = ? AND period = ? AND pushed_at IS NULL
    AND (claimed_until IS NULL OR claimed_until <= ?)`
  return (await tx.run(sql, [until, orgId, period, now])).changes > 0
}

/** The provider was told. */
export const markPushed = async (tx: Tx, { orgId, period }: OfMonth, now: number): Promise<void> => {
  const sql = `UPDATE billing_metering SET pushed_at = COALESCE(pushed_at, ?), claimed_until = NULL, problem = NULL
    WHERE org_id = ? AND period = ?`
  await tx.run(sql, [now, orgId, period])
}

/** Releases a month that could not be reported, or whose report is uncertain, so that it can be tried again. */
export const releaseMetering = async (tx: Tx, { orgId, period }: OfMonth, problem: string): Promise<void> => {
  const sql = 'UPDATE billing_metering SET claimed_until = NULL, problem = ? WHERE org_id = ? AND period = ?'
  await tx.run(sql, [problem, orgId, period])
}

/** Across organisations: counts that their provider was not told of, some behind one of them. */
export const listUnpushedOfAllOrgs = (
  reader: Reader,
  { after, limit }: { readonly after: OfMonth; readonly limit: number },
): Promise<OfMonth[]> =>
  reader.all(
    `SELECT org_id AS "orgId", period FROM billing_metering
     WHERE (org_id, period) > (?, ?) AND pushed_at IS NULL AND quantity > 0 AND provider IS NOT NULL
     ORDER BY org_id, period LIMIT ?`,
    [after.orgId, after.period, limit],
  )
