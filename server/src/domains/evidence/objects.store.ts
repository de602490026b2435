import type { Scope } from '../../kernel/identity/scope.ts'
import { padded } from '../../platform/db/padded-list.ts'
import type { Reader, Tx } from '../../platform/db/types.ts'

/** A stored object as reading needs it: where its payload lies and the age header that opens it. */
export interface ObjectRow {
  readonly storeKey: string
  /** Null once it was shredded. */
  readonly header: string | null
  readonly sizeBytes: number
  /** Of the evidence row that it was reached through; null for one that was never bound. */
  readonly mac: string | null
}

/** Objects have no environment of their own; they are reached through an evidence row, which has one. */
export const findObjectOf = (reader: Reader, scope: Scope, evidenceId: string): Promise<ObjectRow | undefined> =>
  reader.get<ObjectRow>(
    `SELECT o.store_key AS "storeKey", o.header, o.size_bytes AS "sizeBytes", e.mac
     FROM evidence e JOIN objects o ON o.org_id = e.org_id AND o.object_id = e.object_id
     WHERE e.org_id = ? AND e.environment = ? AND e.evidence_id = ?`,
    [scope.orgId, scope.environment, evidenceId],
  )

export interface NewObject {
  readonly objectId: string
  readonly storeKey: string
  readonly header: string
  readonly sizeBytes: number
  readonly sha256: string
  readonly createdAt: number
}

/** The first row that refers to it is about to be inserted. */
export const insertObject = async (tx: Tx, scope: Scope, object: NewObject): Promise<void> => {
  await tx.run(
    `INSERT INTO objects (org_id, object_id, provider, store_key, header, size_bytes, sha256, refs, created_at)
     VALUES (?, ?, 'local', ?, ?, ?, ?, 1, ?)`,
    [scope.orgId, object.objectId, object.storeKey, object.header, object.sizeBytes, object.sha256, object.createdAt],
  )
}

/** Counts one more row that refers to the object of `evidenceId`; false when it is shredded already. */
export const shareObjectOf = async (tx: Tx, scope: Scope, evidenceId: string): Promise<boolean> => {
  const { changes } = await tx.run(
    `UPDATE objects SET refs = refs + 1 WHERE org_id = ? AND erased_at IS NULL AND object_id =
       (SELECT e.object_id FROM evidence e WHERE e.org_id = ? AND e.environment = ? AND e.evidence_id = ?)`,
    [scope.orgId, scope.orgId, scope.environment, evidenceId],
  )
  return changes === 1
}

/** Which of these have a row. */
export const knownObjects = async (reader: Reader, orgId: string, objectIds: readonly string[]): Promise<string[]> => {
  const { marks, values } = padded(objectIds)
  const sql = `SELECT object_id AS id FROM objects WHERE org_id = ? AND object_id IN (${marks})`
  return (await reader.all<{ id: string }>(sql, [orgId, ...values])).map(({ id }) => id)
}
