import type { Reader, Tx } from '../../../platform/db/types.ts'

/** A sign-in that is at the identity provider. */
export interface RequestRow {
  readonly stateHash: string
  readonly orgId: string
  readonly requestId: string
  readonly returnTo: string | null
  /** Of what the browser keeps that began it; null where it could not keep anything (without https). */
  readonly browserHash: string | null
  /** By OpenID Connect: where it began, and what proves to the provider that it was begun here (RFC 7636), wrapped. */
  readonly issuer: string | null
  readonly wrappedVerifier: string | null
  readonly expiresAt: number
}

export const insertRequest = async (tx: Tx, row: RequestRow): Promise<void> => {
  await tx.run(
    `INSERT INTO sso_requests (state_hash, org_id, request_id, return_to, browser_hash, expires_at, issuer,
       wrapped_verifier) VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
    [
      ...[row.stateHash, row.orgId, row.requestId, row.returnTo, row.browserHash, row.expiresAt],
      ...[row.issuer, row.wrappedVerifier],
    ],
  )
}

export const findRequest = (reader: Reader, orgId: string, stateHash: string): Promise<RequestRow | undefined> =>
  reader.get<RequestRow>(
    `SELECT state_hash AS "stateHash", org_id AS "orgId", request_id AS "requestId", return_to AS "returnTo",
       browser_hash AS "browserHash", expires_at AS "expiresAt", issuer, wrapped_verifier AS "wrappedVerifier"
     FROM sso_requests WHERE org_id = ? AND state_hash = ?`,
    [orgId, stateHash],
  )

/** Whether it was there: an answer is taken once. */
export const spendRequest = async (tx: Tx, { orgId, stateHash }: RequestRow): Promise<boolean> =>
  (await tx.run('DELETE FROM sso_requests WHERE org_id = ? AND state_hash = ?', [orgId, stateHash])).changes === 1

/** Whether it is new: an assertion is taken once. */
export const insertAssertion = async (tx: Tx, orgId: string, hash: string, expiresAt: number): Promise<boolean> => {
  const { changes } = await tx.run(
    `INSERT INTO sso_assertions (org_id, assertion_hash, expires_at) VALUES (?, ?, ?)
     ON CONFLICT (org_id, assertion_hash) DO NOTHING`,
    [orgId, hash, expiresAt],
  )
  return changes === 1
}

export const findIdentity = (reader: Reader, orgId: string, issuer: string, subject: string) =>
  reader.get<{ userId: string }>(
    'SELECT user_id AS "userId" FROM sso_identities WHERE org_id = ? AND issuer = ? AND subject = ?',
    [orgId, issuer, subject],
  )

/** Whether it is linked now: an account has one identity at an issuer. */
export const insertIdentity = async (
  tx: Tx,
  orgId: string,
  row: { issuer: string; subject: string; userId: string; now: number },
): Promise<boolean> => {
  const { changes } = await tx.run(
    `INSERT INTO sso_identities (org_id, issuer, subject, user_id, linked_at) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT DO NOTHING`,
    [orgId, row.issuer, row.subject, row.userId, row.now],
  )
  return changes === 1
}

export const identityOf = (reader: Reader, orgId: string, row: { issuer: string; userId: string }) =>
  reader.get<{ subject: string }>(
    'SELECT subject FROM sso_identities WHERE org_id = ? AND issuer = ? AND user_id = ?',
    [...[orgId, row.issuer, row.userId]],
  )

export const deleteIdentity = async (tx: Tx, orgId: string, row: { issuer: string; userId: string }): Promise<void> => {
  await tx.run('DELETE FROM sso_identities WHERE org_id = ? AND issuer = ? AND user_id = ?', [
    ...[orgId, row.issuer, row.userId],
  ])
}

/** Unlinks an account from all identities of an organisation; answers how many there were. */
export const deleteIdentities = async (tx: Tx, orgId: string, userId: string): Promise<number> =>
  (await tx.run('DELETE FROM sso_identities WHERE org_id = ? AND user_id = ?', [orgId, userId])).changes

/** What the identity provider calls a sign-in of ours. Times are epoch milliseconds. */
export interface SsoSignIn {
  readonly portalSessionId: string
  readonly nameId: string
  readonly nameIdFormat: string | null
  readonly sessionIndex: string | null
  /** When the identity provider wants it over. */
  readonly endsAt: number | null
  readonly forgetAt: number
}

export const insertSsoSignIn = async (tx: Tx, orgId: string, row: SsoSignIn): Promise<void> => {
  await tx.run(
    `INSERT INTO sso_sign_ins (portal_session_id, org_id, name_id, name_id_format, session_index, ends_at, forget_at)
     VALUES (?, ?, ?, ?, ?, ?, ?)`,
    [...[row.portalSessionId, orgId, row.nameId, row.nameIdFormat, row.sessionIndex, row.endsAt], row.forgetAt],
  )
}

const signInColumns = `portal_session_id AS "portalSessionId", name_id AS "nameId", name_id_format AS "nameIdFormat",
  session_index AS "sessionIndex", ends_at AS "endsAt", forget_at AS "forgetAt"`

export const findSsoSignIn = (reader: Reader, orgId: string, portalSessionId: string): Promise<SsoSignIn | undefined> =>
  reader.get<SsoSignIn>(`SELECT ${signInColumns} FROM sso_sign_ins WHERE org_id = ? AND portal_session_id = ?`, [
    ...[orgId, portalSessionId],
  ])

export const listSsoSignIns = (reader: Reader, orgId: string, nameId: string): Promise<SsoSignIn[]> =>
  reader.all<SsoSignIn>(
    `SELECT ${signInColumns} FROM sso_sign_ins WHERE org_id = ? AND name_id = ? ORDER BY portal_session_id LIMIT 100`,
    [orgId, nameId],
  )

/** Across organisations: sign-ins whose time at the identity provider is over. */
export const listOverdueOfAllOrgs = (reader: Reader, now: number, limit: number) =>
  reader.all<{ orgId: string; portalSessionId: string }>(
    `SELECT org_id AS "orgId", portal_session_id AS "portalSessionId" FROM sso_sign_ins WHERE ends_at IS NOT NULL AND ends_at <= ?
     ORDER BY ends_at LIMIT ?`,
    [now, limit],
  )

export const clearEnd = async (tx: Tx, orgId: string, portalSessionId: string): Promise<void> => {
  await tx.run('UPDATE sso_sign_ins SET ends_at = NULL WHERE org_id = ? AND portal_session_id = ?', [
    ...[orgId, portalSessionId],
  ])
}

const deleteOld = (table: string, key: string, column: string) => async (tx: Tx, now: number, limit: number) =>
  (
    await tx.run(
      `DELETE FROM ${table} WHERE (org_id, ${key}) IN
         (SELECT org_id, ${key} FROM ${table} WHERE ${column} <= ? ORDER BY ${column} LIMIT ?)`,
      [now, limit],
    )
  ).changes

/** Deletes the old requests of all organisations. */
export const deleteOldRequests = deleteOld('sso_requests', 'state_hash', 'expires_at')
export const deleteOldAssertions = deleteOld('sso_assertions', 'assertion_hash', 'expires_at')
export const deleteOldSignIns = deleteOld('sso_sign_ins', 'portal_session_id', 'forget_at')
