import type { Scope } from '../../../kernel/identity/scope.ts'
import { padded } from '../../../platform/db/padded-list.ts'
import type { ColumnSpec, Reader, Tx } from '../../../platform/db/types.ts'

/** A stored object as reading needs it: where its payload lies and the age header that opens it. */
export interface ObjectRow {
  readonly storeKey: string
  /** Null once it was shredded. */
  readonly header: string | null
  readonly sizeBytes: number
  /** Where what was sent beside it lies; null where nothing was. */
  readonly smallPlace: string | null
  readonly levelsPlace: string | null
  /** Of the evidence row that it was reached through; null for one that was never bound. */
  readonly mac: string | null
}

/** Objects have no environment of their own; they are reached through an evidence row, which has one. */
export const findObjectOf = (reader: Reader, scope: Scope, evidenceId: string): Promise<ObjectRow | undefined> =>
  reader.get<ObjectRow>(
    `SELECT o.store_key AS "storeKey", o.header, o.size_bytes AS "sizeBytes",
       o.small_place AS "smallPlace", o.levels_place AS "levelsPlace", e.mac
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
  /** Rows that are about to be inserted and refer to it. */
  readonly refs: number
  /** The pack whose stored file holds this object, and where its small picture and its levels lie in that file. */
  readonly packId?: string | undefined
  readonly smallPlace?: string | null | undefined
  readonly levelsPlace?: string | null | undefined
}

const objectColumns: readonly ColumnSpec[] = [
  ...(['org_id', 'object_id', 'provider', 'store_key', 'header'] as const).map(
    (name) => ({ name, type: 'text' }) as const,
  ),
  { name: 'size_bytes', type: 'bigint' },
  { name: 'sha256', type: 'text' },
  { name: 'refs', type: 'integer' },
  { name: 'created_at', type: 'bigint' },
  ...(['pack_id', 'small_place', 'levels_place'] as const).map((name) => ({ name, type: 'text' }) as const),
]

/** The first rows that refer to them are about to be inserted. */
export const insertObjects = async (tx: Tx, { orgId }: Scope, objects: readonly NewObject[]): Promise<void> => {
  const rows = objects.map((one) => [
    ...[orgId, one.objectId, 'local', one.storeKey, one.header, one.sizeBytes, one.sha256, one.refs, one.createdAt],
    ...[one.packId ?? null, one.smallPlace ?? null, one.levelsPlace ?? null],
  ])
  if (rows.length > 0) await tx.insertMany('objects', objectColumns, rows)
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

/** Which of these stored files have a row: of an object alone, of those that share it, or of those beside which it is. */
export const knownFiles = async (reader: Reader, orgId: string, ids: readonly string[]): Promise<string[]> => {
  const { marks, values } = padded(ids)
  const sql = `SELECT object_id AS id FROM objects WHERE org_id = ? AND object_id IN (${marks})
    UNION SELECT pack_id AS id FROM objects WHERE org_id = ? AND pack_id IN (${marks})
    UNION SELECT beside_id AS id FROM objects WHERE org_id = ? AND beside_id IN (${marks})`
  const params = [orgId, ...values]
  return (await reader.all<{ id: string }>(sql, [...params, ...params, ...params])).map(({ id }) => id)
}
