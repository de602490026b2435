import type { Tx } from '../../../../platform/db/types.ts'

export interface Attempts {
  readonly attempts: number
  /** Epoch milliseconds. */
  readonly windowStartedAt: number
}

/**
 * Counts one more attempt and answers the count, this one included. A window that began at or before `windowBegin`
 * is over, and a new one begins. Kept for a hash of the address, so that the table does not name who has no account.
 */
export const countAttempt = async (
  tx: Tx,
  accountHash: string,
  now: number,
  windowBegin: number,
): Promise<Attempts> => {
  const [row] = await tx.all<Attempts>(
    `INSERT INTO login_attempts (account_hash, window_started_at, attempts) VALUES (?, ?, 1)
     ON CONFLICT (account_hash) DO UPDATE SET
       attempts = CASE WHEN login_attempts.window_started_at <= ? THEN 1 ELSE login_attempts.attempts + 1 END,
       window_started_at = CASE WHEN login_attempts.window_started_at <= ? THEN excluded.window_started_at
         ELSE login_attempts.window_started_at END
     RETURNING attempts, window_started_at AS "windowStartedAt"`,
    [accountHash, now, windowBegin, windowBegin],
  )
  if (!row) throw new Error('an attempt to sign in was not counted')
  return row
}

export const clearAttempts = async (tx: Tx, accountHash: string): Promise<void> => {
  await tx.run('DELETE FROM login_attempts WHERE account_hash = ?', [accountHash])
}

/** Housekeeping: windows that began at or before `windowBegin`, at most `limit` rows. */
export const deleteOldAttempts = async (tx: Tx, windowBegin: number, limit: number): Promise<number> => {
  const { changes } = await tx.run(
    `DELETE FROM login_attempts WHERE account_hash IN (
       SELECT account_hash FROM login_attempts WHERE window_started_at <= ? LIMIT ?)`,
    [windowBegin, limit],
  )
  return changes
}
