import {
  type derivedKinds,
  type EvidenceSender,
  type EvidenceSource,
  type EvidenceType,
  recordedKinds,
  type timelineKinds,
} from '@integrity/protocol'
import type { Param } from '../../../platform/db/types.ts'

export type TimelineKind = (typeof timelineKinds)[number] | 'bookkeeping'
type DerivedKind = (typeof derivedKinds)[number]
/** What stands in tables of its own. */
export type StoredKind = Exclude<TimelineKind, DerivedKind>

export type RecordedKind = (typeof recordedKinds)[number]
export const isRecorded = (kind: TimelineKind): kind is RecordedKind =>
  (recordedKinds as readonly TimelineKind[]).includes(kind)

/** A place on the timeline: what happened at the same instant stands by rank, then in its own order. */
export interface TimelinePlace {
  /** Epoch milliseconds. */
  readonly at: number
  readonly rank: number
  /** The position of an event or a screenshot, the sequence of a segment. */
  readonly sequence: number
  /** The id of a segment or of a statement's request. */
  readonly tie: string
}
export const keyOfPlace = ({ at, rank, sequence, tie }: TimelinePlace) => [at, rank, sequence, tie] as const

export interface EventEntry {
  readonly kind: 'event'
  readonly at: number
  readonly id: string
  readonly sequence: number
  readonly eventKind: string
  readonly source: string
  readonly data: string
}
export interface ScreenshotEntry {
  readonly kind: 'screenshot'
  readonly at: number
  readonly id: string
  readonly sequence: number
  readonly metadata: string
}

/** The caller has found the session in this scope. */
export interface TimelineSession {
  readonly id: string
  /** Segments count their milliseconds from here; null: nothing was said. */
  readonly startedAt: number | null
  /** Positions of observations that are no events: they were so before. */
  readonly states: ReadonlySet<number>
}

/** A picture of a camera, or a clip. */
export interface RecordedEntry {
  readonly kind: RecordedKind
  readonly at: number
  readonly id: string
  readonly sequence: number
  readonly metadata: string
  readonly evidenceType: EvidenceType
  readonly source: EvidenceSource | null
  readonly sentBy: EvidenceSender | null
  readonly durationMs: number | null
}

export interface StatementEntry {
  readonly kind: 'statement'
  readonly at: number
  /** Of the request. */
  readonly id: string
  readonly text: string
  readonly readAt: number | null
  readonly momentId: string | null
  readonly momentAt: number | null
}

export interface Source {
  readonly rank: number
  /** Each source has an index that holds its places in this order. */
  readonly order: string
  readonly from: string
  readonly at: string
  readonly sequence: string
  readonly tie: string
  /** The key within the source, and its values for a place. */
  readonly key: string
  readonly keyAt: (place: { at: number; sequence: number; tie: string }, startedAt: number) => Param[]
}

const eventsWhere = (category: string): Source => ({
  rank: 0,
  order: 'observed_at, position',
  from: `integrity_events WHERE org_id = ? AND session_id = ? AND ${category}`,
  at: 'observed_at',
  sequence: 'position',
  tie: "''",
  key: '(observed_at, position)',
  keyAt: ({ at, sequence }) => [at, sequence],
})

/** The words of a statement, which an erasure takes. */
export const wordsOf = (what: string): string => `SELECT ${what} FROM candidate_request_messages m
  WHERE m.org_id = r.org_id AND m.request_id = r.request_id AND m.position = 1 AND m.sender = 'candidate'`

const evidenceWhere = (type: EvidenceType, rank: number): Source => ({
  rank,
  order: 'captured_at, position',
  from: `evidence WHERE org_id = ? AND session_id = ? AND evidence_type = '${type}' AND erased_at IS NULL`,
  at: 'captured_at',
  sequence: 'position',
  tie: "''",
  key: '(captured_at, position)',
  keyAt: ({ at, sequence }) => [at, sequence],
})

export const sources: Readonly<Record<StoredKind, Source>> = {
  event: eventsWhere('bookkeeping = 0'),
  bookkeeping: eventsWhere('bookkeeping = 1'),
  screenshot: evidenceWhere('screenshot', 1),
  camera_frame: evidenceWhere('camera_frame', 4),
  screen_clip: evidenceWhere('screen_clip', 5),
  camera_clip: evidenceWhere('camera_clip', 6),
  side_view_clip: evidenceWhere('side_view_clip', 7),
  statement: {
    rank: 3,
    order: 'created_at, request_id',
    from: `candidate_requests r WHERE org_id = ? AND session_id = ? AND kind = 'context_statement' AND EXISTS (${wordsOf('1')})`,
    at: 'created_at',
    sequence: '0',
    tie: 'request_id',
    key: '(created_at, request_id)',
    keyAt: ({ at, tie }) => [at, tie],
  },
  speech: {
    rank: 2,
    order: 'start_ms, sequence, segment_id',
    from: 'transcript_segments t WHERE org_id = ? AND session_id = ?',
    at: 'start_ms',
    sequence: 'sequence',
    tie: 'segment_id',
    key: '(start_ms, sequence, segment_id)',
    keyAt: ({ at, sequence, tie }, startedAt) => [at - startedAt, sequence, tie],
  },
}
