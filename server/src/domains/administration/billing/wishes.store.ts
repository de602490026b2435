import type { Reader, Tx } from '../../../platform/db/types.ts'

/** A request to a provider that has no answer yet, as it was sent. */
export interface WishRow {
  readonly key: string
  /** JSON. */
  readonly params: string
}
interface Wanted {
  readonly orgId: string
  readonly wanted: string
}

export const findWish = (reader: Reader, { orgId, wanted }: Wanted, madeAfter: number): Promise<WishRow | undefined> =>
  reader.get<WishRow>(
    'SELECT wish_key AS key, params FROM payment_wishes WHERE org_id = ? AND wanted = ? AND made_at > ?',
    [orgId, wanted, madeAfter],
  )

/** Keeps a wish, unless there is one of the same that is young enough: that one is answered. */
export const addWish = async (
  tx: Tx,
  of: Wanted,
  { madeAfter, now, ...wish }: WishRow & { readonly madeAfter: number; readonly now: number },
): Promise<WishRow> => {
  await tx.run(
    `INSERT INTO payment_wishes (org_id, wanted, wish_key, params, made_at) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT (org_id, wanted) DO UPDATE SET wish_key = excluded.wish_key, params = excluded.params,
       made_at = excluded.made_at WHERE payment_wishes.made_at <= ?`,
    [of.orgId, of.wanted, wish.key, wish.params, now, madeAfter],
  )
  return (await findWish(tx, of, madeAfter)) ?? wish
}

/** Deletes a request to a provider that has its answer. */
export const deleteWish = async (tx: Tx, { orgId, wanted }: Wanted, key: string): Promise<void> => {
  await tx.run('DELETE FROM payment_wishes WHERE org_id = ? AND wanted = ? AND wish_key = ?', [orgId, wanted, key])
}

/** Across organisations: nobody repeats them any more. */
export const deleteWishesOfAllOrgs = async (tx: Tx, before: number, limit: number): Promise<number> => {
  const sql = `DELETE FROM payment_wishes WHERE (org_id, wanted) IN
    (SELECT org_id, wanted FROM payment_wishes WHERE made_at < ? LIMIT ?)`
  return (await tx.run(sql, [before, limit])).changes
}
