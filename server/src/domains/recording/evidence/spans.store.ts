import type { EvidenceSource, EvidenceType } from '@integrity/protocol'
import type { Scope } from '../../../kernel/identity/scope.ts'
import { merged, type Slice } from '../../../platform/db/merged.ts'
import type { Reader } from '../../../platform/db/types.ts'
import { columns } from './evidence.store.ts'
import type { EvidenceRow } from './evidence.types.ts'

/** What began in a stretch of time, by when it is played. Epoch milliseconds; `untilAt` is left out. */
export interface Span {
  readonly sessionId: string
  readonly evidenceTypes: readonly EvidenceType[]
  readonly fromAt: number
  readonly untilAt: number
  /** Of this source alone, and what does not say of which it is: rows from before the column, and tombstones. */
  readonly source?: EvidenceSource | undefined
}

/** Without a bound the other one stays, so that an index has an end to begin at. */
export const everFrom = 0
export const everUntil = Number.MAX_SAFE_INTEGER

const ofSource = (source: EvidenceSource | undefined): Slice => {
  if (source === undefined) return { sql: '', params: [] }
  // An erasure takes the name of a display.
  const tombstones = source.startsWith('screen:') ? " OR (source = 'screen' AND erased_at IS NOT NULL)" : ''
  return { sql: ` AND (source = ? OR source IS NULL${tombstones})`, params: [source] }
}

const slicesOf = (
  scope: Scope,
  { sessionId, evidenceTypes, fromAt, untilAt, source }: Span,
  after: readonly (string | number)[] | undefined,
): Slice[] => {
  const own = ofSource(source)
  return evidenceTypes.flatMap((type) =>
    (['captured_at', 'played_at'] as const).map((at) => {
      const played = at === 'captured_at' ? 'played_at IS NULL' : 'played_at IS NOT NULL'
      const begin = after ? `(${at}, sequence, position) > (?, ?, ?)` : `${at} >= ?`
      return {
        sql: `SELECT ${at} AS at, sequence, position FROM evidence WHERE org_id = ? AND session_id = ? AND evidence_type = ?
          AND ${played} AND ${begin} AND ${at} < ?${own.sql}`,
        params: [scope.orgId, sessionId, type, ...(after ?? [fromAt]), untilAt, ...own.params],
      }
    }),
  )
}

const order = 'at, sequence, position'

/** In the order in which it is played, tombstones too, behind a key. The caller has found the session in this scope. */
export const listInSpan = (
  reader: Reader,
  scope: Scope,
  span: Span,
  { after, skip, take }: { readonly after?: readonly (string | number)[] | undefined; skip: number; take: number },
): Promise<EvidenceRow[]> => {
  const places = merged(slicesOf(scope, span, after), order, { skip, take })
  return reader.all<EvidenceRow>(
    `SELECT ${columns} FROM evidence WHERE org_id = ? AND environment = ? AND session_id = ?
       AND position IN (SELECT position FROM (${places.sql}) AS places)
     ORDER BY COALESCE(played_at, captured_at), sequence, position`,
    [scope.orgId, scope.environment, span.sessionId, ...places.params],
  )
}

export const countInSpan = async (reader: Reader, scope: Scope, span: Span): Promise<number> => {
  const slices = slicesOf(scope, span, undefined)
  const row = await reader.get<{ counted: number }>(
    `SELECT count(*) AS counted FROM (${slices.map(({ sql }) => sql).join(' UNION ALL ')}) AS places`,
    slices.flatMap(({ params }) => params),
  )
  return row?.counted ?? 0
}

/** What a player has to know of an item before it asks for its bytes. */
export interface IndexRow
  extends Pick<
    EvidenceRow,
    'id' | 'evidenceType' | 'source' | 'sentBy' | 'sizeBytes' | 'contentType' | 'capturedAt' | 'durationMs' | 'playedAt'
  > {
  /** JSON, where the row does not say its source. */
  readonly metadata: string
  /** 1 where levels lie beside it, or can be made. */
  readonly hasLevels: 0 | 1
}

/** What is kept of a session, each type in the order of capture. The caller has found the session in this scope. */
export const listForIndex = (reader: Reader, scope: Scope, sessionId: string, take: number): Promise<IndexRow[]> =>
  reader.all<IndexRow>(
    `SELECT e.evidence_id AS id, e.evidence_type AS "evidenceType", e.source, e.sent_by AS "sentBy",
       e.size_bytes AS "sizeBytes", e.content_type AS "contentType", e.captured_at AS "capturedAt",
       e.duration_ms AS "durationMs", e.played_at AS "playedAt",
       CASE WHEN e.source IS NULL THEN e.metadata ELSE '{}' END AS metadata,
       CASE WHEN o.levels_place IS NOT NULL OR (o.beside_id IS NULL AND e.content_type LIKE 'audio/%') THEN 1 ELSE 0 END
         AS "hasLevels"
     FROM evidence e JOIN objects o ON o.org_id = e.org_id AND o.object_id = e.object_id
     WHERE e.org_id = ? AND e.environment = ? AND e.session_id = ? AND e.erased_at IS NULL
     ORDER BY e.evidence_type, e.captured_at, e.position LIMIT ?`,
    [scope.orgId, scope.environment, sessionId, take],
  )
