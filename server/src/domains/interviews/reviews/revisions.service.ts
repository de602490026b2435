import { ServiceError } from '@integrity/protocol'
import { committingEntries, findSalt } from '../../../kernel/audit/audit.commitments.store.ts'
import { commitmentOf } from '../../../kernel/audit/audit.commitments.ts'
import { readCommitted } from '../../../kernel/audit/audit.committed.read.ts'
import { payloadHolds } from '../../../kernel/audit/audit.digest.ts'
import type { Reads, WriteCall } from '../../../kernel/call.ts'
import type { ActorOf } from '../../../kernel/identity/actor.ts'
import { lockPeople } from '../../organisation/people/guards.service.ts'
import { type ChangedSession, seenReadiness } from './changes.service.ts'
import { signOffRecord } from './reviews.records.service.ts'
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

/** What the audit trail has of sign-offs: each as it was made, and as an erasure left it. */
const signing = ['report.signed_off', 'session.erased'] as const

/** The hash that an earlier version, which committed to no more, put into the row of a sign-off. */
const hashInTrail = async (
  { reader, scope }: Reads,
  sessionId: string,
  revision: number,
): Promise<string | undefined> => {
  const rows = await committingEntries(reader, { orgId: scope.orgId, sessionId }, ['report.signed_off'])
  return rows
    .filter((row) => row.payload !== null && payloadHolds(row))
    .map(({ payload }) => JSON.parse(payload ?? '') as { revision: number; sha256: string })
    .find((said) => said.revision === revision)?.sha256
}

/** Whether a sign-off is stored as the audit trail says that it was made: its document, its hash, who signed and what they said. */
export const isAsSigned = async (
  call: Reads,
  { sessionId, revision }: { readonly sessionId: string; readonly revision: RevisionRow },
): Promise<boolean> => {
  const { reader } = call
  const place = { orgId: call.scope.orgId, sessionId }
  const committed = await readCommitted(reader, place, signing)
  const said = committed.of({ kind: 'sign_off', id: String(revision.revision) })
  if (!said) {
    const told = await hashInTrail(call, sessionId, revision.revision)
    return told === undefined ? committed.isErased : told === revision.sha256
  }
  const [record] = await signOffRecord(reader, { ...place, revision: revision.revision })
  const salt = await findSalt(reader, place)
  return record !== undefined && salt !== undefined && said.hash === commitmentOf(salt, record)
}

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
  throw new ServiceError(
    'forbidden',
    'only the reviewer of this review, or a member with the permission session.review.assign, can sign off',
  )
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
  const records = await signOffRecord(tx, { orgId: scope.orgId, sessionId, revision: revision.revision })
  await call.audit.append(call, { action: 'report.signed_off', target: sessionId, sessionId, payload, records })
  await call.outbox.publish(call, {
    type: 'report.finalized',
    sessionId,
    data: { session: { id: sessionId, externalId, state }, report: { revision: revision.revision } },
  })
}
