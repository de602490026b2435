import type { Reader, Tx } from '../../../platform/db/types.ts'

/** Crosses tenants: a credential is found before it is known whose it is. */
export const findTokenByHash = async (
  reader: Reader,
  hash: string,
): Promise<{ id: string; orgId: string; reachesOwners: boolean } | undefined> => {
  const row = await reader.get<{ id: string; orgId: string; reachesOwners: 0 | 1 }>(
    `SELECT token_id AS id, org_id AS "orgId", reaches_owners AS "reachesOwners" FROM scim_tokens WHERE token_hash = ?`,
    [hash],
  )
  return row && { ...row, reachesOwners: row.reachesOwners === 1 }
}

/** Stores a token in place of the previous one. */
export const putToken = async (
  tx: Tx,
  orgId: string,
  { id, hash, now, reachesOwners }: { id: string; hash: string; now: number; reachesOwners: boolean },
): Promise<void> => {
  await tx.run(
    `INSERT INTO scim_tokens (org_id, token_id, token_hash, created_at, reaches_owners) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT (org_id) DO UPDATE SET token_id = excluded.token_id, token_hash = excluded.token_hash,
       created_at = excluded.created_at, reaches_owners = excluded.reaches_owners`,
    [orgId, id, hash, now, Number(reachesOwners)],
  )
}

/** When the token that works now was made (epoch milliseconds); undefined where there is none. */
export const findTokenSince = async (reader: Reader, orgId: string): Promise<number | undefined> =>
  (await reader.get<{ at: number }>('SELECT created_at AS at FROM scim_tokens WHERE org_id = ?', [orgId]))?.at

/** Whether there was one. */
export const deleteToken = async (tx: Tx, orgId: string): Promise<boolean> =>
  (await tx.run('DELETE FROM scim_tokens WHERE org_id = ?', [orgId])).changes > 0
