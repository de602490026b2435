import type { Environment, Scope } from '../../../kernel/identity/scope.ts'
import { padded } from '../../../platform/db/padded-list.ts'
import type { Param, Reader, Tx } from '../../../platform/db/types.ts'
import type { Item } from '../evidence/evidence.types.ts'

/** An item whose bytes come in parts, as its row has it. */
export interface UploadRow extends Omit<Item, 'metadata' | 'captureSignature'> {
  readonly id: string
  readonly sessionId: string
  /** JSON. */
  readonly metadata: string
  /** JSON; null where the machine did not sign the item. */
  readonly captureSignature: string | null
  readonly partSize: number
  readonly partCount: number
  readonly state: 'open' | 'completed' | 'aborted'
  readonly storeKey: string
  /** Age header and payload nonce; null once the upload is completed (the object has them) or aborted. */
  readonly header: string | null
  readonly nonce: string | null
  readonly evidenceId: string | null
  readonly expiresAt: number
}

const columns = `upload_id AS id, session_id AS "sessionId", client_id AS "clientId", evidence_type AS "evidenceType",
  size_bytes AS "sizeBytes", sha256, content_type AS "contentType", captured_at AS "capturedAt",
  duration_ms AS "durationMs", metadata, capture_signature AS "captureSignature", part_size AS "partSize", part_count AS "partCount", state,
  store_key AS "storeKey", header, nonce, evidence_id AS "evidenceId", expires_at AS "expiresAt"`

const select = (where: string) => `SELECT ${columns} FROM uploads WHERE org_id = ? AND environment = ? AND ${where}`
const keys = (scope: Scope, ...more: Param[]): Param[] => [scope.orgId, scope.environment, ...more]

/** An upload of one session; another session's is not there. */
export const findUpload = (reader: Reader, scope: Scope, sessionId: string, uploadId: string) =>
  reader.get<UploadRow>(select('session_id = ? AND upload_id = ?'), keys(scope, sessionId, uploadId))

/** Reads the upload and holds it until the commit. */
export const findUploadForUpdate = (tx: Tx, scope: Scope, uploadId: string) =>
  tx.get<UploadRow>(`${select('upload_id = ?')}${tx.forUpdate}`, keys(scope, uploadId))

/** The open upload of a client's item; expired ones count until they are swept. */
export const findOpenUpload = (
  reader: Reader,
  scope: Scope,
  item: Pick<UploadRow, 'sessionId' | 'evidenceType' | 'clientId'>,
) =>
  reader.get<UploadRow>(
    select("session_id = ? AND evidence_type = ? AND client_id = ? AND state = 'open'"),
    keys(scope, item.sessionId, item.evidenceType, item.clientId),
  )

export const countOpenUploads = async (reader: Reader, scope: Scope, sessionId: string, now: number) => {
  const row = await reader.get<{ n: number }>(
    `SELECT count(*) AS n FROM uploads
     WHERE org_id = ? AND environment = ? AND session_id = ? AND state = 'open' AND expires_at > ?`,
    keys(scope, sessionId, now),
  )
  return row?.n ?? 0
}

export type NewUpload = Omit<UploadRow, 'state' | 'evidenceId'> & { readonly createdAt: number }

export const insertUpload = async (tx: Tx, scope: Scope, upload: NewUpload): Promise<void> => {
  await tx.run(
    `INSERT INTO uploads (org_id, environment, upload_id, session_id, client_id, evidence_type, size_bytes, sha256,
       content_type, captured_at, duration_ms, metadata, capture_signature, part_size, part_count, state, store_key, header, nonce,
       created_at, expires_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 'open', ?, ?, ?, ?, ?)`,
    keys(
      scope,
      upload.id,
      upload.sessionId,
      upload.clientId,
      upload.evidenceType,
      upload.sizeBytes,
      upload.sha256,
      upload.contentType,
      upload.capturedAt,
      upload.durationMs,
      upload.metadata,
      upload.captureSignature,
      upload.partSize,
      upload.partCount,
      upload.storeKey,
      upload.header,
      upload.nonce,
      upload.createdAt,
      upload.expiresAt,
    ),
  )
}

/** The secrets of an upload that is over move to its object or are gone; what the agent said about it goes too. */
export const closeUpload = async (
  tx: Tx,
  scope: Scope,
  uploadId: string,
  end: { state: 'completed'; evidenceId: string } | { state: 'aborted' },
): Promise<void> => {
  await tx.run(
    `UPDATE uploads SET state = ?, evidence_id = ?, header = NULL, nonce = NULL, metadata = '{}'
     WHERE org_id = ? AND environment = ? AND upload_id = ?`,
    [end.state, end.state === 'completed' ? end.evidenceId : null, ...keys(scope, uploadId)],
  )
}

/** Reads every open upload of a session and holds them until the commit. */
export const listOpenUploadsForUpdate = (tx: Tx, scope: Scope, sessionId: string): Promise<UploadRow[]> =>
  tx.all<UploadRow>(
    `${select("session_id = ? AND state = 'open' ORDER BY upload_id")}${tx.forUpdate}`,
    keys(scope, sessionId),
  )

/** Crosses tenants, for housekeeping: uploads that nobody completed in time. */
export const listExpiredUploadsAcrossOrgs = (
  reader: Reader,
  now: number,
  limit: number,
): Promise<{ orgId: string; environment: Environment; id: string }[]> =>
  reader.all(
    `SELECT org_id AS "orgId", environment, upload_id AS id FROM uploads
     WHERE state = 'open' AND expires_at <= ? ORDER BY expires_at LIMIT ?`,
    [now, limit],
  )

/** Crosses tenants, for housekeeping: uploads that ended, and whose time was over before, with their parts. */
export const deleteEndedOfAllOrgs = async (
  tx: Tx,
  state: 'completed' | 'aborted',
  before: number,
  limit: number,
): Promise<number> => {
  const ended = await tx.all<{ orgId: string; id: string }>(
    `SELECT org_id AS "orgId", upload_id AS id FROM uploads WHERE state = ? AND expires_at <= ? ORDER BY expires_at LIMIT ?`,
    [state, before, limit],
  )
  for (const [orgId, ofOrg] of Map.groupBy(ended, (one) => one.orgId)) {
    const { marks, values } = padded(ofOrg.map(({ id }) => id))
    for (const table of ['upload_parts', 'uploads'])
      await tx.run(`DELETE FROM ${table} WHERE org_id = ? AND upload_id IN (${marks})`, [orgId, ...values])
  }
  return ended.length
}

/** Of uploads that are over: the agent's own id, and what tells one content from another. Their evidence is another's to bury. */
export const eraseTraces = async (tx: Tx, scope: Scope, sessionId: string): Promise<void> => {
  const ofSession = 'org_id = ? AND environment = ? AND session_id = ?'
  await tx.run(
    `UPDATE upload_parts SET sha256 = '' WHERE org_id = ? AND upload_id IN (SELECT upload_id FROM uploads WHERE ${ofSession})`,
    [scope.orgId, ...keys(scope, sessionId)],
  )
  await tx.run(
    `UPDATE uploads SET client_id = upload_id, sha256 = '', capture_signature = NULL WHERE ${ofSession}`,
    keys(scope, sessionId),
  )
}

/** Where uploads put what has no row of evidence yet; those of both environments of an organisation. */
export const keysOnTheWay = async (reader: Reader, orgId: string): Promise<string[]> => {
  const sql = "SELECT store_key AS key FROM uploads WHERE org_id = ? AND state = 'open'"
  return (await reader.all<{ key: string }>(sql, [orgId])).map(({ key }) => key)
}
