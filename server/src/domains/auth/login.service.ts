import { createHash } from 'node:crypto'
import { loginAttemptsPerAccount, loginWindowSeconds, ServiceError } from '@integrity/protocol'
import type { Needs } from '../../kernel/call.ts'
import type { IssuedTokens } from '../../kernel/sign-ins.ts'
import { verifyPassword } from '../../platform/crypto/passwords.ts'
import { loginOf } from '../people/people.service.ts'
import type { LoginRow } from '../people/people.types.ts'
import { clearAttempts, countAttempt, deleteOldAttempts } from './login-attempts.store.ts'
import { beginSignIn } from './sign-ins.service.ts'

const windowMs = loginWindowSeconds * 1000

const normalise = (email: string): string => email.trim().toLowerCase()
const accountHash = (email: string): string => createHash('sha256').update(email, 'utf8').digest('hex')

/** One answer for everything: a person that does not exist, one without a password, a password that is not theirs. */
const refused = () =>
  new ServiceError('unauthorized', 'the e-mail address or the password is wrong', {
    headers: { 'WWW-Authenticate': 'Bearer' },
  })

/** Takes one of the account's attempts, in a transaction of its own: of a burst, no more than the ceiling get through. */
const takeAttempt = async (call: Needs<'clock' | 'db'>, hash: string): Promise<void> => {
  const now = call.clock.now()
  const { attempts, windowStartedAt } = await call.db.transact((tx) => countAttempt(tx, hash, now, now - windowMs))
  if (attempts <= loginAttemptsPerAccount) return
  const seconds = Math.max(1, Math.ceil((windowStartedAt + windowMs - now) / 1000))
  const message = `${loginAttemptsPerAccount} attempts to sign in within ${loginWindowSeconds / 60} minutes are the ceiling; wait ${seconds} s`
  throw new ServiceError('rate_limited', message, { headers: { 'Retry-After': String(seconds) } })
}

/** Who somebody proved to be, and by which hash. */
export interface ProvenLogin {
  readonly user: LoginRow
}

/**
 * Checks an e-mail address with its password, before any transaction. Throws `rate_limited` when the account's or the
 * address's attempts are used up, and `unauthorized`, the same in words, headers and work, for everything else.
 */
export const proveLogin = (
  call: Needs<'clock' | 'db' | 'decoyHash' | 'failures' | 'reader' | 'signInTurns'>,
  address: string,
  given: { email: string; password: string },
): Promise<ProvenLogin> =>
  call.signInTurns.run(address, async () => {
    await call.failures.check(address)
    const email = normalise(given.email)
    await takeAttempt(call, accountHash(email))
    const decoy = await call.decoyHash()
    const user = await loginOf({ reader: call.reader }, email)
    const matches = await verifyPassword(given.password, user?.passwordHash ?? decoy)
    if (user && user.passwordHash !== null && matches) return { user }
    await call.failures.count(address)
    throw refused()
  })

/** Signs in who has proved it. A password that was changed meanwhile proves nothing any more. */
export const login = async (
  call: Needs<'audit' | 'clock' | 'newId' | 'reader' | 'tx'>,
  { user }: ProvenLogin,
): Promise<IssuedTokens> => {
  const { tx } = call
  const now = await loginOf({ reader: tx }, user.email)
  if (now?.id !== user.id || now.passwordHash !== user.passwordHash) throw refused()
  await clearAttempts(tx, accountHash(user.email))
  return beginSignIn(call, user.id)
}

const PAGE = 1000

/** Deletes counts whose window is over. */
export const purgeAttempts = async ({ db, clock }: Needs<'clock' | 'db'>): Promise<void> => {
  while ((await db.transact((tx) => deleteOldAttempts(tx, clock.now() - windowMs, PAGE))) === PAGE);
}
