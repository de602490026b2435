import type { Needs } from '../../../../kernel/call.ts'
import type { PortalTokens } from '../../../../kernel/sign-ins.ts'
import { hashSecret } from '../../../../platform/crypto/secrets.ts'
import { endSignIn } from './sign-ins.service.ts'
import { findPortalToken } from './sign-ins.store.ts'

/** Ends the sign-in that the cookies belong to, also by one that is spent or expired. Without any it does nothing. */
export const logout = async (
  call: Needs<'audit' | 'clock' | 'credentials' | 'reader' | 'tx'>,
  cookies: PortalTokens,
): Promise<void> => {
  const { tx } = call
  const found = [
    cookies.access && (await findPortalToken(tx, 'access', hashSecret(cookies.access))),
    cookies.refresh && (await findPortalToken(tx, 'refresh', hashSecret(cookies.refresh))),
  ]
  const ids = new Set(found.flatMap((token) => (token ? [token.portalSessionId] : [])))
  // In one order for all: two requests must not wait for each other's rows.
  for (const id of [...ids].sort()) await endSignIn(call, { id, reason: 'signed_out' })
}
