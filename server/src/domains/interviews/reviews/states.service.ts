import { notFound, type ReviewState, reviewMoves, ServiceError } from '@integrity/protocol'
import type { Scope } from '../../../kernel/identity/scope.ts'
import type { Giver } from '../../organisation/people/guards.policy.ts'
import { lockGiver } from '../../organisation/people/guards.service.ts'
import { refuseUnread, statementsOf } from '../statements/statements.service.ts'
import type { ReviewCall } from './assignment.service.ts'
import { seenReadiness } from './changes.service.ts'
import { reviewRecord } from './reviews.records.service.ts'
import { getReview } from './reviews.service.ts'
import { lockReview, lockReviewOf, updateReview } from './reviews.store.ts'
import type { ReviewRow, ShownReview } from './reviews.types.ts'
import { findNewestRevision, findRevision } from './revisions.store.ts'

export interface Move {
  readonly state: ReviewState
  readonly expectedState: ReviewState
  readonly reason?: string | undefined
}

const conflict = (message: string) => new ServiceError('conflict', message)

const checkMay = ({ membershipId, permissions }: Giver, review: ReviewRow): void => {
  if (permissions.includes('session.review.assign')) return
  const words =
    review.state === 'completed'
      ? 'reopening a review needs the permission session.review.assign'
      : 'only whoever has this review moves it, or a holder of session.review.assign'
  const has = review.assigneeId === membershipId && permissions.includes('report.sign_off')
  if (!has || review.state === 'completed') throw new ServiceError('forbidden', words)
}

/** Who signs a report that tells what the candidate wrote has seen it; one that was signed before reports did says nothing. */
const checkStatements = async (
  call: ReviewCall,
  scope: Scope,
  { sessionId, revision }: { readonly sessionId: string; readonly revision: number },
): Promise<void> => {
  const signed = await findRevision(call.tx, scope, sessionId, revision)
  if (signed && 'statements' in JSON.parse(signed.document)) return
  refuseUnread(await statementsOf({ reader: call.tx, scope }, sessionId))
}

const checkMove = async (call: ReviewCall, review: ReviewRow, { state, expectedState }: Move): Promise<void> => {
  if (review.state !== expectedState) throw conflict(`this review is ${review.state}, not ${expectedState}`)
  const moves = reviewMoves[review.state]
  if (!moves.includes(state))
    throw conflict(`a review that is ${review.state} can become ${moves.join(' or ')}, not ${state}`)
  if (state !== 'completed') return
  const scope: Scope = { orgId: call.actor.orgId, environment: review.environment }
  const newest = await findNewestRevision(call.tx, scope, review.sessionId)
  if (!newest) throw conflict('this review has no sign-off yet; sign off before you complete it')
  if (newest.staleAt !== null)
    throw conflict(`the session has changed since the sign-off of revision ${newest.revision}: sign off again first`)
  await checkStatements(call, scope, { sessionId: review.sessionId, revision: newest.revision })
}

/** What a move brings with it. Reopening brings it back to the queue. */
const changed = (review: ReviewRow, state: ReviewState, now: number): Partial<ReviewRow> => {
  if (state === 'in_review') return { state, takenAt: review.takenAt ?? now, readiness: seenReadiness(review, now) }
  if (state === 'completed') return { state, completedAt: now }
  return review.state === 'completed' ? { state, openedAt: now, completedAt: null, assigneeId: '' } : { state }
}

const move = async (call: ReviewCall, giver: Giver, review: ReviewRow, wanted: Move): Promise<ShownReview> => {
  const { tx, actor } = call
  const { orgId } = actor
  checkMay(giver, review)
  await checkMove(call, review, wanted)
  await updateReview(tx, orgId, review, changed(review, wanted.state, call.clock.now()))
  const { state: from, assigneeId, sessionId } = review
  const payload = { from, to: wanted.state, assigneeId: assigneeId || null, reason: wanted.reason ?? null }
  const records = await reviewRecord(tx, { orgId, sessionId })
  await call.audit.append(
    { tx, scope: { orgId }, actor },
    { action: 'review.moved', target: review.id, sessionId, payload, records },
  )
  return getReview({ reader: tx }, { orgId, id: review.id })
}

/** Moves a review by hand, if it stands where the caller has seen it. */
export const moveReview = async (
  call: ReviewCall,
  { id, wanted }: { readonly id: string; readonly wanted: Move },
): Promise<ShownReview> => {
  const giver = await lockGiver(call, 'report.view')
  return move(call, giver, await lockReview(call.tx, call.actor.orgId, id), wanted)
}

/** Brings the completed review of a session back to the queue. */
export const reopenReviewOf = async (
  call: ReviewCall,
  {
    scope,
    sessionId,
    reason,
  }: { readonly scope: Scope; readonly sessionId: string; readonly reason?: string | undefined },
): Promise<ShownReview> => {
  const giver = await lockGiver(call, 'session.review.assign')
  const review = await lockReviewOf(call.tx, scope, sessionId)
  if (!review) throw notFound('review')
  return move(call, giver, review, { state: 'open', expectedState: 'completed', reason })
}
