import type { Scope } from '../../../kernel/identity/scope.ts'
import type { Reader, Tx } from '../../../platform/db/types.ts'

/** Parts have no environment of their own; they are reached through their upload, which has one. */
const ofUpload = `FROM upload_parts p JOIN uploads u ON u.org_id = p.org_id AND u.upload_id = p.upload_id
  WHERE p.org_id = ? AND u.environment = ? AND p.upload_id = ?`

/** Indexes of the parts that are here, ascending. */
export const listParts = async (reader: Reader, scope: Scope, uploadId: string): Promise<number[]> => {
  const rows = await reader.all<{ index: number }>(`SELECT p.part_index AS "index" ${ofUpload} ORDER BY p.part_index`, [
    scope.orgId,
    scope.environment,
    uploadId,
  ])
  return rows.map((row) => row.index)
}

/** SHA-256 of the part that is here at an index. */
export const findPart = async (
  reader: Reader,
  scope: Scope,
  uploadId: string,
  index: number,
): Promise<string | undefined> => {
  const row = await reader.get<{ sha256: string }>(`SELECT p.sha256 ${ofUpload} AND p.part_index = ?`, [
    scope.orgId,
    scope.environment,
    uploadId,
    index,
  ])
  return row?.sha256
}

/** Call with the upload locked in its scope. */
export const insertPart = async (
  tx: Tx,
  scope: Scope,
  uploadId: string,
  part: { index: number; sha256: string; sizeBytes: number },
  now: number,
): Promise<void> => {
  await tx.run(
    `INSERT INTO upload_parts (org_id, upload_id, part_index, sha256, size_bytes, created_at) VALUES (?, ?, ?, ?, ?, ?)`,
    [scope.orgId, uploadId, part.index, part.sha256, part.sizeBytes, now],
  )
}

/** Call with the upload locked in its scope. */
export const deleteParts = async (tx: Tx, scope: Scope, uploadId: string): Promise<void> => {
  await tx.run('DELETE FROM upload_parts WHERE org_id = ? AND upload_id = ?', [scope.orgId, uploadId])
}
