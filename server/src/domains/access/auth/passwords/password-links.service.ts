import {
  consentLocaleFor,
  firstPasswordDays,
  notFound,
  type passwordForgot,
  passwordLinkMinutes,
  passwordLinksPerHour,
  type passwordReset,
  ServiceError,
  secretPrefixes,
} from '@integrity/protocol'
import type * as z from 'zod'
import { inTx, type Needs } from '../../../../kernel/call.ts'
import type { Scope } from '../../../../kernel/identity/scope.ts'
import { deleteInPages } from '../../../../kernel/jobs/delete-in-pages.ts'
import { hashSecret, newSecret } from '../../../../platform/crypto/secrets.ts'
import { hashNewPassword } from '../../../organisation/people/passwords.service.ts'
import {
  lockPerson,
  loginOf,
  noteLanguage,
  personOf,
  presumeLanguage,
  secondFactorIsOn,
  setPassword,
} from '../../../organisation/people/people.service.ts'
import { endSetupsOf } from '../second-factor/second-factors.store.ts'
import { endStepsOf } from '../second-factor/second-steps.store.ts'
import { auditSignIn, endSignInsOf } from '../sign-ins/sign-ins.service.ts'
import {
  countPasswordLinks,
  deleteOldPasswordLinks,
  findPasswordLink,
  findPasswordLinkById,
  insertPasswordLink,
  type LinkPurpose,
  type PasswordLink,
  spendPasswordLink,
} from './password-links.store.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs
const lifetimeMs: Readonly<Record<LinkPurpose, number>> = {
  forgotten: passwordLinkMinutes * minuteMs,
  first: firstPasswordDays * dayMs,
}

/** Jobs about a person belong to no organisation. */
const personScope: Scope = { orgId: '', environment: 'live' }

const linkContext = (id: string): string => `password_link:${id}`
const askedContext = (id: string): string => `password_forgotten:${id}`

/** A link as a job keeps it: its token is readable with the master key alone. */
export interface WrappedLink {
  readonly linkId: string
  readonly wrapped: string
}

interface MakePasswordLinkInput {
  readonly person: { readonly userId: string; readonly locale: string | undefined }
  readonly purpose: LinkPurpose
}

/** Makes a link by which a person sets a password. The account is locked, or was made in this transaction. */
export const makePasswordLink = async (
  call: Needs<'clock' | 'keyring' | 'newId' | 'tx'>,
  { person, purpose }: MakePasswordLinkInput,
): Promise<WrappedLink> => {
  const { token, hash } = newSecret(secretPrefixes.password_reset)
  const linkId = call.newId('pwl')
  const createdAt = call.clock.now()
  const locale = consentLocaleFor(person.locale)
  await insertPasswordLink(call.tx, {
    id: linkId,
    userId: person.userId,
    tokenHash: hash,
    purpose,
    locale,
    createdAt,
    expiresAt: createdAt + lifetimeMs[purpose],
  })
  return { linkId, wrapped: call.keyring.wrap(Buffer.from(token), linkContext(linkId)) }
}

/** The link, and where it leads; undefined for one that sets nothing any more. */
export const openPasswordLink = async (
  call: Needs<'clock' | 'config' | 'keyring' | 'reader'>,
  { linkId, wrapped }: WrappedLink,
): Promise<{ link: PasswordLink; url: string } | undefined> => {
  const link = await findPasswordLinkById(call.reader, linkId)
  if (!link || faultOf(link, call.clock.now())) return undefined
  // The secret is behind the #, so that no server's log sees it.
  const token = call.keyring.unwrap(wrapped, linkContext(linkId)).toString()
  return { link, url: `${call.config.baseUrl}/password/#${linkId}.${token}` }
}

/** Has a job look for the account: for every address the same is done and answered here. */
export const askForLink = async (
  call: Needs<'jobs' | 'keyring' | 'newId' | 'tx'>,
  { email, locale }: z.output<typeof passwordForgot>,
): Promise<void> => {
  const id = call.newId('pwf')
  const wrapped = call.keyring.wrap(Buffer.from(email), askedContext(id))
  await call.jobs.enqueue(
    { ...call, scope: personScope },
    { kind: 'auth.password_forgotten', payload: { id, wrapped, locale } },
  )
}

/** Makes the link for the account of the address, if there is one that was not sent too many of them. */
export const answerAsking = async (
  call: Needs<'clock' | 'db' | 'jobs' | 'keyring' | 'newId'>,
  asked: { readonly id: string; readonly wrapped: string; readonly locale?: string | undefined },
): Promise<void> => {
  const email = call.keyring.unwrap(asked.wrapped, askedContext(asked.id)).toString()
  await call.db.transact(async (tx) => {
    const person = await loginOf({ reader: tx }, email)
    if (!person) return
    await lockPerson({ tx }, person.id)
    const since = call.clock.now() - hourMs
    if ((await countPasswordLinks(tx, person.id, 'forgotten', since)) >= passwordLinksPerHour) return
    const link = await makePasswordLink(inTx(call, tx), {
      person: { userId: person.id, locale: asked.locale },
      purpose: 'forgotten',
    })
    await call.jobs.enqueue({ ...call, tx, scope: personScope }, { kind: 'auth.password_link', payload: link })
  })
}

type Fault = 'used' | 'replaced' | 'expired'
const faultOf = ({ usedAt, endedAt, expiresAt }: PasswordLink, now: number): Fault | undefined => {
  if (usedAt !== null) return 'used'
  if (endedAt !== null) return 'replaced'
  return now < expiresAt ? undefined : 'expired'
}
const words: Readonly<Record<Fault, string>> = {
  used: 'this link was used already; sign in, or have another one sent',
  replaced: 'a password was set by another link; sign in, or have another one sent',
  expired: 'this link has expired; ask for a new one',
}

const usableLink = async (call: Needs<'clock' | 'reader'>, token: string): Promise<PasswordLink> => {
  const link = await findPasswordLink(call.reader, hashSecret(token))
  if (!link) throw notFound('link')
  const fault = faultOf(link, call.clock.now())
  if (fault) throw new ServiceError('conflict', words[fault], { extra: { reason: fault } })
  return link
}

type Given = z.output<typeof passwordReset>

/** Checks link and password, and hashes it, before any transaction: that takes its time. */
export const prepareReset = async (call: Needs<'clock' | 'reader'>, { token, password }: Given): Promise<string> => {
  const { userId } = await usableLink(call, token)
  const person = await personOf(call, userId)
  if (!person) throw notFound('link')
  return hashNewPassword(password, { ...person, secondFactor: await secondFactorIsOn(call, userId) })
}

/** Sets the password, spends the link, ends all others and every sign-in, and has the person told. A second factor stays. */
export const resetPassword = async (
  call: Needs<'audit' | 'clock' | 'credentials' | 'jobs' | 'reader' | 'tx'>,
  { body: { token }, passwordHash }: { readonly body: Given; readonly passwordHash: string },
): Promise<void> => {
  const { tx } = call
  const { userId } = await usableLink({ ...call, reader: tx }, token)
  await lockPerson(call, userId)
  // Whoever else held the account may have spent it.
  const link = await usableLink({ ...call, reader: tx }, token)
  await setPassword(call, { userId, passwordHash })
  await spendPasswordLink(tx, link, call.clock.now())
  await endSignInsOf(call, { userId, reason: 'password_set' })
  await endStepsOf(tx, userId)
  await endSetupsOf(tx, userId)
  await auditSignIn(call, { userId, action: 'user.password_set', portalSessionId: link.id })
  await (link.purpose === 'forgotten' ? noteLanguage : presumeLanguage)(call, { userId, locale: link.locale })
  const told = { userId, locale: link.locale }
  await call.jobs.enqueue({ ...call, tx, scope: personScope }, { kind: 'auth.password_set', payload: told })
}

/** Deletes links some days after their time was over: until then they say so. */
export const purgePasswordLinks = (call: Needs<'clock' | 'db'>): Promise<void> => {
  const before = call.clock.now() - firstPasswordDays * dayMs
  return deleteInPages(call, (tx, limit) => deleteOldPasswordLinks(tx, before, limit))
}
