import type { Scope } from '../../../kernel/identity/scope.ts'
import type { Stretch } from '../../../kernel/paging.ts'
import { merged, type Slice } from '../../../platform/db/merged.ts'
import type { Reader, Tx } from '../../../platform/db/types.ts'
import { columns, type Place } from './evidence.store.ts'
import type { EvidenceRow } from './evidence.types.ts'

const ofType = 'FROM evidence WHERE org_id = ? AND session_id = ? AND evidence_type = ?'
const order = 'at, sequence, position'

/**
 * Rows that are played at the time of this column, behind a key. Without one a bound says to SQLite that the index in this order
 * narrows more than another of the same columns.
 */
const slice = (at: string, where: string, after: Stretch['after'], params: readonly string[]): Slice => ({
  sql: `SELECT ${at} AS at, sequence, position ${ofType} AND ${where}
    ${after ? `AND (${at}, sequence, position) > (?, ?, ?)` : `AND ${at} > 0`}`,
  params: [...params, ...(after ?? [])],
})

export const keyOfPlay = ({ playedAt, capturedAt, sequence, position }: EvidenceRow) =>
  [playedAt ?? capturedAt, sequence, position] as const

/**
 * In playback order: late deliveries lie where they were captured, which no dense position can tell beforehand. Passed over in
 * the indexes alone: a row that is not shown is not looked at.
 */
export const listByCapture = (
  reader: Reader,
  scope: Scope,
  { sessionId, evidenceType }: Place,
  { after, skip, take }: Stretch,
): Promise<EvidenceRow[]> => {
  const params = [scope.orgId, sessionId, evidenceType]
  const slices = [
    slice('captured_at', 'played_at IS NULL', after, params),
    slice('played_at', 'played_at IS NOT NULL', after, params),
  ]
  const places = merged(slices, order, { skip, take })
  return reader.all<EvidenceRow>(
    `SELECT ${columns} FROM evidence WHERE org_id = ? AND environment = ? AND session_id = ?
       AND position IN (SELECT position FROM (${places.sql}) AS places)
     ORDER BY COALESCE(played_at, captured_at), sequence, position`,
    [scope.orgId, scope.environment, sessionId, ...places.params],
  )
}

/** An object with its number, and when it is played. */
export interface Numbered {
  readonly sequence: number
  readonly at: number
}

/** Those of the type that are numbered next below, or the same, and next above. */
export const findNeighbours = async (tx: Tx, scope: Scope, { sessionId, evidenceType }: Place, sequence: number) => {
  const one = (where: string, direction: 'ASC' | 'DESC') =>
    tx.get<Numbered>(
      `SELECT sequence, COALESCE(played_at, captured_at) AS at ${ofType} AND sequence >= 0 AND ${where}
       ORDER BY sequence ${direction} LIMIT 1`,
      [scope.orgId, sessionId, evidenceType, sequence],
    )
  return { before: await one('sequence <= ?', 'DESC'), behind: await one('sequence > ?', 'ASC') }
}
