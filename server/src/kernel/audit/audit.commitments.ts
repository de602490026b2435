import { createHmac } from 'node:crypto'
import type { AuditAction } from '@integrity/protocol'
import { canonicalize } from '../../platform/canonical-json.ts'
import { payloadHash } from './audit.chain.ts'

/** What people read of a session and an act has written: each kind is what one domain keeps in its rows. */
export const recordKinds = [
  'session',
  'consent',
  'window',
  'evidence',
  /** What an agent said beside an item, which goes with it: the id is that of the evidence. */
  'evidence_said',
  'note',
  'annotation',
  'sign_off',
  'staleness',
  'hold',
  /** That a hold is on, where it decides whether something may be erased. */
  'hold_mark',
  'request',
  'statement',
  'message',
  'interviewer',
  'review',
  /** All that an erasure left of a kind whose rows are too many to be named, as one. */
  'left_of_evidence',
  'left_of_lanes',
] as const
export type RecordKind = (typeof recordKinds)[number]

export interface SessionRecord {
  readonly kind: RecordKind
  /** Unique among those of its kind in the session. */
  readonly id: string
  /** What stands there, in canonical JSON's terms. Null: nothing does any more. */
  readonly value: Readonly<Record<string, unknown>> | null
}

/** How a payload names a record: by its kind alone where its id is the row's target. */
export const recordKey = ({ kind, id }: Pick<SessionRecord, 'kind' | 'id'>, target: string): string =>
  id === target ? kind : `${kind} ${id}`

/** 32 bytes of this record alone: who is given them can check it, and guess no other of the session. */
export const recordSalt = (sessionSalt: string, { kind, id }: Pick<SessionRecord, 'kind' | 'id'>): Buffer =>
  createHmac('sha256', Buffer.from(sessionSalt, 'hex')).update(`${kind} ${id}`).digest()

/** RFC 8785. */
export const recordText = (value: NonNullable<SessionRecord['value']>): string => canonicalize(value)

/** SHA-256, in hex, over the record's salt and its text; null where nothing stands there. */
export const commitmentOf = (sessionSalt: string, record: SessionRecord): string | null =>
  record.value && payloadHash(recordSalt(sessionSalt, record), recordText(record.value))

/** What the payload of an audit row has as `records`. */
export const commitmentsOf = (
  sessionSalt: string,
  target: string,
  records: readonly SessionRecord[],
): Record<string, string | null> =>
  Object.fromEntries(records.map((record) => [recordKey(record, target), commitmentOf(sessionSalt, record)]))

/** Which record an act makes or changes: the one its row names, its session's own, one more of the kind, or several. */
type Touched = readonly [kind: RecordKind, which: 'target' | 'session' | 'one' | 'several']

const answers = [
  ['session', 'session'],
  ['consent', 'one'],
] as const
const ofSession = [['session', 'session']] as const
const ofReview = [['review', 'target']] as const
const ofInterviewer = [['interviewer', 'target']] as const
const decided = [
  ['request', 'target'],
  ['message', 'one'],
] as const
const held = [
  ['hold', 'one'],
  ['hold_mark', 'target'],
] as const

/**
 * What each act touches. Its row commits to these records as they stand after it; one without commitments, of an earlier
 * version, says that they are there and not what they say.
 */
export const touchedBy: Readonly<Partial<Record<AuditAction, readonly Touched[]>>> = {
  'session.created': ofSession,
  'session.config_changed': ofSession,
  'session.meeting_set': ofSession,
  'session.meeting_removed': ofSession,
  'session.schedule_changed': ofSession,
  'session.schedule_cancelled': ofSession,
  'simulation.started': ofSession,
  'session.registered': answers,
  'session.consent_changed': answers,
  'session.consent_declined': answers,
  'session.ended': [
    ['session', 'session'],
    ['window', 'one'],
  ],
  'evidence.stored': [
    ['evidence', 'target'],
    ['evidence_said', 'target'],
  ],
  'evidence.pack_stored': [
    ['evidence', 'several'],
    ['evidence_said', 'several'],
  ],
  'note.added': [['note', 'target']],
  'annotation.added': [['annotation', 'target']],
  'report.signed_off': [['sign_off', 'one']],
  'report.became_stale': [['staleness', 'one']],
  'legal_hold.placed': held,
  'legal_hold.released': held,
  'candidate_request.submitted': [
    ['request', 'target'],
    ['statement', 'one'],
    ['message', 'one'],
  ],
  'candidate_request.acknowledged': [['request', 'target']],
  'candidate_request.responded': [['message', 'one']],
  'candidate_request.approved': decided,
  'candidate_request.declined': decided,
  'candidate_request.completed': decided,
  'interviewer.added': ofInterviewer,
  'interviewer.corrected': ofInterviewer,
  'interviewer.removed': ofInterviewer,
  'interviewer.told': ofInterviewer,
  'review.opened': ofReview,
  'review.assigned': ofReview,
  'review.released': ofReview,
  'review.moved': ofReview,
}
