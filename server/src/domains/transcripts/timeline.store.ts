import type { timelineKinds } from '@integrity/protocol'
import type { Scope } from '../../kernel/identity/scope.ts'
import type { Param, Reader } from '../../platform/db/types.ts'
import type { Page, SegmentRow } from './transcripts.store.ts'

export type TimelineKind = (typeof timelineKinds)[number]

export type TimelineEntry =
  | { readonly kind: 'speech'; readonly at: number; readonly segment: SegmentRow }
  | { readonly kind: 'screenshot'; readonly at: number; readonly id: string; readonly metadata: string }
  | {
      readonly kind: 'event'
      readonly at: number
      readonly id: string
      readonly eventKind: string
      readonly source: string
      readonly data: string
    }

interface Raw {
  readonly kind: TimelineKind
  readonly at: number
  readonly id: string
  readonly name: string
  readonly body: string
  readonly extra: string | null
  readonly sequence: number
  readonly startMs: number | null
  readonly endMs: number | null
  readonly final: 0 | 1 | null
  readonly confidence: number | null
  readonly updatedAt: number | null
  readonly source: string | null
  readonly changeSeq: number | null
}

const ofSession = 's.org_id = ? AND s.environment = ? AND s.session_id = ?'
const session = (alias: string) =>
  `JOIN sessions s ON s.org_id = ${alias}.org_id AND s.session_id = ${alias}.session_id`

/**
 * One SELECT for each source, all with the same columns and three parameters (org, environment, session); `rank` and
 * `sequence` order what happened at the same instant. NULLs carry a type, which Postgres wants to know in a UNION.
 */
const sources: Record<TimelineKind, { rows: string; count: string }> = {
  event: {
    rows: `SELECT 'event' AS kind, 0 AS rank, e.observed_at AS at, e.position AS sequence, e.event_id AS id, e.kind AS name,
        e.data AS body, CAST(NULL AS text) AS extra, CAST(NULL AS bigint) AS "startMs", CAST(NULL AS bigint) AS "endMs",
        CAST(NULL AS integer) AS final, CAST(NULL AS double precision) AS confidence, CAST(NULL AS bigint) AS "updatedAt",
        e.source AS source, CAST(NULL AS bigint) AS "changeSeq"
      FROM integrity_events e ${session('e')} WHERE ${ofSession}`,
    count: `SELECT count(*) AS n FROM integrity_events e ${session('e')} WHERE ${ofSession}`,
  },
  screenshot: {
    rows: `SELECT 'screenshot' AS kind, 1 AS rank, v.captured_at AS at, v.position AS sequence, v.evidence_id AS id,
        v.evidence_type AS name, v.metadata AS body, CAST(NULL AS text) AS extra, CAST(NULL AS bigint) AS "startMs",
        CAST(NULL AS bigint) AS "endMs", CAST(NULL AS integer) AS final, CAST(NULL AS double precision) AS confidence,
        CAST(NULL AS bigint) AS "updatedAt", CAST(NULL AS text) AS source, CAST(NULL AS bigint) AS "changeSeq"
      FROM evidence v ${session('v')} WHERE ${ofSession} AND v.environment = s.environment
        AND v.evidence_type = 'screenshot' AND v.erased_at IS NULL`,
    count: `SELECT count(*) AS n FROM evidence v ${session('v')} WHERE ${ofSession} AND v.environment = s.environment
        AND v.evidence_type = 'screenshot' AND v.erased_at IS NULL`,
  },
  speech: {
    rows: `SELECT 'speech' AS kind, 2 AS rank, s.started_at + t.start_ms AS at, t.sequence AS sequence, t.segment_id AS id,
        t.client_segment_id AS name, t.text AS body, t.language AS extra, t.start_ms AS "startMs", t.end_ms AS "endMs",
        t.final AS final, t.confidence AS confidence, t.updated_at AS "updatedAt", t.speaker AS source,
        t.change_seq AS "changeSeq"
      FROM transcript_segments t ${session('t')} WHERE ${ofSession}`,
    count: `SELECT count(*) AS n FROM transcript_segments t ${session('t')} WHERE ${ofSession}`,
  },
}

const entryOf = (raw: Raw): TimelineEntry => {
  const { at, id } = raw
  if (raw.kind === 'screenshot') return { kind: 'screenshot', at, id, metadata: raw.body }
  if (raw.kind === 'event')
    return { kind: 'event', at, id, eventKind: raw.name, source: raw.source ?? '', data: raw.body }
  const segment = {
    id,
    segmentId: raw.name,
    sequence: raw.sequence,
    speaker: raw.source,
    startMs: raw.startMs,
    endMs: raw.endMs,
    text: raw.body,
    language: raw.extra,
    final: raw.final,
    confidence: raw.confidence,
    updatedAt: raw.updatedAt,
    changeSeq: raw.changeSeq,
  } as SegmentRow
  return { kind: 'speech', at, segment }
}

/** What happened in a session, of the given kinds, in the order of time; screenshots that were erased are left out. */
export const listTimeline = async (
  reader: Reader,
  scope: Scope,
  sessionId: string,
  kinds: readonly TimelineKind[],
  page: Page,
): Promise<{ entries: TimelineEntry[]; total: number }> => {
  const one: Param[] = [scope.orgId, scope.environment, sessionId]
  const params = kinds.flatMap(() => one)
  const union = kinds.map((kind) => sources[kind].rows).join(' UNION ALL ')
  const rows = await reader.all<Raw>(
    `SELECT * FROM (${union}) AS items ORDER BY at, rank, sequence, id LIMIT ? OFFSET ?`,
    [...params, page.limit, page.offset],
  )
  const counts = kinds.map((kind) => sources[kind].count).join(' UNION ALL ')
  const counted = await reader.get<{ total: number }>(`SELECT SUM(n) AS total FROM (${counts}) AS counts`, params)
  return { entries: rows.map(entryOf), total: counted?.total ?? 0 }
}
