import type { Reader, Tx } from '../../../../platform/db/types.ts'

/** Whether an account agreed that this organisation's identity provider opens it in other organisations, too. */
export const hasAgreed = async (reader: Reader, orgId: string, userId: string): Promise<boolean> =>
  (await reader.get('SELECT 1 AS one FROM vouching_agreements WHERE org_id = ? AND user_id = ?', [orgId, userId])) !==
  undefined

export const insertAgreement = async (tx: Tx, orgId: string, userId: string, now: number): Promise<void> => {
  await tx.run(
    'INSERT INTO vouching_agreements (org_id, user_id, agreed_at) VALUES (?, ?, ?) ON CONFLICT (org_id, user_id) DO NOTHING',
    [orgId, userId, now],
  )
}

export const deleteAgreement = async (tx: Tx, orgId: string, userId: string): Promise<void> => {
  await tx.run('DELETE FROM vouching_agreements WHERE org_id = ? AND user_id = ?', [orgId, userId])
}

export const deleteVouchingLinks = async (tx: Tx, orgId: string, userId: string): Promise<void> => {
  await tx.run('DELETE FROM vouching_links WHERE org_id = ? AND user_id = ?', [orgId, userId])
}

/** A mailed link by which an account agrees. Times are epoch milliseconds. */
export interface VouchingLink {
  readonly id: string
  readonly orgId: string
  readonly userId: string
  readonly createdAt: number
  readonly expiresAt: number
  readonly usedAt: number | null
}

const columns = `link_id AS id, org_id AS "orgId", user_id AS "userId", created_at AS "createdAt",
  expires_at AS "expiresAt", used_at AS "usedAt"`

/** Crosses tenants: a link is found by its secret alone. */
export const findVouchingLinkAcrossOrgs = (reader: Reader, tokenHash: string): Promise<VouchingLink | undefined> =>
  reader.get<VouchingLink>(`SELECT ${columns} FROM vouching_links WHERE token_hash = ?`, [tokenHash])

export const insertVouchingLink = async (
  tx: Tx,
  orgId: string,
  link: Omit<VouchingLink, 'orgId' | 'usedAt'> & { readonly tokenHash: string },
): Promise<void> => {
  await tx.run(
    `INSERT INTO vouching_links (org_id, link_id, user_id, token_hash, created_at, expires_at)
     VALUES (?, ?, ?, ?, ?, ?)`,
    [orgId, link.id, link.userId, link.tokenHash, link.createdAt, link.expiresAt],
  )
}

/** The number of links that an account was sent since then, for any organisation. */
export const countVouchingLinks = async (reader: Reader, userId: string, since: number): Promise<number> => {
  const sql = 'SELECT count(*) AS n FROM vouching_links WHERE user_id = ? AND created_at > ?'
  return (await reader.get<{ n: number }>(sql, [userId, since]))?.n ?? 0
}

/** Whether it was there to be used: a link works once. */
export const spendVouchingLink = async (tx: Tx, { orgId, id }: VouchingLink, now: number): Promise<boolean> => {
  const sql = 'UPDATE vouching_links SET used_at = ? WHERE org_id = ? AND link_id = ? AND used_at IS NULL'
  return (await tx.run(sql, [now, orgId, id])).changes === 1
}

/** Housekeeping over all organisations: at most `limit` links whose time is over. */
export const deleteOldVouchingLinks = async (tx: Tx, now: number, limit: number): Promise<number> => {
  const { changes } = await tx.run(
    `DELETE FROM vouching_links WHERE (org_id, link_id) IN
       (SELECT org_id, link_id FROM vouching_links WHERE expires_at <= ? ORDER BY expires_at LIMIT ?)`,
    [now, limit],
  )
  return changes
}

/** Accounts for whose sign-ins an organisation vouches, or may, in one order; of one domain. */
export const pageOfVouchedFor = (
  reader: Reader,
  orgId: string,
  { domain, after, limit }: { readonly domain: string; readonly after: string; readonly limit: number },
): Promise<{ userId: string }[]> =>
  reader.all(
    `SELECT u.user_id AS "userId" FROM users u WHERE u.user_id > ? AND u.email LIKE ? ESCAPE '!' AND (
       EXISTS (SELECT 1 FROM portal_sessions s WHERE s.user_id = u.user_id AND s.vouched_by = ? AND s.ended_at IS NULL)
       OR EXISTS (SELECT 1 FROM vouching_links l WHERE l.user_id = u.user_id AND l.org_id = ?)
       OR EXISTS (SELECT 1 FROM vouching_agreements a WHERE a.user_id = u.user_id AND a.org_id = ?))
     ORDER BY u.user_id LIMIT ?`,
    [after, `%@${domain.replaceAll(/[!%_]/g, '!$&')}`, orgId, orgId, orgId, limit],
  )
