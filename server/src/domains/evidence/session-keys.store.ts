import type { Reader, Tx } from '../../platform/db/types.ts'

interface OfSession {
  readonly orgId: string
  readonly sessionId: string
}

export const findSessionKey = async (reader: Reader, { orgId, sessionId }: OfSession): Promise<string | undefined> =>
  (
    await reader.get<{ wrapped: string }>('SELECT wrapped FROM session_keys WHERE org_id = ? AND session_id = ?', [
      orgId,
      sessionId,
    ])
  )?.wrapped

/** Of two at once the first one stays. */
export const insertSessionKey = async (tx: Tx, { orgId, sessionId }: OfSession, wrapped: string): Promise<void> => {
  await tx.run(
    'INSERT INTO session_keys (org_id, session_id, wrapped) VALUES (?, ?, ?) ON CONFLICT (org_id, session_id) DO NOTHING',
    [orgId, sessionId, wrapped],
  )
}

export const deleteSessionKey = async (tx: Tx, { orgId, sessionId }: OfSession): Promise<boolean> => {
  const { changes } = await tx.run('DELETE FROM session_keys WHERE org_id = ? AND session_id = ?', [orgId, sessionId])
  return changes > 0
}
