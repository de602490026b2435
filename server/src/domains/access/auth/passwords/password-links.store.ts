import type { Reader, Tx } from '../../../../platform/db/types.ts'

export type LinkPurpose = 'forgotten' | 'first'

/** Times are epoch milliseconds. */
export interface PasswordLink {
  readonly id: string
  readonly userId: string
  readonly purpose: LinkPurpose
  readonly locale: string
  readonly createdAt: number
  readonly expiresAt: number
  readonly usedAt: number | null
  readonly endedAt: number | null
}

const columns = `link_id AS id, user_id AS "userId", purpose, locale, created_at AS "createdAt",
  expires_at AS "expiresAt", used_at AS "usedAt", ended_at AS "endedAt"`

/** A link belongs to a person, not to an organisation: it is found by the secret alone. */
export const findPasswordLink = (reader: Reader, tokenHash: string): Promise<PasswordLink | undefined> =>
  reader.get<PasswordLink>(`SELECT ${columns} FROM password_links WHERE token_hash = ?`, [tokenHash])

export const findPasswordLinkById = (reader: Reader, id: string): Promise<PasswordLink | undefined> =>
  reader.get<PasswordLink>(`SELECT ${columns} FROM password_links WHERE link_id = ?`, [id])

export const insertPasswordLink = async (
  tx: Tx,
  link: Omit<PasswordLink, 'usedAt' | 'endedAt'> & { readonly tokenHash: string },
): Promise<void> => {
  await tx.run(
    `INSERT INTO password_links (link_id, user_id, token_hash, purpose, locale, created_at, expires_at)
     VALUES (?, ?, ?, ?, ?, ?, ?)`,
    [link.id, link.userId, link.tokenHash, link.purpose, link.locale, link.createdAt, link.expiresAt],
  )
}

/** How many of a purpose were made for a person after `since`. */
export const countPasswordLinks = async (
  reader: Reader,
  userId: string,
  purpose: LinkPurpose,
  since: number,
): Promise<number> => {
  const row = await reader.get<{ n: number }>(
    'SELECT count(*) AS n FROM password_links WHERE user_id = ? AND purpose = ? AND created_at > ?',
    [userId, purpose, since],
  )
  return row?.n ?? 0
}

/** Spends one link of a person and ends all others. */
export const spendPasswordLink = async (tx: Tx, { id, userId }: PasswordLink, now: number): Promise<void> => {
  await tx.run('UPDATE password_links SET used_at = ? WHERE link_id = ?', [now, id])
  await tx.run('UPDATE password_links SET ended_at = ? WHERE user_id = ? AND ended_at IS NULL', [now, userId])
}

/** Housekeeping over all people: at most `limit` links whose time was over at `before`. */
export const deleteOldPasswordLinks = async (tx: Tx, before: number, limit: number): Promise<number> => {
  const { changes } = await tx.run(
    'DELETE FROM password_links WHERE link_id IN (SELECT link_id FROM password_links WHERE expires_at <= ? LIMIT ?)',
    [before, limit],
  )
  return changes
}
