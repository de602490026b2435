import type { Stretch } from '../../../../kernel/paging.ts'
import type { Reader, Tx } from '../../../../platform/db/types.ts'

export type TokenKind = 'access' | 'refresh'

/** A token with the sign-in it belongs to. Times are epoch milliseconds. */
export interface PortalToken {
  readonly portalSessionId: string
  readonly userId: string
  readonly email: string
  readonly expiresAt: number
  readonly usedAt: number | null
  readonly endedAt: number | null
  /** The organisation that vouches for the sign-in, and whether the account agreed that this counts elsewhere. */
  readonly vouchedBy: string | null
  readonly agreedAt: number | null
}

/** A sign-in belongs to a person, not to an organisation: it is found by the secret alone. */
export const findPortalToken = (reader: Reader, kind: TokenKind, tokenHash: string): Promise<PortalToken | undefined> =>
  reader.get<PortalToken>(
    `SELECT t.portal_session_id AS "portalSessionId", s.user_id AS "userId", u.email, t.expires_at AS "expiresAt",
       t.used_at AS "usedAt", s.ended_at AS "endedAt", s.vouched_by AS "vouchedBy", a.agreed_at AS "agreedAt"
     FROM portal_tokens t JOIN portal_sessions s ON s.portal_session_id = t.portal_session_id
       JOIN users u ON u.user_id = s.user_id
       LEFT JOIN vouching_agreements a ON a.org_id = s.vouched_by AND a.user_id = s.user_id
     WHERE t.token_hash = ? AND t.kind = ?`,
    [tokenHash, kind],
  )

export const insertPortalSession = async (
  tx: Tx,
  session: {
    readonly id: string
    readonly userId: string
    readonly now: number
    readonly address: string | undefined
    readonly userAgent: string | undefined
    readonly vouchedBy: string | undefined
  },
): Promise<void> => {
  const { id, userId, now, address = null, userAgent = null, vouchedBy = null } = session
  await tx.run(
    `INSERT INTO portal_sessions (portal_session_id, user_id, created_at, address, user_agent, vouched_by)
     VALUES (?, ?, ?, ?, ?, ?)`,
    [id, userId, now, address, userAgent, vouchedBy],
  )
}

/** Notes that a sign-in is used, and until when it lives. */
export const touchPortalSession = async (tx: Tx, id: string, now: number, expiresAt: number): Promise<void> => {
  await tx.run('UPDATE portal_sessions SET last_used_at = ?, expires_at = ? WHERE portal_session_id = ?', [
    now,
    expiresAt,
    id,
  ])
}

export const insertPortalToken = async (
  tx: Tx,
  portalSessionId: string,
  token: { hash: string; kind: TokenKind; now: number; expiresAt: number },
): Promise<void> => {
  await tx.run(
    'INSERT INTO portal_tokens (token_hash, portal_session_id, kind, created_at, expires_at) VALUES (?, ?, ?, ?, ?)',
    [token.hash, portalSessionId, token.kind, token.now, token.expiresAt],
  )
}

export interface PortalSession {
  readonly userId: string
  readonly endedAt: number | null
  /** The organisation whose identity provider or directory knew who it was; null after a password. */
  readonly vouchedBy: string | null
}

/** The sign-in, unchanged by anybody else until the commit. */
export const lockPortalSession = (tx: Tx, id: string): Promise<PortalSession | undefined> =>
  tx.get<PortalSession>(
    `SELECT user_id AS "userId", ended_at AS "endedAt", vouched_by AS "vouchedBy" FROM portal_sessions
     WHERE portal_session_id = ?${tx.forUpdate}`,
    [id],
  )

/** Sign-ins of a person that have not ended, in one order for all who end them. */
export const listOpenPortalSessions = (reader: Reader, userId: string) =>
  reader.all<{ id: string; vouchedBy: string | null }>(
    `SELECT portal_session_id AS id, vouched_by AS "vouchedBy" FROM portal_sessions WHERE user_id = ? AND ended_at IS NULL ORDER BY portal_session_id`,
    [userId],
  )

/** Members, in one order, who are signed in by a password; owners are none of them. */
export const pageOfSignedInByPassword = (reader: Reader, orgId: string, after: string, limit: number) =>
  reader.all<{ userId: string; email: string }>(
    `SELECT m.user_id AS "userId", u.email FROM memberships m JOIN users u ON u.user_id = m.user_id
     WHERE m.org_id = ? AND m.user_id > ? AND m.active = 1 AND m.role <> 'owner' AND EXISTS (
       SELECT 1 FROM portal_sessions s
       WHERE s.user_id = m.user_id AND s.ended_at IS NULL AND (s.vouched_by IS NULL OR s.vouched_by <> ?))
     ORDER BY m.user_id LIMIT ?`,
    [orgId, after, orgId, limit],
  )

/** Marks a refresh token as used, where it was not yet. */
export const spendRefreshToken = async (tx: Tx, tokenHash: string, now: number): Promise<void> => {
  await tx.run("UPDATE portal_tokens SET used_at = ? WHERE token_hash = ? AND kind = 'refresh' AND used_at IS NULL", [
    now,
    tokenHash,
  ])
}

/** Open ones beyond so many, used longest ago. */
export const listSurplusSessions = (reader: Reader, userId: string, most: number): Promise<{ id: string }[]> =>
  reader.all<{ id: string }>(
    `SELECT portal_session_id AS id FROM portal_sessions WHERE user_id = ? AND ended_at IS NULL
     ORDER BY last_used_at DESC, portal_session_id DESC LIMIT ? OFFSET ?`,
    [userId, most, most],
  )

export interface OpenSignIn {
  readonly id: string
  readonly address: string | null
  readonly userAgent: string | null
  readonly createdAt: number
  readonly lastUsedAt: number
  readonly expiresAt: number
}

/** Newest first. A person has a limited number of them. */
export const pageOfSignIns = (
  reader: Reader,
  userId: string,
  now: number,
  { after, skip, take }: Stretch,
): Promise<OpenSignIn[]> =>
  reader.all<OpenSignIn>(
    `SELECT portal_session_id AS id, address, user_agent AS "userAgent", created_at AS "createdAt",
       last_used_at AS "lastUsedAt", expires_at AS "expiresAt"
     FROM portal_sessions WHERE user_id = ? AND ended_at IS NULL AND expires_at > ?
       ${after ? 'AND (created_at, portal_session_id) < (?, ?)' : ''}
     ORDER BY created_at DESC, portal_session_id DESC LIMIT ? OFFSET ?`,
    [userId, now, ...(after ?? []), take, skip],
  )

export const countSignIns = async (reader: Reader, userId: string, now: number): Promise<number> => {
  const row = await reader.get<{ n: number }>(
    'SELECT count(*) AS n FROM portal_sessions WHERE user_id = ? AND ended_at IS NULL AND expires_at > ?',
    [userId, now],
  )
  return row?.n ?? 0
}

export type EndReason =
  | 'signed_out'
  | 'token_reused'
  | 'deactivated'
  | 'password_set'
  | 'second_factor_added'
  | 'ended_by_owner'
  | 'too_many'
  | 'ended_by_provider'
  | 'sso_required'

/** Ends a sign-in with all its tokens. False: it had ended before. */
export const endPortalSession = async (tx: Tx, id: string, reason: EndReason, now: number): Promise<boolean> => {
  const { changes } = await tx.run(
    'UPDATE portal_sessions SET ended_at = ?, end_reason = ? WHERE portal_session_id = ? AND ended_at IS NULL',
    [now, reason, id],
  )
  return changes === 1
}

/** Housekeeping over all people: tokens that have expired, spent ones among them, at most `limit` rows. */
export const deleteExpiredTokens = async (tx: Tx, now: number, limit: number): Promise<number> => {
  const { changes } = await tx.run(
    'DELETE FROM portal_tokens WHERE token_hash IN (SELECT token_hash FROM portal_tokens WHERE expires_at <= ? LIMIT ?)',
    [now, limit],
  )
  return changes
}

/** Housekeeping over all people: sign-ins that no token is left of, at most `limit` rows. */
export const deleteEmptyPortalSessions = async (tx: Tx, limit: number): Promise<number> => {
  const { changes } = await tx.run(
    `DELETE FROM portal_sessions WHERE portal_session_id IN (
       SELECT s.portal_session_id FROM portal_sessions s WHERE NOT EXISTS (
         SELECT 1 FROM portal_tokens t WHERE t.portal_session_id = s.portal_session_id) LIMIT ?)`,
    [limit],
  )
  return changes
}
