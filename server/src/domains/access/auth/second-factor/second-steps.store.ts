import type { Reader, Tx } from '../../../../platform/db/types.ts'

/** The second step of a sign-in whose password was right. Times are epoch milliseconds. */
export interface SecondStep {
  readonly tokenHash: string
  readonly userId: string
  /** Where the attempt came from: a network address, or the sign-in of a known device. */
  readonly place: string
  readonly passkeyChallenge: string
  /** Who vouches for the sign-in and what it will be called; null after a password. */
  readonly vouchedBy: string | null
  readonly portalSessionId: string | null
  readonly provider: string | null
  readonly tries: number
  readonly expiresAt: number
}

/** It belongs to a person, not to an organisation: it is found by the secret alone. */
export const findStep = (reader: Reader, tokenHash: string): Promise<SecondStep | undefined> =>
  reader.get<SecondStep>(
    `SELECT token_hash AS "tokenHash", user_id AS "userId", place, passkey_challenge AS "passkeyChallenge", tries,
       vouched_by AS "vouchedBy", portal_session_id AS "portalSessionId", provider, expires_at AS "expiresAt"
     FROM second_steps WHERE token_hash = ?`,
    [tokenHash],
  )

export const insertStep = async (tx: Tx, step: Omit<SecondStep, 'tries'>): Promise<void> => {
  await tx.run(
    `INSERT INTO second_steps (token_hash, user_id, place, passkey_challenge, tries, expires_at, vouched_by,
       portal_session_id, provider) VALUES (?, ?, ?, ?, 0, ?, ?, ?, ?)`,
    [
      ...[step.tokenHash, step.userId, step.place, step.passkeyChallenge, step.expiresAt],
      ...[step.vouchedBy, step.portalSessionId, step.provider],
    ],
  )
}

/** Takes one of its tries. False: there is none left. */
export const takeTry = async (tx: Tx, tokenHash: string, most: number): Promise<boolean> => {
  const { changes } = await tx.run('UPDATE second_steps SET tries = tries + 1 WHERE token_hash = ? AND tries < ?', [
    tokenHash,
    most,
  ])
  return changes === 1
}

/** Ends a second step; false when it was already over. */
export const endStep = async (tx: Tx, tokenHash: string): Promise<boolean> => {
  const { changes } = await tx.run('DELETE FROM second_steps WHERE token_hash = ?', [tokenHash])
  return changes === 1
}

export const endStepsOf = async (tx: Tx, userId: string): Promise<void> => {
  await tx.run('DELETE FROM second_steps WHERE user_id = ?', [userId])
}

/** Deletes the second step of a sign-in that was abandoned. */
export const deleteStepOfSignIn = async (tx: Tx, portalSessionId: string): Promise<void> => {
  await tx.run('DELETE FROM second_steps WHERE portal_session_id = ?', [portalSessionId])
}

/** Housekeeping over all people: at most `limit` whose time is over. */
export const deleteOldSteps = async (tx: Tx, now: number, limit: number): Promise<number> => {
  const { changes } = await tx.run(
    'DELETE FROM second_steps WHERE token_hash IN (SELECT token_hash FROM second_steps WHERE expires_at <= ? LIMIT ?)',
    [now, limit],
  )
  return changes
}
