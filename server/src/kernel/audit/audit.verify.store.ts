import type { Reader } from '../../platform/db/types.ts'
import type { RowWithPayload } from './audit.digest.ts'
import type { SealedHead } from './audit.seal.ts'

export interface ChainHead {
  /** Number of the last row, and so of rows. */
  readonly seq: number
  /** Its hash; '' while there is no row. */
  readonly hash: string
}

export const readHead = (reader: Reader, orgId: string): Promise<SealedHead | undefined> =>
  reader.get<SealedHead>(
    `SELECT audit_seq AS seq, audit_hash AS hash, audit_signed AS signed, audit_mac AS mac FROM org_heads WHERE org_id = ?`,
    [orgId],
  )

/** The columns of a row with its payload. */
export const rowColumnsWithPayload = `a.org_id AS "orgId", a.seq, a.at, a.actor_kind AS "actorKind", a.actor_id AS "actorId", a.action,
  a.target, a.session_id AS "sessionId", a.payload_hash AS "payloadHash", a.prev_hash AS "prevHash", a.hash, p.salt, p.payload`
export const rowsWithPayload = 'audit_log a LEFT JOIN audit_payloads p ON p.org_id = a.org_id AND p.seq = a.seq'

/** The next rows after `after`, in the order of the key. */
export const readRows = (reader: Reader, orgId: string, after: number, limit: number): Promise<RowWithPayload[]> =>
  reader.all<RowWithPayload>(
    `SELECT ${rowColumnsWithPayload} FROM ${rowsWithPayload} WHERE a.org_id = ? AND a.seq > ? ORDER BY a.seq LIMIT ?`,
    [orgId, after, limit],
  )

/** Is there a later row that names this hash as the one before it? Reads the rest of the chain; only after a failure. */
export const followsLater = async (reader: Reader, orgId: string, hash: string, after: number): Promise<boolean> =>
  (await reader.get('SELECT 1 AS one FROM audit_log WHERE org_id = ? AND seq > ? AND prev_hash = ? LIMIT 1', [
    orgId,
    after,
    hash,
  ])) !== undefined
