import type { PaymentProvider, PlanName } from '@integrity/protocol'
import type { Reader, Tx } from '../../../platform/db/types.ts'

/** A time in which an organisation had a plan from one source. Plans are of both environments: its id is the whole scope. */
export interface SpanRow {
  /** Who is paid for it; `agreed` where it was agreed upon with people. */
  readonly provider: PaymentProvider | 'agreed'
  readonly subscriptionId: string
  readonly customerId: string | null
  readonly plan: PlanName
  /** How many of the plan are paid for. */
  readonly seats: number
  readonly fromAt: number
  /** Null: without an end. */
  readonly untilAt: number | null
  /** A retention ceiling that was agreed upon in place of the plan's own. */
  readonly retentionDays: number | null
}

const columns = `provider, subscription_id AS "subscriptionId", customer_id AS "customerId", plan, seats, from_at AS "fromAt",
  until_at AS "untilAt", retention_days AS "retentionDays"`

/** Those that reach into a stretch of time, its end excluded. */
export const listSpans = (
  reader: Reader,
  orgId: string,
  { from, to }: { readonly from: number; readonly to: number },
): Promise<SpanRow[]> =>
  reader.all<SpanRow>(
    `SELECT ${columns} FROM plan_spans WHERE org_id = ? AND from_at < ? AND (until_at IS NULL OR until_at > ?)
     ORDER BY from_at, provider, subscription_id`,
    [orgId, to, from],
  )

export const findFirstSpan = (reader: Reader, orgId: string): Promise<SpanRow | undefined> =>
  reader.get<SpanRow>(`SELECT ${columns} FROM plan_spans WHERE org_id = ? ORDER BY from_at LIMIT 1`, [orgId])

type Source = Pick<SpanRow, 'provider' | 'subscriptionId'> & { readonly orgId: string }

export const findLastSpan = (
  reader: Reader,
  { orgId, provider, subscriptionId }: Source,
): Promise<SpanRow | undefined> =>
  reader.get<SpanRow>(
    `SELECT ${columns} FROM plan_spans WHERE org_id = ? AND provider = ? AND subscription_id = ?
     ORDER BY from_at DESC LIMIT 1`,
    [orgId, provider, subscriptionId],
  )

export const saveSpan = async (tx: Tx, orgId: string, span: SpanRow): Promise<void> => {
  await tx.run(
    `INSERT INTO plan_spans (org_id, provider, subscription_id, customer_id, plan, seats, from_at, until_at, retention_days,
       end_noted) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, 0)
     ON CONFLICT (org_id, provider, subscription_id, from_at) DO UPDATE SET customer_id = excluded.customer_id,
       plan = excluded.plan, seats = excluded.seats, until_at = excluded.until_at,
       retention_days = excluded.retention_days, end_noted = 0`,
    [
      ...[orgId, span.provider, span.subscriptionId, span.customerId, span.plan, span.seats, span.fromAt],
      ...[span.untilAt, span.retentionDays],
    ],
  )
}

/** Ends a span that goes on; whoever ends it says why. */
export const endSpan = async (tx: Tx, orgId: string, span: SpanRow, at: number): Promise<void> => {
  await tx.run(
    `UPDATE plan_spans SET until_at = ?, end_noted = 1
     WHERE org_id = ? AND provider = ? AND subscription_id = ? AND from_at = ?`,
    [at, orgId, span.provider, span.subscriptionId, span.fromAt],
  )
}

/** Across organisations: spans that ended by themselves, of which nobody has said it yet. */
export const listLapsedSpansOfAllOrgs = (
  reader: Reader,
  { now, limit }: { readonly now: number; readonly limit: number },
): Promise<(SpanRow & { readonly orgId: string })[]> =>
  reader.all(
    `SELECT org_id AS "orgId", ${columns} FROM plan_spans WHERE end_noted = 0 AND until_at <= ? ORDER BY until_at LIMIT ?`,
    [now, limit],
  )

/** @returns false where somebody else has noted it meanwhile, or the span goes on */
export const noteEnd = async (tx: Tx, orgId: string, span: SpanRow, now: number): Promise<boolean> => {
  const sql = `UPDATE plan_spans SET end_noted = 1 WHERE org_id = ? AND provider = ? AND subscription_id = ? AND from_at = ?
    AND end_noted = 0 AND until_at <= ?`
  return (await tx.run(sql, [orgId, span.provider, span.subscriptionId, span.fromAt, now])).changes > 0
}
