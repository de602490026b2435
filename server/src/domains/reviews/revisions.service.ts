import { ServiceError } from '@integrity/protocol'
import type { Reads, WriteCall } from '../../kernel/call.ts'
import type { ActorOf } from '../../kernel/identity/actor.ts'
import { lockPeople } from '../people/guards.service.ts'
import { type ChangedSession, seenReadiness } from './changes.service.ts'
import { findReviewOf, lockReviewOf, updateReview } from './reviews.store.ts'
import type { RevisionRow } from './reviews.types.ts'
import { findNewestRevision, findRevision, insertRevision, type NewRevision } from './revisions.store.ts'

/** The newest sign-off of a session, which the caller has found in this scope. */
export const newestRevision = (call: Reads, sessionId: string): Promise<RevisionRow | undefined> =>
  findNewestRevision(call.reader, call.scope, sessionId)

/** One sign-off of a session, with the canonical document. */
export const revisionOf = (
  call: Reads,
  { sessionId, revision }: { readonly sessionId: string; readonly revision: number },
) => findRevision(call.reader, call.scope, sessionId, revision)

/** The number before a new sign-off of a locked session: whoever signs must have seen the newest one. */
export const revisionBefore = async (
  call: Reads,
  { sessionId, expected }: { readonly sessionId: string; readonly expected: number },
): Promise<number> => {
  const newest = (await newestRevision(call, sessionId))?.revision ?? 0
  if (newest === expected) return newest
  const words = newest === 0 ? 'there is no sign-off yet' : `revision ${newest} is the newest`
  throw new ServiceError('conflict', `${words}: expectedRevision must be ${newest}`)
}

/** Throws `forbidden` for whoever neither has the review of the session nor may assign it. */
export const checkMaySign = async (
  call: Reads,
  {
    sessionId,
    actor,
    membershipId,
  }: { readonly sessionId: string; readonly actor: ActorOf<'user'>; readonly membershipId: string },
) => {
  if (actor.permissions.includes('session.review.assign')) return
  const review = await findReviewOf(call.reader, call.scope, sessionId)
  if (review?.assigneeId === membershipId) return
  throw new ServiceError('forbidden', 'only whoever has the review signs off, or a holder of session.review.assign')
}

/** Signs for good. Whoever signs has seen what came. Call with the session locked. */
export const addRevision = async (
  call: WriteCall,
  { session, revision }: { readonly session: ChangedSession; readonly revision: Omit<NewRevision, 'sessionId'> },
): Promise<void> => {
  const { tx, scope } = call
  const { id: sessionId, externalId, state } = session
  await insertRevision(tx, scope, { ...revision, sessionId })
  await lockPeople(call, scope.orgId)
  const review = await lockReviewOf(tx, scope, sessionId)
  if (review) await updateReview(tx, scope.orgId, review, { readiness: seenReadiness(review, call.clock.now()) })
  const payload = { revision: revision.revision, sha256: revision.sha256 }
  await call.audit.append(call, { action: 'report.signed_off', target: sessionId, sessionId, payload })
  await call.outbox.publish(call, {
    type: 'report.finalized',
    sessionId,
    data: { session: { id: sessionId, externalId, state }, report: { revision: revision.revision } },
  })
}
