import type { Scope } from '../../../kernel/identity/scope.ts'
import type { Reader, Tx } from '../../../platform/db/types.ts'

export interface CaptureKeyRow {
  /** Ed25519, 32 bytes in base64url. */
  readonly key: string
  readonly documentHash: string
  readonly signature: string
  readonly registeredAt: number
  /** What the machine said at the end; null before. */
  readonly endItems: number | null
  readonly endLast: string | null
  readonly endSignature: string | null
  readonly endedAt: number | null
}

const columns = `key, document_hash AS "documentHash", signature, registered_at AS "registeredAt", end_items AS "endItems",
  end_last AS "endLast", end_signature AS "endSignature", ended_at AS "endedAt"`

/** In the order of their registration. The caller has found the session in this scope. */
export const listCaptureKeys = (reader: Reader, scope: Scope, sessionId: string): Promise<CaptureKeyRow[]> =>
  reader.all<CaptureKeyRow>(
    `SELECT ${columns} FROM capture_keys WHERE org_id = ? AND session_id = ? ORDER BY registered_at, key`,
    [scope.orgId, sessionId],
  )

export const insertCaptureKey = async (
  tx: Tx,
  scope: Scope,
  sessionId: string,
  row: Pick<CaptureKeyRow, 'key' | 'documentHash' | 'signature' | 'registeredAt'>,
): Promise<void> => {
  await tx.run(
    'INSERT INTO capture_keys (org_id, session_id, key, document_hash, signature, registered_at) VALUES (?, ?, ?, ?, ?, ?)',
    [scope.orgId, sessionId, row.key, row.documentHash, row.signature, row.registeredAt],
  )
}

/** The first end that was said of a key stays. */
export const endCaptureKey = async (
  tx: Tx,
  scope: Scope,
  sessionId: string,
  end: { key: string; items: number; last: string; signature: string },
  now: number,
): Promise<void> => {
  await tx.run(
    `UPDATE capture_keys SET end_items = ?, end_last = ?, end_signature = ?, ended_at = ?
     WHERE org_id = ? AND session_id = ? AND key = ? AND ended_at IS NULL`,
    [end.items, end.last, end.signature, now, scope.orgId, sessionId, end.key],
  )
}
