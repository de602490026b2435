import { ServiceError } from '@integrity/protocol'
import type { WriteCall } from '../../../kernel/call.ts'
import type { ActorOf } from '../../../kernel/identity/actor.ts'
import { iso } from '../../../kernel/time.ts'
import { addRevision, checkMaySign, revisionBefore } from '../../interviews/reviews/revisions.service.ts'
import { lockSession } from '../../interviews/sessions/sessions.read.service.ts'
import { sessionRef } from '../../interviews/sessions/sessions.view.ts'
import { refuseUnread, statementsOf } from '../../interviews/statements/statements.service.ts'
import { authorOf } from '../../organisation/people/memberships.service.ts'
import type { SignOff } from './report.document.model.ts'
import { reportToSign } from './report.document.service.ts'

export interface Signing {
  readonly statement?: string | undefined
  readonly expectedRevision: number
  readonly acknowledgeUnread?: true | undefined
}

/**
 * Freezes the report of an ended session as its next revision. The session is locked from before the report is read until the
 * commit: what is delivered meanwhile waits, and makes the revision stale. Throws `conflict` while a statement of the candidate is
 * unread, unless that is acknowledged.
 */
export const signReport = async (
  call: WriteCall<ActorOf<'user'>>,
  { sessionId, body }: { readonly sessionId: string; readonly body: Signing },
): Promise<SignOff & { readonly sha256: string; readonly sha256AfterErasure?: string }> => {
  const { statement, expectedRevision, acknowledgeUnread } = body
  const { actor } = call
  const session = await lockSession(call, sessionId)
  const { membershipId, ...signedOffBy } = await authorOf(call, actor)
  await checkMaySign(call, { sessionId, actor, membershipId })
  if (session.state !== 'ended')
    throw new ServiceError('conflict', 'this session has not ended: there is no report yet')
  if (session.startedAt === null)
    throw new ServiceError('conflict', 'this session never began, so there is nothing to sign off')
  const before = await revisionBefore(call, { sessionId, expected: expectedRevision })
  if (!acknowledgeUnread) refuseUnread(await statementsOf(call, sessionId))
  const signedOffAt = call.clock.now()
  const signOff: SignOff = {
    revision: before + 1,
    supersedes: before || null,
    statement: statement ?? null,
    signedOffBy,
    signedOffAt: iso(signedOffAt),
  }
  const { signed, kept } = await reportToSign(call, { sessionId, signOff })
  const { sha256 } = signed
  await addRevision(call, {
    session: sessionRef(session),
    revision: {
      revision: signOff.revision,
      statement: signOff.statement,
      document: kept.text,
      sha256,
      signedOffAt,
      signerId: actor.id,
      signerName: signedOffBy.name,
      signerRole: signedOffBy.role,
    },
  })
  await call.audit.sign(call.tx, call.scope.orgId)
  return { ...signOff, sha256, ...(kept.sha256 !== sha256 && { sha256AfterErasure: kept.sha256 }) }
}
