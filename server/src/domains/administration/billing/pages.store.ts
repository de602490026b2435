import type { Reader, Tx } from '../../../platform/db/types.ts'
import type { CheckoutRow } from '../../../platform/payments/types.ts'

const columns = `checkout_id AS id, provider, plan, billing_interval AS "interval", seats, url, expires_at AS "expiresAt"`

/** Hosted pages of an organisation that may still be paid on, the newest first. */
export const listPages = (reader: Reader, orgId: string, openAfter: number): Promise<CheckoutRow[]> =>
  reader.all(
    `SELECT ${columns} FROM payment_pages WHERE org_id = ? AND expires_at > ? ORDER BY opened_at DESC, checkout_id DESC`,
    [orgId, openAfter],
  )

export type PageOfOrg = CheckoutRow & { readonly orgId: string }

interface ListPagesOfAllOrgsInput {
  readonly after: { readonly orgId: string; readonly provider: string; readonly id: string }
  readonly openAfter: number
  readonly limit: number
}

/** Across organisations: hosted pages that were open after an instant, some behind one of them. */
export const listPagesOfAllOrgs = (
  reader: Reader,
  { after: { orgId, provider, id }, openAfter, limit }: ListPagesOfAllOrgsInput,
): Promise<PageOfOrg[]> =>
  reader.all(
    `SELECT org_id AS "orgId", ${columns} FROM payment_pages
     WHERE (org_id, provider, checkout_id) > (?, ?, ?) AND expires_at > ? ORDER BY org_id, provider, checkout_id LIMIT ?`,
    [orgId, provider, id, openAfter, limit],
  )

export const savePage = async (tx: Tx, orgId: string, row: CheckoutRow, now: number): Promise<void> => {
  await tx.run(
    `INSERT INTO payment_pages (org_id, checkout_id, provider, plan, billing_interval, seats, url, opened_at, expires_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (org_id, provider, checkout_id) DO UPDATE SET url = excluded.url, expires_at = excluded.expires_at`,
    [orgId, row.id, row.provider, row.plan, row.interval, row.seats, row.url, now, row.expiresAt],
  )
}

export const deletePage = async (tx: Tx, { orgId, provider, id }: Pick<PageOfOrg, 'orgId' | 'provider' | 'id'>) => {
  await tx.run('DELETE FROM payment_pages WHERE org_id = ? AND provider = ? AND checkout_id = ?', [orgId, provider, id])
}

/** Across organisations: nobody can pay on them any more. */
export const deletePagesOfAllOrgs = async (tx: Tx, before: number, limit: number): Promise<number> => {
  const sql = `DELETE FROM payment_pages WHERE (org_id, provider, checkout_id) IN
    (SELECT org_id, provider, checkout_id FROM payment_pages WHERE expires_at < ? LIMIT ?)`
  return (await tx.run(sql, [before, limit])).changes
}
