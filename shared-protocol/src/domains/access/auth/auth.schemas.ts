import * as z from 'zod'
import { mailAddress } from '../../../core/mail-address.ts'
import { id, instant } from '../../../core/primitives.ts'
import { personName } from '../members/members.schemas.ts'

/**
 * Attempts to sign in to one account, right or wrong, within `loginWindowSeconds`, from one address or one known device; a
 * success clears the count. After as many from anywhere, strangers get one attempt every `loginTurnSeconds` together: the
 * account is slower to guess at and never shut. That is 8,700 guesses a day for each account, from however many addresses: a
 * password of 12 random lower-case letters (2^56) would take 10^10 years, one out of a list of the 100,000 most common ones
 * 11 days. Each address has its own ceiling of wrong passwords beside it, so that one password cannot be tried on many accounts.
 */
export const loginAttemptsPerAccount = 10
export const loginWindowSeconds = 900
export const loginTurnSeconds = 10
/**
 * How long the cookies live. A refresh renews both. Each token carries 190 random bits; whoever guesses a million a
 * second meets one of a million living ones after some 10^37 years.
 */
export const accessSeconds = 15 * 60
export const refreshSeconds = 30 * 24 * 3600
/**
 * How long a renewed refresh token is still honoured: two tabs of one browser renew at once, or an answer is lost, and each gets
 * a pair of its own. Coming later it is in two hands, and the sign-in ends.
 */
export const refreshGraceSeconds = 10

/** How long the link lives that somebody asked for, and how many of them an account is sent in an hour. */
export const passwordLinkMinutes = 60
export const passwordLinksPerHour = 3
/** How long somebody whose account was made for them has to set its first password. */
export const firstPasswordDays = 7

export const cookieNames = { access: 'portal_access', refresh: 'portal_refresh' } as const
/** Of a sign-in that is at an identity provider: which browser began it. */
export const begunCookie = 'sso_begun'

export const loginBody = z.object({
  email: z.string().min(3).max(320),
  password: z.string().min(1).max(1024),
})

export const passwordForgot = z.object({
  email: mailAddress,
  locale: z.string().max(35).optional().meta({ description: 'language of the message, BCP 47; English otherwise' }),
})
export const passwordForgotten = z.object({ accepted: z.literal(true) })
export const passwordReset = z.object({
  token: z.string().min(1).max(200).meta({ description: 'the token of the link, `pwr_…`' }),
  password: z.string().min(1).max(1024).meta({
    description: '15 to 256 characters; no common one, and none made of the address or the name',
  }),
})
export const passwordWasReset = z.object({ reset: z.literal(true) })

export const ownName = z.object({ name: personName })

export const membership = z.object({
  id: id('mem'),
  role: z.string().meta({ description: 'the built-in role: owner, admin, interviewer or reviewer' }),
  org: z.object({ id: id('org'), name: z.string(), slug: z.string() }),
})
export const identity = z
  .object({
    user: z.object({ id: id('usr'), email: z.string(), name: z.string().nullable() }),
    memberships: z.array(membership).meta({ description: 'active memberships' }),
  })
  .meta({ id: 'Identity' })
export const signedIn = identity
  .extend({
    accessExpiresAt: instant.meta({ description: 'refresh before then' }),
    refreshExpiresAt: instant,
  })
  .meta({ id: 'SignedIn' })
