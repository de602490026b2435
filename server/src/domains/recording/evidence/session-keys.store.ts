import type { Reader, Tx } from '../../../platform/db/types.ts'

interface OfSession {
  readonly orgId: string
  readonly sessionId: string
}

/** What stands where a key was destroyed. */
const blank = '-'

export const findSessionKey = async (reader: Reader, { orgId, sessionId }: OfSession): Promise<string | undefined> => {
  const row = await reader.get<{ wrapped: string }>(
    'SELECT wrapped FROM session_keys WHERE org_id = ? AND session_id = ?',
    [orgId, sessionId],
  )
  return row?.wrapped.startsWith(blank) ? undefined : row?.wrapped
}

/** Of two at once the first one stays, and a key that was destroyed stays destroyed. */
export const insertSessionKey = async (tx: Tx, { orgId, sessionId }: OfSession, wrapped: string): Promise<void> => {
  await tx.run(
    'INSERT INTO session_keys (org_id, session_id, wrapped) VALUES (?, ?, ?) ON CONFLICT (org_id, session_id) DO NOTHING',
    [orgId, sessionId, wrapped],
  )
}

/**
 * Overwrites a key with as many letters: SQLite writes that over the old bytes. A deleted row would let it merge pages,
 * and what it moves stays behind in the gaps of pages, where `secure_delete` does not look.
 */
export const destroySessionKey = async (tx: Tx, place: OfSession): Promise<boolean> => {
  const wrapped = await findSessionKey(tx, place)
  if (wrapped === undefined) return false
  await tx.run('UPDATE session_keys SET wrapped = ? WHERE org_id = ? AND session_id = ?', [
    blank.repeat(wrapped.length),
    place.orgId,
    place.sessionId,
  ])
  return true
}
