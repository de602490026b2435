import type { Scope } from '../../../kernel/identity/scope.ts'
import type { Stretch } from '../../../kernel/paging.ts'
import type { ColumnSpec, Param, Reader, Tx } from '../../../platform/db/types.ts'
import type { SegmentRow } from './transcripts.types.ts'

export const columns = `t.segment_id AS id, t.client_segment_id AS "segmentId", t.sequence, t.speaker, t.start_ms AS "startMs",
  t.end_ms AS "endMs", t.text, t.language, t.final, t.confidence, t.updated_at AS "updatedAt", t.change_seq AS "changeSeq"`

/** The environment is the session's. */
const ofSession = `FROM transcript_segments t JOIN sessions s ON s.org_id = t.org_id AND s.session_id = t.session_id
  WHERE t.org_id = ? AND s.environment = ? AND t.session_id = ?`
const values = (scope: Scope, sessionId: string): Param[] => [scope.orgId, scope.environment, sessionId]

const inOrder = 't.start_ms, t.sequence, t.segment_id'

/** A list of ids for `IN`, padded to few lengths so that few statements are prepared. */
const listed = (ids: readonly string[]): { marks: string; params: string[] } => {
  const length = [1, 10, 100].find((size) => size >= ids.length) ?? 500 * Math.ceil(ids.length / 500)
  const params = Array.from({ length }, (_, index) => ids[index] ?? ids[0]!)
  return { marks: params.map(() => '?').join(', '), params }
}

/** Those of the segments that are there, by the client's ids. */
export const findSegments = async (
  reader: Reader,
  scope: Scope,
  sessionId: string,
  segmentIds: readonly string[],
): Promise<SegmentRow[]> => {
  if (segmentIds.length === 0) return []
  const { marks, params } = listed(segmentIds)
  return reader.all<SegmentRow>(`SELECT ${columns} ${ofSession} AND t.client_segment_id IN (${marks})`, [
    ...values(scope, sessionId),
    ...params,
  ])
}

/** How many changes the session's transcript has seen, and how many segments it has. */
export const transcriptHead = async (
  reader: Reader,
  scope: Scope,
  sessionId: string,
): Promise<{ seq: number; segments: number }> => {
  const row = await reader.get<{ seq: number; segments: number }>(
    `SELECT transcript_seq AS seq, segment_count AS segments FROM sessions
     WHERE org_id = ? AND environment = ? AND session_id = ?`,
    values(scope, sessionId),
  )
  return row ?? { seq: 0, segments: 0 }
}

/**
 * Takes the next `count` numbers of the session's order of changes, of which so many are new segments, and answers the last
 * one before them.
 */
export const takeChanges = async (
  tx: Tx,
  scope: Scope,
  sessionId: string,
  { count, added }: { count: number; added: number },
): Promise<number> => {
  const row = await tx.get<{ seq: number }>(
    `UPDATE sessions SET transcript_seq = transcript_seq + ?, segment_count = segment_count + ?
     WHERE org_id = ? AND environment = ? AND session_id = ? RETURNING transcript_seq AS seq`,
    [count, added, ...values(scope, sessionId)],
  )
  if (!row) throw new Error(`session ${sessionId} is not there`)
  return row.seq - count
}

const inserted: readonly ColumnSpec[] = [
  { name: 'org_id', type: 'text' },
  { name: 'session_id', type: 'text' },
  { name: 'client_segment_id', type: 'text' },
  { name: 'segment_id', type: 'text' },
  { name: 'change_seq', type: 'bigint' },
  { name: 'sequence', type: 'integer' },
  { name: 'speaker', type: 'text' },
  { name: 'start_ms', type: 'bigint' },
  { name: 'end_ms', type: 'bigint' },
  { name: 'text', type: 'text' },
  { name: 'language', type: 'text' },
  { name: 'final', type: 'integer' },
  { name: 'confidence', type: 'double precision' },
  { name: 'updated_at', type: 'bigint' },
]

/**
 * Puts the rows in the place of those with the same client's ids, in two statements whatever their number.
 * The session must be locked, and found in this scope.
 */
export const replaceSegments = async (
  tx: Tx,
  scope: Scope,
  sessionId: string,
  rows: readonly SegmentRow[],
  known: readonly string[],
): Promise<void> => {
  if (known.length > 0) {
    const { marks, params } = listed(known)
    await tx.run(
      `DELETE FROM transcript_segments WHERE org_id = ? AND session_id = ? AND client_segment_id IN (${marks})`,
      [scope.orgId, sessionId, ...params],
    )
  }
  const cells = rows.map((row): Param[] => [
    scope.orgId,
    sessionId,
    row.segmentId,
    row.id,
    row.changeSeq,
    row.sequence,
    row.speaker,
    row.startMs,
    row.endMs,
    row.text,
    row.language,
    row.final,
    row.confidence,
    row.updatedAt,
  ])
  await tx.insertMany('transcript_segments', inserted, cells)
}

/** What began to be spoken in a time of the session; `untilMs` is left out. */
export interface SpokenIn {
  readonly fromMs: number
  readonly untilMs: number
}

const spoken = (period: SpokenIn | undefined): { sql: string; params: Param[] } =>
  period
    ? { sql: ' AND t.start_ms >= ? AND t.start_ms < ?', params: [period.fromMs, period.untilMs] }
    : { sql: '', params: [] }

/** In the order of speech. Passed over in the index alone: a row that is not shown is not looked at. */
export const listSegments = (
  reader: Reader,
  scope: Scope,
  sessionId: string,
  { after, skip, take }: Stretch,
  period?: SpokenIn,
): Promise<SegmentRow[]> => {
  const bounds = spoken(period)
  const beyond = {
    sql: `${after ? `AND (${inOrder}) > (?, ?, ?)` : ''}${bounds.sql}`,
    params: [...(after ?? []), ...bounds.params],
  }
  const first = `(SELECT ${inOrder} FROM transcript_segments t WHERE t.org_id = ? AND t.session_id = ? ${beyond.sql}
    ORDER BY ${inOrder} LIMIT 1 OFFSET ?)`
  const from =
    skip === 0
      ? beyond
      : {
          sql: `AND (${inOrder}) >= ${first}${bounds.sql}`,
          params: [scope.orgId, sessionId, ...beyond.params, skip, ...bounds.params],
        }
  return reader.all<SegmentRow>(`SELECT ${columns} ${ofSession} ${from.sql} ORDER BY ${inOrder} LIMIT ?`, [
    ...values(scope, sessionId),
    ...from.params,
    take,
  ])
}

/** A segment's place in the order of speech. */
export const keyOfSegment = ({ startMs, sequence, id }: Pick<SegmentRow, 'startMs' | 'sequence' | 'id'>) =>
  [startMs, sequence, id] as const

/** The earliest changes after `since`, in the order in which they were made. */
export const listChanges = (
  reader: Reader,
  scope: Scope,
  sessionId: string,
  since: number,
  { after, skip, take }: Stretch,
  period?: SpokenIn,
): Promise<SegmentRow[]> => {
  const bounds = spoken(period)
  return reader.all<SegmentRow>(
    `SELECT ${columns} ${ofSession} AND t.change_seq > ?${bounds.sql} ORDER BY t.change_seq LIMIT ? OFFSET ?`,
    [...values(scope, sessionId), ...(after ?? [since]), ...bounds.params, take, skip],
  )
}

export const countSpoken = async (
  reader: Reader,
  { orgId }: Scope,
  sessionId: string,
  period: SpokenIn,
): Promise<number> => {
  const bounds = spoken(period)
  const row = await reader.get<{ n: number }>(
    `SELECT count(*) AS n FROM transcript_segments t WHERE t.org_id = ? AND t.session_id = ?${bounds.sql}`,
    [orgId, sessionId, ...bounds.params],
  )
  return row?.n ?? 0
}

/** The segments of any environment, in the order of their numbers; for operator commands. */
export const segmentsBehind = (
  reader: Reader,
  { orgId, sessionId }: { readonly orgId: string; readonly sessionId: string },
  { after, take }: { readonly after: number; readonly take: number },
): Promise<SegmentRow[]> =>
  reader.all<SegmentRow>(
    `SELECT ${columns} FROM transcript_segments t
     WHERE t.org_id = ? AND t.session_id = ? AND t.change_seq > ? ORDER BY t.change_seq LIMIT ?`,
    [orgId, sessionId, after, take],
  )

export const countChanges = async (
  reader: Reader,
  scope: Scope,
  sessionId: string,
  since: number,
  period?: SpokenIn,
): Promise<number> => {
  const bounds = spoken(period)
  const sql = `SELECT count(*) AS n ${ofSession} AND t.change_seq > ?${bounds.sql}`
  return (await reader.get<{ n: number }>(sql, [...values(scope, sessionId), since, ...bounds.params]))?.n ?? 0
}

/** The earliest change among the segments that come after this one in the order of speech; null if it is the last. */
export const firstChangeBehind = async (
  reader: Reader,
  scope: Scope,
  sessionId: string,
  last: SegmentRow,
): Promise<number | null> => {
  const sql = `SELECT min(t.change_seq) AS seq ${ofSession} AND (t.start_ms, t.sequence, t.segment_id) > (?, ?, ?)`
  const params = [...values(scope, sessionId), ...keyOfSegment(last)]
  return (await reader.get<{ seq: number | null }>(sql, params))?.seq ?? null
}

/** Stretches of at least `minimumMs` between a word and the next in which there is none. */
export const listGaps = (
  reader: Reader,
  scope: Scope,
  sessionId: string,
  minimumMs: number,
): Promise<{ fromMs: number; toMs: number }[]> =>
  reader.all<{ fromMs: number; toMs: number }>(
    `SELECT from_ms AS "fromMs", to_ms AS "toMs" FROM (
       SELECT max(t.end_ms) OVER (ORDER BY ${inOrder} ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS from_ms,
         t.start_ms AS to_ms ${ofSession} AND trim(t.text) <> ''
     ) AS spans WHERE to_ms - from_ms >= ? ORDER BY from_ms`,
    [...values(scope, sessionId), minimumMs],
  )

export const deleteSegments = async (tx: Tx, scope: Scope, sessionId: string): Promise<number> => {
  const { changes } = await tx.run(
    `DELETE FROM transcript_segments WHERE org_id = ? AND session_id IN
     (SELECT s.session_id FROM sessions s WHERE s.org_id = ? AND s.environment = ? AND s.session_id = ?)`,
    [scope.orgId, ...values(scope, sessionId)],
  )
  await tx.run(
    'UPDATE sessions SET segment_count = 0 WHERE org_id = ? AND environment = ? AND session_id = ?',
    values(scope, sessionId),
  )
  return changes
}
