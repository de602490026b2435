import type { PaymentProvider } from '@integrity/protocol'
import type { Stretch } from '../../../kernel/paging.ts'
import type { Reader, Tx } from '../../../platform/db/types.ts'
import type { ChargeRow } from '../../../platform/payments/types.ts'

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

/** Where an organisation pays from, as it said last. */
export const findCountry = async (reader: Reader, orgId: string): Promise<string | undefined> =>
  (await reader.get<{ country: string }>('SELECT country FROM payment_countries WHERE org_id = ?', [orgId]))?.country

export const saveCountry = async (tx: Tx, orgId: string, country: string): Promise<void> => {
  const sql = `INSERT INTO payment_countries (org_id, country) VALUES (?, ?)
    ON CONFLICT (org_id) DO UPDATE SET country = excluded.country`
  await tx.run(sql, [orgId, country])
}
