import type { Reader, Tx } from '../../platform/db/types.ts'

/** Crosses tenants: a credential is found before it is known whose it is. */
export const findTokenByHash = (reader: Reader, hash: string): Promise<{ id: string; orgId: string } | undefined> =>
  reader.get(`SELECT token_id AS id, org_id AS "orgId" FROM scim_tokens WHERE token_hash = ?`, [hash])

/** In the place of the one before. */
export const putToken = async (
  tx: Tx,
  orgId: string,
  { id, hash, now }: { id: string; hash: string; now: number },
): Promise<void> => {
  await tx.run(
    `INSERT INTO scim_tokens (org_id, token_id, token_hash, created_at) VALUES (?, ?, ?, ?)
     ON CONFLICT (org_id) DO UPDATE SET token_id = excluded.token_id, token_hash = excluded.token_hash,
       created_at = excluded.created_at`,
    [orgId, id, hash, now],
  )
}

/** Whether there was one. */
export const deleteToken = async (tx: Tx, orgId: string): Promise<boolean> =>
  (await tx.run('DELETE FROM scim_tokens WHERE org_id = ?', [orgId])).changes > 0
