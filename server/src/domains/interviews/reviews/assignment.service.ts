import { invalid, ServiceError } from '@integrity/protocol'
import type { ActedEntry } from '../../../kernel/audit/audit.types.ts'
import type { By, Needs } from '../../../kernel/call.ts'
import type { ActorOf, AuditActor } from '../../../kernel/identity/actor.ts'
import type { Giver } from '../../organisation/people/guards.policy.ts'
import { lockGiver } from '../../organisation/people/guards.service.ts'
import { findActiveMember } from '../../organisation/people/memberships.service.ts'
import { permissionsHeld } from '../../organisation/people/people.policy.ts'
import type { MemberRow } from '../../organisation/people/people.types.ts'
import { reviewRecord } from './reviews.records.service.ts'
import { getReview } from './reviews.service.ts'
import { lockReview, releaseUnfinished, updateReview } from './reviews.store.ts'
import type { ShownReview } from './reviews.types.ts'

export type ReviewCall = By<ActorOf<'user'>> & Needs<'audit' | 'clock' | 'reader' | 'tx'>

export interface Assignment {
  readonly assigneeId: string | null
  readonly expectedAssigneeId: string | null
}

/** Claiming what nobody has, and handing back what one has, are one's own matter. */
const checkMay = ({ membershipId, permissions }: Giver, { assigneeId, expectedAssigneeId }: Assignment): void => {
  const claims = assigneeId === membershipId && expectedAssigneeId === null
  const handsBack = assigneeId === null && expectedAssigneeId === membershipId
  if (handsBack || (claims && permissions.includes('report.sign_off'))) return
  if (permissions.includes('session.review.assign')) return
  const needed = claims ? 'report.sign_off' : 'session.review.assign'
  throw new ServiceError('forbidden', `this needs the permission ${needed}`)
}

const holderWords = ({ assigneeId, assigneeName }: ShownReview): string =>
  assigneeId === '' ? 'nobody has this review' : `${assigneeName ?? 'somebody'} has this review (${assigneeId})`

/** Whether somebody can be given reviews. */
const maySignOff = (member: MemberRow | undefined): boolean =>
  member?.active === 1 && permissionsHeld(member).includes('report.sign_off')

/** Gives a review to somebody or to nobody, if it is where the caller has seen it. Throws `conflict` that says who has it. */
export const assignReview = async (
  call: ReviewCall,
  { id, wanted }: { readonly id: string; readonly wanted: Assignment },
): Promise<ShownReview> => {
  const { tx, actor } = call
  const { orgId } = actor
  const giver = await lockGiver(call, 'report.view')
  const review = await lockReview(tx, orgId, id)
  checkMay(giver, wanted)
  const before = review.assigneeId
  const after = wanted.assigneeId ?? ''
  if (before !== (wanted.expectedAssigneeId ?? ''))
    throw new ServiceError('conflict', holderWords(await getReview({ reader: tx }, { orgId, id })))
  if (review.state === 'completed') throw new ServiceError('conflict', 'this review is completed: reopen it first')
  if (after === before) return getReview({ reader: tx }, { orgId, id })
  if (after !== '' && !maySignOff(await findActiveMember({ reader: tx }, { orgId, id: after })))
    throw invalid('assigneeId', 'must be an active member who may sign off reports')
  await updateReview(tx, orgId, review, { assigneeId: after })
  await call.audit.append(
    { tx, scope: { orgId }, actor },
    {
      action: 'review.assigned',
      target: id,
      sessionId: review.sessionId,
      payload: { from: before || null, to: after || null },
      records: await reviewRecord(tx, { orgId, sessionId: review.sessionId }),
    },
  )
  return getReview({ reader: tx }, { orgId, id })
}

/**
 * Hands back what these members have not completed, as far as they may sign off no more. Call with the people locked, after
 * the change.
 */
export const releaseReviews = async (
  call: By<AuditActor> & Needs<'audit' | 'tx'>,
  { orgId, membershipIds }: { readonly orgId: string; readonly membershipIds: readonly string[] },
): Promise<void> => {
  const { tx, actor } = call
  for (const membershipId of membershipIds) {
    if (maySignOff(await findActiveMember({ reader: tx }, { orgId, id: membershipId }))) continue
    const released = await releaseUnfinished(tx, orgId, membershipId)
    const entries: ActedEntry[] = []
    for (const { id, sessionId } of released)
      entries.push({
        actor,
        sessionId,
        target: id,
        payload: { from: membershipId },
        action: 'review.released',
        records: await reviewRecord(tx, { orgId, sessionId }),
      })
    await call.audit.appendAll({ tx, scope: { orgId } }, entries)
  }
}
