import type { Needs, Writes } from '../../../../kernel/call.ts'
import { rateLimited } from '../../../../kernel/rate-limited.ts'
import { windowMs } from '../../../../platform/rate/rate-counter.ts'
import { findNthNewestTicket, type TicketRole } from './joining.store.ts'

const hourMs = 3_600_000

/** A session with its role, as a name for the counter: a phone's mistakes do not keep the agent out. */
const counted = (sessionId: string, role: TicketRole): string => `claims ${role} ${sessionId}`

const tooManyClaims = (limit: number, waitSeconds: number) =>
  rateLimited('too many codes of this session failed', { limit, waitSeconds, windowSeconds: windowMs / 1000 })

/** Refuses every claim of a session, also with the right code, while too many have failed. */
export const checkFailedClaims = async (
  call: Needs<'config' | 'rate'>,
  { sessionId, role }: { readonly sessionId: string; readonly role: TicketRole },
): Promise<void> => {
  const { allowed, limit, resetSeconds } = await call.rate.peek(
    counted(sessionId, role),
    call.config.limits.failedClaimsPerSession,
  )
  if (!allowed) throw tooManyClaims(limit, resetSeconds)
}

/** Counts a claim by a code that names its session and is spent. Throws when a burst has used the others up meanwhile. */
export const countFailedClaim = async (
  call: Needs<'config' | 'rate'>,
  { sessionId, role }: { readonly sessionId: string; readonly role: TicketRole },
): Promise<void> => {
  const { allowed, limit, resetSeconds } = await call.rate.take(
    counted(sessionId, role),
    call.config.limits.failedClaimsPerSession,
  )
  if (!allowed) throw tooManyClaims(limit, resetSeconds)
}

/** Refuses one more code for a locked session that had its number of them within the hour. */
export const checkIssuedCodes = async (
  call: Writes & Needs<'clock' | 'config'>,
  { sessionId, role }: { readonly sessionId: string; readonly role: TicketRole },
): Promise<void> => {
  const now = call.clock.now()
  const { codesPerSession: n } = call.config.limits
  const since = await findNthNewestTicket(call.tx, call.scope, { sessionId, role, n })
  if (since === undefined || since <= now - hourMs) return
  throw rateLimited(`${n} codes in an hour are the ceiling of a session`, {
    limit: n,
    waitSeconds: (since + hourMs - now) / 1000,
    windowSeconds: hourMs / 1000,
  })
}
