import type { ChangeCause, SessionState } from '@integrity/protocol'
import type { WriteCall } from '../../../kernel/call.ts'
import { lockPeople } from '../../organisation/people/guards.service.ts'
import { reviewRecord, stalenessRecord } from './reviews.records.service.ts'
import { findReviewOf, insertReview, lockReviewOf, updateReview } from './reviews.store.ts'
import type { ReviewRow } from './reviews.types.ts'
import { findNewestRevision, insertStaleness } from './revisions.store.ts'

/** What is told of a session in an event. */
export interface ChangedSession {
  readonly id: string
  readonly externalId: string | null
  readonly state: SessionState
}

interface Ended {
  readonly sessionId: string
  readonly endedAt: number
  /** How long the agent may still deliver. Epoch milliseconds. */
  readonly settlesAt: number
}

/** A session that was live has ended: its review comes to the queue. Call with the session locked. */
export const openReview = async (call: WriteCall, { sessionId, endedAt, settlesAt }: Ended): Promise<void> => {
  const { tx, scope } = call
  const { orgId, environment } = scope
  const now = call.clock.now()
  await lockPeople(call, orgId)
  const id = call.newId('rev')
  const readiness = now < settlesAt ? 'collecting' : 'ready'
  const times = { openedAt: now, endedAt, settlesAt, takenAt: null, completedAt: null }
  await insertReview(tx, orgId, { id, environment, sessionId, state: 'open', readiness, assigneeId: '', ...times })
  if (readiness === 'collecting')
    await call.jobs.enqueue(call, { kind: 'reviews.settle', payload: { sessionId }, runAt: settlesAt })
  const records = await reviewRecord(tx, { orgId, sessionId })
  await call.audit.append(call, { action: 'review.opened', target: id, sessionId, records })
}

/** What is there to review once somebody has seen what came. */
export const seenReadiness = ({ readiness, settlesAt }: ReviewRow, now: number): ReviewRow['readiness'] => {
  if (readiness === 'erased') return readiness
  return now < settlesAt ? 'collecting' : 'ready'
}

const readinessAfter = ({ readiness, takenAt }: ReviewRow, cause: ChangeCause): ReviewRow['readiness'] => {
  if (cause === 'erasure') return 'erased'
  return cause === 'evidence' && takenAt !== null && readiness !== 'erased' ? 'changed' : readiness
}

const noteInQueue = async (call: WriteCall, sessionId: string, cause: ChangeCause): Promise<void> => {
  const { tx, scope } = call
  const seen = await findReviewOf(tx, scope, sessionId)
  if (!seen || readinessAfter(seen, cause) === seen.readiness) return
  // Whoever changes a review locks the head first.
  await lockPeople(call, scope.orgId)
  const review = await lockReviewOf(tx, scope, sessionId)
  if (review) await updateReview(tx, scope.orgId, review, { readiness: readinessAfter(review, cause) })
}

/**
 * Something of a locked session has changed: its newest sign-off is stale from now on, which is published once, and its
 * review says so where somebody had taken it already.
 */
export const noteChange = async (
  call: WriteCall,
  { session, cause }: { readonly session: ChangedSession; readonly cause: ChangeCause },
): Promise<void> => {
  const { tx, scope } = call
  const { id: sessionId, externalId, state } = session
  await noteInQueue(call, sessionId, cause)
  const newest = await findNewestRevision(tx, scope, sessionId)
  if (!newest || newest.staleAt !== null) return
  const { revision } = newest
  if (!(await insertStaleness(tx, scope, { sessionId, revision, at: call.clock.now(), cause }))) return
  const payload = { revision, cause }
  const records = await stalenessRecord(tx, { orgId: scope.orgId, sessionId, revision })
  await call.audit.append(call, { action: 'report.became_stale', target: sessionId, sessionId, payload, records })
  await call.outbox.publish(call, {
    type: 'report.stale',
    sessionId,
    data: { session: { id: sessionId, externalId, state }, report: { revision } },
  })
}
