import { ServiceError } from '@integrity/protocol'
import type { Needs, Writes } from '../../kernel/call.ts'
import { findNthNewestTicket, type TicketRole } from './joining.store.ts'

const hourMs = 3_600_000

const tooMany = (message: string, seconds: number): ServiceError =>
  new ServiceError('rate_limited', `${message}; wait ${seconds} s`, { headers: { 'Retry-After': String(seconds) } })

/** A session with its role, as a name for the counter: a phone's mistakes do not keep the agent out. */
const counted = (sessionId: string, role: TicketRole): string => `claims ${role} ${sessionId}`

const tooManyClaims = (seconds: number) => tooMany('too many codes of this session failed', Math.max(1, seconds))

/** Refuses every claim of a session, also with the right code, while too many have failed. */
export const checkFailedClaims = async (
  call: Needs<'config' | 'rate'>,
  sessionId: string,
  role: TicketRole,
): Promise<void> => {
  const { allowed, resetSeconds } = await call.rate.peek(
    counted(sessionId, role),
    call.config.limits.failedClaimsPerSession,
  )
  if (!allowed) throw tooManyClaims(resetSeconds)
}

/** Counts a claim by a code that names its session and is spent. Throws when a burst has used the others up meanwhile. */
export const countFailedClaim = async (
  call: Needs<'config' | 'rate'>,
  sessionId: string,
  role: TicketRole,
): Promise<void> => {
  const { allowed, resetSeconds } = await call.rate.take(
    counted(sessionId, role),
    call.config.limits.failedClaimsPerSession,
  )
  if (!allowed) throw tooManyClaims(resetSeconds)
}

/** Refuses one more code for a locked session that had its number of them within the hour. */
export const checkIssuedCodes = async (
  call: Writes & Needs<'clock' | 'config'>,
  sessionId: string,
  role: TicketRole,
): Promise<void> => {
  const now = call.clock.now()
  const { codesPerSession: n } = call.config.limits
  const since = await findNthNewestTicket(call.tx, call.scope, { sessionId, role, n })
  if (since === undefined || since <= now - hourMs) return
  const seconds = Math.ceil((since + hourMs - now) / 1000)
  throw tooMany(`${n} codes in an hour are the ceiling of a session`, seconds)
}
