import { createHash, randomBytes } from 'node:crypto'
import { loginAttemptsPerAccount, loginWindowSeconds, ServiceError } from '@integrity/protocol'
import type { AppContext } from '../../kernel/parts.ts'
import { checkFailures, countFailure } from '../../pipeline/ceilings.ts'
import { hashPassword, verifyPassword } from '../../platform/crypto/passwords.ts'
import type { Tx } from '../../platform/db/types.ts'
import type { IssuedTokens } from './auth.cookies.ts'
import { clearAttempts, countAttempt, deleteOldAttempts } from './login-attempts.store.ts'
import { findLogin, type LoginRow } from './memberships.store.ts'
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
const takeAttempt = async (app: AppContext, hash: string): Promise<void> => {
  const now = app.clock.now()
  const { attempts, windowStartedAt } = await app.db.transact((tx) => countAttempt(tx, hash, now, now - windowMs))
  if (attempts <= loginAttemptsPerAccount) return
  const seconds = Math.max(1, Math.ceil((windowStartedAt + windowMs - now) / 1000))
  const message = `${loginAttemptsPerAccount} attempts to sign in within ${loginWindowSeconds / 60} minutes are the ceiling; wait ${seconds} s`
  throw new ServiceError('rate_limited', message, { headers: { 'Retry-After': String(seconds) } })
}

const decoys = new WeakMap<AppContext, Promise<string>>()
/** A hash that no password belongs to, so that an account that does not exist costs the same work. */
const decoyOf = (app: AppContext): Promise<string> => {
  const known = decoys.get(app)
  if (known) return known
  const made = hashPassword(randomBytes(32).toString('base64'))
  decoys.set(app, made)
  return made
}

const lines = new WeakMap<AppContext, Map<string, Promise<unknown>>>()
/** One after the other for each address: a wrong password counts against the address before the next is looked at. */
const inLine = async <T>(app: AppContext, address: string, work: () => Promise<T>): Promise<T> => {
  const line = lines.get(app) ?? new Map<string, Promise<unknown>>()
  lines.set(app, line)
  const before = line.get(address) ?? Promise.resolve()
  const mine = before.then(work, work)
  line.set(address, mine)
  try {
    return await mine
  } finally {
    if (line.get(address) === mine) line.delete(address)
  }
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
  app: AppContext,
  address: string,
  given: { email: string; password: string },
): Promise<ProvenLogin> =>
  inLine(app, address, async () => {
    await checkFailures(app.rate, app.config.limits, address)
    const email = normalise(given.email)
    await takeAttempt(app, accountHash(email))
    const decoy = await decoyOf(app)
    const user = await findLogin(app.db.reader, email)
    const matches = await verifyPassword(given.password, user?.passwordHash ?? decoy)
    if (user && user.passwordHash !== null && matches) return { user }
    await countFailure(app.rate, app.config.limits, address)
    throw refused()
  })

/** Signs in who has proved it. A password that was changed meanwhile proves nothing any more. */
export const login = async (app: AppContext, tx: Tx, { user }: ProvenLogin): Promise<IssuedTokens> => {
  const now = await findLogin(tx, user.email)
  if (now?.id !== user.id || now.passwordHash !== user.passwordHash) throw refused()
  await clearAttempts(tx, accountHash(user.email))
  return beginSignIn(app, tx, user.id)
}

const PAGE = 1000

/** Deletes counts whose window is over. */
export const purgeAttempts = async ({ db, clock }: AppContext): Promise<void> => {
  while ((await db.transact((tx) => deleteOldAttempts(tx, clock.now() - windowMs, PAGE))) === PAGE);
}
