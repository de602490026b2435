import type { EvidenceType } from '@integrity/protocol'
import type { Scope } from '../../../kernel/identity/scope.ts'
import { padded } from '../../../platform/db/padded-list.ts'
import type { ColumnSpec, Param, Reader, Tx } from '../../../platform/db/types.ts'
import type { EvidenceRow } from './evidence.types.ts'

export const columns = `evidence_id AS id, session_id AS "sessionId", evidence_type AS "evidenceType", position,
  type_position AS "typePosition", client_id AS "clientId", object_id AS "objectId", size_bytes AS "sizeBytes", sha256, content_type AS "contentType",
  captured_at AS "capturedAt", duration_ms AS "durationMs", metadata, created_at AS "createdAt", erased_at AS "erasedAt",
  source, sent_by AS "sentBy", decodable, seen_decodable AS "seenDecodable", sequence, played_at AS "playedAt",
  signing_key AS "signingKey", signing_sequence AS "signingSequence", signing_previous AS "signingPrevious",
  signing_signature AS "signingSignature", signing_verified AS "signingVerified"`

const one = (reader: Reader, scope: Scope, where: string, params: readonly Param[]): Promise<EvidenceRow | undefined> =>
  reader.get<EvidenceRow>(`SELECT ${columns} FROM evidence WHERE org_id = ? AND environment = ? AND ${where}`, [
    scope.orgId,
    scope.environment,
    ...params,
  ])

export const findEvidence = (reader: Reader, scope: Scope, evidenceId: string): Promise<EvidenceRow | undefined> =>
  one(reader, scope, 'evidence_id = ?', [evidenceId])

export interface Place {
  readonly sessionId: string
  readonly evidenceType: EvidenceType
}

export const findByClientId = (reader: Reader, scope: Scope, place: Place, clientId: string) =>
  one(reader, scope, 'session_id = ? AND evidence_type = ? AND client_id = ?', [
    place.sessionId,
    place.evidenceType,
    clientId,
  ])

/** A row of the session and type whose object holds these very bytes, erased ones left out. */
export const findByBytes = (reader: Reader, scope: Scope, place: Place, sha256: string) =>
  one(reader, scope, 'session_id = ? AND evidence_type = ? AND sha256 = ? AND erased_at IS NULL LIMIT 1', [
    place.sessionId,
    place.evidenceType,
    sha256,
  ])

export interface Page {
  readonly limit: number
  readonly offset: number
}

/** In the order of storing. Positions are dense, so the page is found by its key however far it lies. */
export const listByPosition = (
  reader: Reader,
  scope: Scope,
  sessionId: string,
  evidenceType: EvidenceType | undefined,
  page: Page,
): Promise<EvidenceRow[]> => {
  const key = evidenceType === undefined ? 'position' : 'type_position'
  const ofType = evidenceType === undefined ? '' : 'AND evidence_type = ?'
  return reader.all<EvidenceRow>(
    `SELECT ${columns} FROM evidence WHERE org_id = ? AND environment = ? AND session_id = ? ${ofType}
       AND ${key} > ? ORDER BY ${key} LIMIT ?`,
    [scope.orgId, scope.environment, sessionId, ...(evidenceType ? [evidenceType] : []), page.offset, page.limit],
  )
}

/** The one of a type that was captured last and is still there. */
export const findLastCaptured = (reader: Reader, scope: Scope, place: Place): Promise<EvidenceRow | undefined> =>
  one(
    reader,
    scope,
    'session_id = ? AND evidence_type = ? AND erased_at IS NULL ORDER BY captured_at DESC, position DESC LIMIT 1',
    [place.sessionId, place.evidenceType],
  )

export interface CountRow {
  readonly evidenceType: EvidenceType
  /** Every row, tombstones included. */
  readonly objects: number
  /** Bytes of the rows that are not erased. */
  readonly sizeBytes: number
  readonly erasedObjects: number
}

/** Kept counts of a session, by type; never a scan of its rows. */
export const listCounts = (reader: Reader, scope: Scope, sessionId: string): Promise<CountRow[]> =>
  reader.all<CountRow>(
    `SELECT c.evidence_type AS "evidenceType", c.objects, c.size_bytes AS "sizeBytes", c.erased_objects AS "erasedObjects"
     FROM evidence_counts c JOIN sessions s ON s.org_id = c.org_id AND s.session_id = c.session_id
     WHERE c.org_id = ? AND s.environment = ? AND c.session_id = ? ORDER BY c.evidence_type`,
    [scope.orgId, scope.environment, sessionId],
  )

/**
 * Counts more rows of a type and answers the positions of the last of them; the others stand right before it. Call with the
 * session locked.
 */
export const takePositions = async (
  tx: Tx,
  scope: Scope,
  place: Place,
  { objects, sizeBytes }: { readonly objects: number; readonly sizeBytes: number },
): Promise<{ position: number; typePosition: number }> => {
  const own = await tx.get<{ objects: number }>(
    `INSERT INTO evidence_counts (org_id, session_id, evidence_type, objects, size_bytes, erased_objects)
     VALUES (?, ?, ?, ?, ?, 0)
     ON CONFLICT (org_id, session_id, evidence_type) DO UPDATE SET objects = evidence_counts.objects + excluded.objects,
       size_bytes = evidence_counts.size_bytes + excluded.size_bytes
     RETURNING objects`,
    [scope.orgId, place.sessionId, place.evidenceType, objects, sizeBytes],
  )
  const all = await tx.get<{ objects: number }>(
    `INSERT INTO evidence_totals (org_id, session_id, objects, kept_objects, size_bytes) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT (org_id, session_id) DO UPDATE SET objects = evidence_totals.objects + excluded.objects,
       kept_objects = evidence_totals.kept_objects + excluded.kept_objects,
       size_bytes = evidence_totals.size_bytes + excluded.size_bytes
     RETURNING objects`,
    [scope.orgId, place.sessionId, objects, objects, sizeBytes],
  )
  return { position: all?.objects ?? objects, typePosition: own?.objects ?? objects }
}

export type NewEvidence = EvidenceRow & { readonly mac: string }

/** Each column of a new row, of which type it is, and where its value comes from. */
const inserted: readonly (readonly [name: string, type: ColumnSpec['type'], of: (row: NewEvidence) => Param])[] = [
  ['evidence_id', 'text', (row) => row.id],
  ['session_id', 'text', (row) => row.sessionId],
  ['evidence_type', 'text', (row) => row.evidenceType],
  ['position', 'bigint', (row) => row.position],
  ['type_position', 'bigint', (row) => row.typePosition],
  ['client_id', 'text', (row) => row.clientId],
  ['object_id', 'text', (row) => row.objectId],
  ['size_bytes', 'bigint', (row) => row.sizeBytes],
  ['sha256', 'text', (row) => row.sha256],
  ['content_type', 'text', (row) => row.contentType],
  ['captured_at', 'bigint', (row) => row.capturedAt],
  ['duration_ms', 'bigint', (row) => row.durationMs],
  ['metadata', 'text', (row) => row.metadata],
  ['created_at', 'bigint', (row) => row.createdAt],
  ['mac', 'text', (row) => row.mac],
  ['source', 'text', (row) => row.source],
  ['sent_by', 'text', (row) => row.sentBy],
  ['decodable', 'bigint', (row) => row.decodable],
  ['seen_decodable', 'bigint', (row) => row.seenDecodable],
  ['sequence', 'bigint', (row) => row.sequence],
  ['played_at', 'bigint', (row) => row.playedAt],
  ['signing_key', 'text', (row) => row.signingKey],
  ['signing_sequence', 'bigint', (row) => row.signingSequence],
  ['signing_previous', 'text', (row) => row.signingPrevious],
  ['signing_signature', 'text', (row) => row.signingSignature],
  ['signing_verified', 'bigint', (row) => row.signingVerified],
]
const insertedColumns: readonly ColumnSpec[] = [
  { name: 'org_id', type: 'text' },
  { name: 'environment', type: 'text' },
  ...inserted.map(([name, type]) => ({ name, type })),
]

export const insertEvidence = async (tx: Tx, scope: Scope, rows: readonly NewEvidence[]): Promise<void> => {
  const values = rows.map((row) => [scope.orgId, scope.environment, ...inserted.map(([, , of]) => of(row))])
  if (values.length > 0) await tx.insertMany('evidence', insertedColumns, values)
}

/** These could not be decoded by who looked at them; so others of the same bytes. */
export const markUndecodable = async (
  tx: Tx,
  scope: Scope,
  sessionId: string,
  evidenceIds: readonly string[],
): Promise<void> => {
  const atOnce = 500
  for (let first = 0; first < evidenceIds.length; first += atOnce) {
    const ids = evidenceIds.slice(first, first + atOnce)
    await tx.run(
      `UPDATE evidence SET seen_decodable = 0 WHERE org_id = ? AND environment = ? AND session_id = ? AND object_id IN
         (SELECT e.object_id FROM evidence e WHERE e.org_id = ? AND e.environment = ? AND e.session_id = ?
            AND e.evidence_id IN (${ids.map(() => '?').join(', ')}))`,
      [...[scope.orgId, scope.environment, sessionId], ...[scope.orgId, scope.environment, sessionId], ...ids],
    )
  }
}

/** Rows of the session and type that have one of these in a column; of bytes only those that are not erased. */
export const listMatching = async (
  reader: Reader,
  scope: Scope,
  { sessionId, evidenceType }: Place,
  column: 'client_id' | 'sha256',
  values: readonly string[],
): Promise<EvidenceRow[]> => {
  if (values.length === 0) return []
  const kept = column === 'sha256' ? ' AND erased_at IS NULL' : ''
  const list = padded(values)
  return reader.all<EvidenceRow>(
    `SELECT ${columns} FROM evidence WHERE org_id = ? AND environment = ? AND session_id = ? AND evidence_type = ?
       AND ${column} IN (${list.marks})${kept}`,
    [scope.orgId, scope.environment, sessionId, evidenceType, ...list.values],
  )
}
