import { type By, inTx, type Needs } from '../../../../kernel/call.ts'
import type { ActorOf } from '../../../../kernel/identity/actor.ts'
import { type IssuedTokens, SignInOver } from '../../../../kernel/sign-ins.ts'
import { vouchesFor } from '../../../organisation/people/people.service.ts'
import { passwordIsOver } from '../single-sign-on/sso-demand.service.ts'
import { auditSignIn, endSignIn, issueTokens } from './sign-ins.service.ts'
import { lockPortalSession, spendRefreshToken } from './sign-ins.store.ts'

/**
 * A refresh token that was used some time before this request came is in two hands: one of them is not its owner's, and nobody
 * knows which. The sign-in ends, in a transaction of its own, because the refusal would undo it.
 */
export const refuseSpent = async (
  call: By<ActorOf<'refresh'>> & Needs<'audit' | 'clock' | 'credentials' | 'db'>,
): Promise<void> => {
  const { actor } = call
  if (!actor.spent) return
  await call.db.transact((tx) => endSignIn(inTx(call, tx), { id: actor.portalSessionId, reason: 'token_reused' }))
  throw new SignInOver('this refresh token was used before, so the sign-in has ended; sign in again')
}

/** Rotates both tokens. Of requests that hold the same token at the same time each gets a pair: two tabs of one browser do that. */
export const rotate = async (
  call: By<ActorOf<'refresh'>> & Needs<'audit' | 'clock' | 'reader' | 'tx'>,
): Promise<IssuedTokens> => {
  const { tx, actor } = call
  const session = await lockPortalSession(tx, actor.portalSessionId)
  if (!session || session.endedAt !== null) throw new SignInOver('this sign-in has ended; sign in again')
  if (await passwordIsOver(call, { userId: actor.id, vouchedBy: session.vouchedBy }))
    throw new SignInOver('your organisation requires single sign-on: sign in there')
  if (
    session.vouchedBy !== null &&
    !(await vouchesFor({ reader: tx }, { orgId: session.vouchedBy, email: actor.email }))
  )
    throw new SignInOver('whoever vouched for this sign-in does so no more; sign in again')
  await spendRefreshToken(tx, actor.tokenHash, call.clock.now())
  const tokens = await issueTokens(call, actor.portalSessionId)
  await auditSignIn(call, {
    userId: actor.id,
    action: 'user.session_refreshed',
    portalSessionId: actor.portalSessionId,
    vouchedBy: session.vouchedBy,
  })
  return tokens
}
