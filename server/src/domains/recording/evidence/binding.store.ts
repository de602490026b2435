import type { Reader, Tx } from '../../../platform/db/types.ts'
import type { Bound } from './evidence.binding.model.ts'
import type { Signing } from './evidence.types.ts'

/** A row with its object as it is there, of whatever organisation. */
export interface KeptRow extends Omit<Bound, 'header'>, Signing {
  readonly header: string | null
  readonly mac: string | null
  readonly erasedAt: number | null
  readonly objectErasedAt: number | null
  /** 1 where the key that is named was registered with the session. */
  readonly keyRegistered: number
}

export interface Cursor {
  readonly orgId: string
  readonly id: string
}

/** Crosses tenants, for the operator and for a start: rows in the order of their key. */
export const listKeptAcrossOrgs = (
  reader: Reader,
  { after, limit, orgId }: { after: Cursor; limit: number; orgId?: string | undefined },
): Promise<KeptRow[]> =>
  reader.all<KeptRow>(
    `SELECT e.org_id AS "orgId", e.environment, e.session_id AS "sessionId", e.evidence_id AS id,
       e.evidence_type AS "evidenceType", e.content_type AS "contentType", e.captured_at AS "capturedAt",
       e.duration_ms AS "durationMs", e.sha256, e.size_bytes AS "sizeBytes", e.mac, e.erased_at AS "erasedAt",
       e.signing_key AS "signingKey", e.signing_sequence AS "signingSequence", e.signing_previous AS "signingPrevious",
       e.signing_signature AS "signingSignature", e.signing_verified AS "signingVerified",
       CASE WHEN EXISTS (SELECT 1 FROM capture_keys k
         WHERE k.org_id = e.org_id AND k.session_id = e.session_id AND k.key = e.signing_key) THEN 1 ELSE 0 END AS "keyRegistered",
       o.header, o.store_key AS "storeKey", o.erased_at AS "objectErasedAt"
     FROM evidence e JOIN objects o ON o.org_id = e.org_id AND o.object_id = e.object_id
     WHERE (e.org_id, e.evidence_id) > (?, ?)${orgId === undefined ? '' : ' AND e.org_id = ?'}
     ORDER BY e.org_id, e.evidence_id LIMIT ?`,
    [after.orgId, after.id, ...(orgId === undefined ? [] : [orgId]), limit],
  )

/** Gives a row its MAC, once. */
export const bindRow = async (tx: Tx, { orgId, id }: Cursor, mac: string): Promise<void> => {
  await tx.run('UPDATE evidence SET mac = ? WHERE org_id = ? AND evidence_id = ? AND mac IS NULL', [mac, orgId, id])
}

export interface Progress extends Cursor {
  readonly state: string
  readonly mac: string
}

export const readProgress = (reader: Reader): Promise<Progress | undefined> =>
  reader.get<Progress>('SELECT state, org_id AS "orgId", evidence_id AS id, mac FROM evidence_bindings')

export const writeProgress = async (tx: Tx, { state, orgId, id, mac }: Progress): Promise<void> => {
  await tx.run(
    `INSERT INTO evidence_bindings (place, state, org_id, evidence_id, mac) VALUES (1, ?, ?, ?, ?)
     ON CONFLICT (place) DO UPDATE SET state = excluded.state, org_id = excluded.org_id,
       evidence_id = excluded.evidence_id, mac = excluded.mac`,
    [state, orgId, id, mac],
  )
}

export const anyBoundAcrossOrgs = async (reader: Reader): Promise<boolean> =>
  (await reader.get('SELECT 1 AS one FROM evidence WHERE mac IS NOT NULL LIMIT 1')) !== undefined
