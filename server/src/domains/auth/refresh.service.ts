import { ServiceError } from '@integrity/protocol'
import type { ActorOf } from '../../kernel/actor.ts'
import type { AppContext } from '../../kernel/parts.ts'
import type { Tx } from '../../platform/db/types.ts'
import { clearingCookies, type IssuedTokens } from './auth.cookies.ts'
import { auditSignIn, endSignIn, issueTokens } from './sign-ins.service.ts'
import { lockPortalSession, spendRefreshToken } from './sign-ins.store.ts'

/** A sign-in that is over: the browser forgets what it still holds of it. */
export const signInOver = (app: AppContext, message: string): ServiceError =>
  new ServiceError('unauthorized', message, {
    headers: { 'WWW-Authenticate': 'Bearer', ...clearingCookies(app.config.baseUrl) },
  })

/**
 * A refresh token that was used before this request came is in two hands: one of them is not its owner's, and nobody
 * knows which. The sign-in ends, in a transaction of its own, because the refusal would undo it.
 */
export const refuseSpent = async (app: AppContext, actor: ActorOf<'refresh'>): Promise<void> => {
  if (!actor.spent) return
  await app.db.transact((tx) => endSignIn(app, tx, actor.portalSessionId, 'token_reused'))
  throw signInOver(app, 'this refresh token was used before, so the sign-in has ended; sign in again')
}

/**
 * Rotates both tokens. Of requests that hold the same unused token at the same time one wins; the others are told of the
 * conflict, which proves nothing: two tabs of one browser do that. Their cookies are the winner's by now.
 */
export const rotate = async (app: AppContext, tx: Tx, actor: ActorOf<'refresh'>): Promise<IssuedTokens> => {
  const session = await lockPortalSession(tx, actor.portalSessionId)
  if (!session || session.endedAt !== null) throw signInOver(app, 'this sign-in has ended; sign in again')
  if (!(await spendRefreshToken(tx, actor.tokenHash, app.clock.now())))
    throw new ServiceError('conflict', 'another refresh with this token was faster; go on with its cookies', {
      headers: { 'Retry-After': '1' },
    })
  const tokens = await issueTokens(app, tx, actor.portalSessionId)
  await auditSignIn(app, tx, actor.id, 'user.session_refreshed', actor.portalSessionId)
  return tokens
}
