import { createHash } from 'node:crypto'
import {
  loginAttemptsPerAccount,
  loginTurnSeconds,
  loginWindowSeconds,
  mailAddressOf,
  ServiceError,
} from '@integrity/protocol'
import type { Needs } from '../../../../kernel/call.ts'
import type { ActorOf } from '../../../../kernel/identity/actor.ts'
import { deleteInPages } from '../../../../kernel/jobs/delete-in-pages.ts'
import { rateLimited } from '../../../../kernel/rate-limited.ts'
import type { IssuedTokens } from '../../../../kernel/sign-ins.ts'
import { passwordsWaiting, verifyPassword } from '../../../../platform/crypto/passwords.ts'
import { hashSecret } from '../../../../platform/crypto/secrets.ts'
import { lockPerson, loginOf } from '../../../organisation/people/people.service.ts'
import type { LoginRow } from '../../../organisation/people/people.types.ts'
import { type OpenedStep, openSecondStep } from '../second-factor/second-step.service.ts'
import { notePassword, refusePassword } from '../single-sign-on/sso-demand.service.ts'
import { clearAttempts, countAttempt, deleteOldAttempts } from './login-attempts.store.ts'
import { beginSignIn } from './sign-ins.service.ts'
import { findPortalToken } from './sign-ins.store.ts'

const windowMs = loginWindowSeconds * 1000

const normalise = (email: string): string => mailAddressOf(email) ?? email.trim().toLowerCase()
const accountHash = (email: string): string => createHash('sha256').update(email, 'utf8').digest('hex')

/** One answer for everything: a person that does not exist, one without a password, a password that is not theirs. */
const refused = () =>
  new ServiceError('unauthorized', 'the e-mail address or the password is wrong', {
    headers: { 'WWW-Authenticate': 'Bearer' },
  })

/** Counts one attempt of a kind, in a transaction of its own: of a burst, no more than the ceiling get through. */
const count = async (call: Needs<'clock' | 'db'>, name: string, forMs: number) => {
  const now = call.clock.now()
  const { attempts, windowStartedAt } = await call.db.transact((tx) =>
    countAttempt(tx, accountHash(name), now, now - forMs),
  )
  return { attempts, leftMs: windowStartedAt + forMs - now }
}

/** Names of what is counted. An address holds no space, so none of them is another's. */
const counted = {
  account: (email: string) => email,
  place: (email: string, place: string) => `${email} from ${place}`,
  turn: (email: string) => `${email} next`,
}

/** Takes one of the attempts that an account has from one place, which is an address or a known device. */
const takeFromPlace = async (call: Needs<'clock' | 'db'>, email: string, place: string): Promise<void> => {
  const { attempts, leftMs } = await count(call, counted.place(email, place), windowMs)
  if (attempts <= loginAttemptsPerAccount) return
  const words = `${loginAttemptsPerAccount} attempts to sign in within ${loginWindowSeconds / 60} minutes are the ceiling`
  throw rateLimited(words, {
    limit: loginAttemptsPerAccount,
    waitSeconds: leftMs / 1000,
    windowSeconds: loginWindowSeconds,
  })
}

/** Takes one of the attempts that strangers have together: after so many they wait for one another. */
const takeFromStrangers = async (call: Needs<'clock' | 'db'>, email: string): Promise<void> => {
  if ((await count(call, counted.account(email), windowMs)).attempts <= loginAttemptsPerAccount) return
  const { attempts, leftMs } = await count(call, counted.turn(email), loginTurnSeconds * 1000)
  if (attempts <= 1) return
  const hit = { limit: 1, waitSeconds: leftMs / 1000, windowSeconds: loginTurnSeconds }
  throw rateLimited('too many are trying to sign in to this account', hit)
}

/** One of the attempts that somebody's name in a directory has: guessing at it is as slow as at a password here. */
export const takeDirectoryAttempt = async (
  call: Needs<'clock' | 'db'>,
  { name, address }: { readonly name: string; readonly address: string },
): Promise<void> => {
  await takeFromPlace(call, name, address)
  await takeFromStrangers(call, name)
}

/** The sign-in that a browser still holds a cookie of, also when it is over: this account was open there once. */
const knownDevice = async (call: Needs<'reader'>, email: string, refresh: string | undefined) => {
  const token = refresh === undefined ? undefined : await findPortalToken(call.reader, 'refresh', hashSecret(refresh))
  return token?.email === email ? token.portalSessionId : undefined
}

/** Who somebody proved to be, and by which hash. */
export interface ProvenLogin {
  readonly user: LoginRow
  readonly place: string
}

/** A hash takes some 50 ms: who waits behind so many is better told to come back. */
const maxWaiting = 64

const checkLine = (): void => {
  if (passwordsWaiting() < maxWaiting) return
  const headers = { 'Retry-After': '5' }
  throw new ServiceError('service_unavailable', 'too many people are signing in at the moment; try again', { headers })
}

/** Where an attempt comes from: the address, and the refresh token that the browser still holds. */
interface Origin {
  readonly address: string
  readonly refresh?: string | undefined
}

type Checks = Needs<'clock' | 'db' | 'decoyHash' | 'failures' | 'reader' | 'signInTurns'>

/** Whose password it is, with the same work for an account that does not exist. */
const ownerOf = async (call: Checks, email: string, password: string): Promise<LoginRow | undefined> => {
  const decoy = await call.decoyHash()
  const user = await loginOf({ reader: call.reader }, email)
  const matches = await verifyPassword(password, user?.passwordHash ?? decoy)
  return user && user.passwordHash !== null && matches ? user : undefined
}

const check = async (call: Checks, email: string, password: string): Promise<LoginRow> => {
  const user = await ownerOf(call, email, password)
  if (!user) throw refused()
  return user
}

/**
 * Checks an e-mail address with its password, before any transaction. Throws `rate_limited` when the attempts of the place, the
 * address or the account are used up, and `unauthorized`, the same in words, headers and work, for everything else. What
 * strangers do takes nothing from a known device.
 */
export const proveLogin = async (
  call: Checks,
  { from: { address, refresh }, given }: { readonly from: Origin; readonly given: { email: string; password: string } },
): Promise<ProvenLogin> => {
  const email = normalise(given.email)
  const device = await knownDevice(call, email, refresh)
  const place = device ?? address
  return call.signInTurns.run(place, async () => {
    if (device !== undefined) {
      await takeFromPlace(call, email, place)
      return { user: await check(call, email, given.password), place }
    }
    return call.failures.guessPassword(address, async () => {
      await takeFromPlace(call, email, place)
      await takeFromStrangers(call, email)
      checkLine()
      return { user: await check(call, email, given.password), place }
    })
  })
}

/** Whose password it is, asked of who is signed in already, and so is at a known device. */
export const proveOwnPassword = (
  call: Checks,
  {
    account: { email, portalSessionId: place },
    password,
  }: { readonly account: ActorOf<'account'>; readonly password: string },
): Promise<LoginRow | undefined> =>
  call.signInTurns.run(place, async () => {
    await takeFromPlace(call, email, place)
    return ownerOf(call, email, password)
  })

/** The account has had its whole proof: what was tried before does not count any more. */
export const forgetAttempts = async (
  call: Needs<'tx'>,
  { email, place }: { readonly email: string; readonly place: string },
): Promise<void> => {
  for (const name of [counted.account(email), counted.place(email, place)])
    await clearAttempts(call.tx, accountHash(name))
}

/**
 * Signs in who has proved it, or opens the second step where the account has one. A password that was changed meanwhile
 * proves nothing any more.
 */
export const login = async (
  call: Parameters<typeof beginSignIn>[0] & Needs<'config' | 'jobs'>,
  { user, place }: ProvenLogin,
): Promise<IssuedTokens | OpenedStep> => {
  const { tx } = call
  // Until the commit nobody else adds the factor that this sign-in would be without.
  await lockPerson(call, user.id)
  const now = await loginOf({ reader: tx }, user.email)
  if (now?.id !== user.id || now.passwordHash !== user.passwordHash) throw refused()
  await refusePassword(call, user)
  if (now.secondFactor === 1) return openSecondStep(call, { userId: user.id, place })
  await forgetAttempts(call, { email: user.email, place })
  await notePassword(call, user)
  return beginSignIn(call, { userId: user.id })
}

/** Deletes counts whose window is over. */
export const purgeAttempts = (call: Needs<'clock' | 'db'>): Promise<void> =>
  deleteInPages(call, (tx, limit) => deleteOldAttempts(tx, call.clock.now() - windowMs, limit))
