import type { Scope } from '../../../kernel/identity/scope.ts'
import { padded } from '../../../platform/db/padded-list.ts'
import type { Reader } from '../../../platform/db/types.ts'
import type { ObjectRow } from './objects.store.ts'

/** The object that a row of evidence is bound to. */
export interface BoundObject extends ObjectRow {
  readonly evidenceId: string
  readonly objectId: string
  /** The file of what was made beside it; null while nobody has tried to make anything. */
  readonly besideId: string | null
}

/** The same for several rows of one scope; in no order. */
export const findObjectsOf = (reader: Reader, scope: Scope, evidenceIds: readonly string[]): Promise<BoundObject[]> => {
  if (evidenceIds.length === 0) return Promise.resolve([])
  const { marks, values } = padded(evidenceIds)
  return reader.all<BoundObject>(
    `SELECT e.evidence_id AS "evidenceId", o.store_key AS "storeKey", o.header, o.size_bytes AS "sizeBytes",
       o.object_id AS "objectId", o.beside_id AS "besideId", o.small_place AS "smallPlace",
       o.levels_place AS "levelsPlace", e.mac
     FROM evidence e JOIN objects o ON o.org_id = e.org_id AND o.object_id = e.object_id
     WHERE e.org_id = ? AND e.environment = ? AND e.evidence_id IN (${marks})`,
    [scope.orgId, scope.environment, ...values],
  )
}
