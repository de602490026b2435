import { createHash } from 'node:crypto'
import type { Tx } from '../../platform/db/types.ts'

/** Names are hashed: the table tells of nobody who asked. */
const hashOf = (name: string): string => createHash('sha256').update(name, 'utf8').digest('hex')

/** Counts one more attempt of that name in the window that is open, or in a new one. */
export const countAttempt = async (
  tx: Tx,
  name: string,
  now: number,
  windowMs: number,
): Promise<{ attempts: number; endsAt: number }> => {
  const row = await tx.get<{ attempts: number; endsAt: number }>(
    `INSERT INTO access_attempts (name_hash, ends_at, attempts) VALUES (?, ?, 1)
     ON CONFLICT (name_hash) DO UPDATE SET
       attempts = CASE WHEN access_attempts.ends_at <= ? THEN 1 ELSE access_attempts.attempts + 1 END,
       ends_at = CASE WHEN access_attempts.ends_at <= ? THEN excluded.ends_at ELSE access_attempts.ends_at END
     RETURNING attempts, ends_at AS "endsAt"`,
    [hashOf(name), now + windowMs, now, now],
  )
  if (!row) throw new Error('an attempt was not counted')
  return row
}

export const clearAttempts = async (tx: Tx, name: string): Promise<void> => {
  await tx.run('DELETE FROM access_attempts WHERE name_hash = ?', [hashOf(name)])
}

/** Housekeeping: windows that are over, at most `limit` rows. */
export const deleteOldAttempts = async (tx: Tx, now: number, limit: number): Promise<number> => {
  const { changes } = await tx.run(
    'DELETE FROM access_attempts WHERE name_hash IN (SELECT name_hash FROM access_attempts WHERE ends_at <= ? LIMIT ?)',
    [now, limit],
  )
  return changes
}
