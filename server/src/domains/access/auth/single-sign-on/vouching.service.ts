import {
  ServiceError,
  secretPrefixes,
  type vouchingAgreement,
  vouchingLinkDays,
  vouchingLinksPerHour,
} from '@integrity/protocol'
import type * as z from 'zod'
import { type By, inTx, type Needs } from '../../../../kernel/call.ts'
import type { ActorOf } from '../../../../kernel/identity/actor.ts'
import type { Scope } from '../../../../kernel/identity/scope.ts'
import { deleteInPages } from '../../../../kernel/jobs/delete-in-pages.ts'
import { rateLimited } from '../../../../kernel/rate-limited.ts'
import { hashSecret, newSecret } from '../../../../platform/crypto/secrets.ts'
import { lockPerson, loginOf, membershipsAcrossOrgs, vouchesFor } from '../../../organisation/people/people.service.ts'
import { dropStep } from '../second-factor/second-step.service.ts'
import { forgetAttempts, proveOwnPassword } from '../sign-ins/login.service.ts'
import { endSignIn } from '../sign-ins/sign-ins.service.ts'
import { listOpenPortalSessions } from '../sign-ins/sign-ins.store.ts'
import {
  countVouchingLinks,
  deleteAgreement,
  deleteOldVouchingLinks,
  deleteVouchingLinks,
  findVouchingLinkAcrossOrgs,
  hasAgreed,
  insertAgreement,
  insertVouchingLink,
  pageOfVouchedFor,
  spendVouchingLink,
  type VouchingLink,
} from './vouching.store.ts'

const hourMs = 3_600_000
/** Jobs about a person belong to no organisation. */
const personScope: Scope = { orgId: '', environment: 'live' }
const linkContext = (id: string): string => `vouching_link:${id}`

/** What is asked of an account that an organisation vouches for: to agree that this counts elsewhere, too. */
interface Vouching {
  readonly orgId: string
  readonly userId: string
}

const mailLink = async (
  call: Needs<'clock' | 'jobs' | 'keyring' | 'newId' | 'tx'>,
  { orgId, userId }: Vouching,
  isNews: boolean,
): Promise<void> => {
  const { token, hash } = newSecret(secretPrefixes.vouching)
  const id = call.newId('vol')
  const createdAt = call.clock.now()
  const expiresAt = createdAt + vouchingLinkDays * 24 * hourMs
  await insertVouchingLink(call.tx, orgId, { id, userId, tokenHash: hash, createdAt, expiresAt })
  const wrapped = call.keyring.wrap(Buffer.from(token), linkContext(id))
  const payload = { orgId, userId, linkId: id, wrapped, expiresAt, isNews }
  await call.jobs.enqueue({ ...call, scope: personScope }, { kind: 'auth.vouching_link', payload })
}

/** Tells an account that an organisation's identity provider was linked to it, with the link by which it agrees to more. */
export const tellOfLinking = (call: Parameters<typeof mailLink>[0], vouching: Vouching): Promise<void> =>
  mailLink(call, vouching, true)

/** Where the mailed link leads. The secret is behind the #, so that no server's log sees it. */
export const vouchingUrl = (
  call: Needs<'config' | 'keyring'>,
  { linkId, wrapped }: { readonly linkId: string; readonly wrapped: string },
): string => `${call.config.baseUrl}/account/#agree.${call.keyring.unwrap(wrapped, linkContext(linkId)).toString()}`

const conflict = (reason: string, words: string) => new ServiceError('conflict', words, { extra: { reason } })
const notVouched = () =>
  conflict('not_vouched', 'this sign-in did not come from an identity provider, so there is nothing to agree to')
const wrong = (words: string) => new ServiceError('forbidden', words, { extra: { reason: 'wrong_proof' } })

type Own = By<ActorOf<'account'>>

/** Mails the link again, to the account's own address. */
export const askForVouchingLink = async (
  call: Own & Parameters<typeof mailLink>[0] & Needs<'audit'>,
): Promise<void> => {
  const { tx, actor, clock } = call
  const { id: userId, vouchedBy: orgId } = actor
  if (orgId === null) throw notVouched()
  await lockPerson(call, userId)
  const limit = vouchingLinksPerHour
  if ((await countVouchingLinks(tx, userId, clock.now() - hourMs)) >= limit)
    throw rateLimited(`${limit} such links in an hour are the ceiling of an account`, {
      limit,
      waitSeconds: hourMs / 1000,
      windowSeconds: hourMs / 1000,
    })
  await mailLink(call, { orgId, userId }, false)
  const user = { kind: 'user', id: userId } as const
  await call.audit.append({ tx, scope: { orgId }, actor: user }, { action: 'sso.agreement_asked', target: userId })
}

export type AgreementProof =
  | { readonly kind: 'password'; readonly orgId: string; readonly passwordHash: string | null }
  | { readonly kind: 'link'; readonly tokenHash: string }

type Body = z.output<typeof vouchingAgreement>

/** Before any transaction: the account's own password, or a link that was mailed to it. */
export const proveAgreement = async (
  call: Own & Parameters<typeof proveOwnPassword>[0],
  { password, token }: Body,
): Promise<AgreementProof> => {
  const { actor } = call
  if (token !== undefined) return { kind: 'link', tokenHash: hashSecret(token) }
  if (actor.vouchedBy === null) throw notVouched()
  const login = await proveOwnPassword(call, { account: actor, password: password ?? '' })
  if (login?.id !== actor.id) throw wrong('the password is wrong')
  return { kind: 'password', orgId: actor.vouchedBy, passwordHash: login.passwordHash }
}

const usableLink = async (call: Own & Needs<'clock' | 'tx'>, tokenHash: string): Promise<VouchingLink> => {
  const { tx, actor } = call
  const now = call.clock.now()
  const link = await findVouchingLinkAcrossOrgs(tx, tokenHash)
  if (link?.userId !== actor.id) throw wrong('this link is not one of this account')
  if (link.expiresAt <= now) throw conflict('expired', 'this link has expired; ask for a new one')
  if (!(await spendVouchingLink(tx, link, now))) throw conflict('used', 'this link was used already')
  return link
}

/** From now on sign-ins that the organisation vouches for count wherever the account is a member; every such organisation notes it. */
export const agree = async (
  call: Own & Needs<'audit' | 'clock' | 'credentials' | 'tx'>,
  proof: AgreementProof,
): Promise<string> => {
  const { tx, actor } = call
  const { id: userId, email } = actor
  await lockPerson(call, userId)
  if (proof.kind === 'password') {
    if ((await loginOf({ reader: tx }, email))?.passwordHash !== proof.passwordHash)
      throw wrong('the password is wrong')
    await forgetAttempts(call, { email, place: actor.portalSessionId })
  }
  const { orgId } = proof.kind === 'password' ? proof : await usableLink(call, proof.tokenHash)
  if (!(await vouchesFor({ reader: tx }, { orgId, email }))) throw notVouched()
  await insertAgreement(tx, orgId, userId, call.clock.now())
  const user = { kind: 'user', id: userId } as const
  const payload = { vouchedBy: orgId, by: proof.kind }
  const orgs = new Set([orgId, ...(await membershipsAcrossOrgs({ reader: tx }, userId)).map((one) => one.orgId)])
  for (const one of [...orgs].sort())
    await call.audit.append(
      { tx, scope: { orgId: one }, actor: user },
      { action: 'sso.agreed', target: userId, payload },
    )
  tx.afterCommit(() => call.credentials.clear())
  return orgId
}

/** The one organisation in which a sign-in counts; null where it counts wherever the account is a member. */
export const whereItCounts = async (
  call: Needs<'reader'>,
  { userId, vouchedBy }: { readonly userId: string; readonly vouchedBy: string | null },
): Promise<string | null> =>
  vouchedBy === null || (await hasAgreed(call.reader, vouchedBy, userId)) ? null : vouchedBy

type Ends = Parameters<typeof endSignIn>[0]

/** Ends the sign-ins of an account that an organisation vouches for, what the account agreed to, and the links by which it could. */
export const endVouching = async (call: Ends, { orgId, userId }: Vouching): Promise<void> => {
  for (const { id, vouchedBy } of await listOpenPortalSessions(call.tx, userId))
    if (vouchedBy === orgId) {
      await dropStep(call, id)
      await endSignIn(call, { id, reason: 'ended_by_provider' })
    }
  await deleteVouchingLinks(call.tx, orgId, userId)
  // Last: where the account had agreed, each of its organisations notes the end of a sign-in.
  await deleteAgreement(call.tx, orgId, userId)
  call.tx.afterCommit(() => call.credentials.clear())
}

const pageRows = 100

/** Ends the vouching of an organisation for all accounts with an address of a domain. */
export const endVouchingForDomain = async (
  call: Omit<Ends, 'tx'> & Needs<'db'>,
  { orgId, domain }: { readonly orgId: string; readonly domain: string },
): Promise<void> => {
  for (let after: string | undefined = ''; after !== undefined; ) {
    const people = await pageOfVouchedFor(call.db.reader, orgId, { domain, after, limit: pageRows })
    await call.db.transact(async (tx) => {
      for (const { userId } of people) await endVouching(inTx(call, tx), { orgId, userId })
    })
    after = people.length < pageRows ? undefined : people.at(-1)?.userId
  }
}

/** Deletes links whose time is over. */
export const purgeVouchingLinks = (call: Needs<'clock' | 'db'>): Promise<void> =>
  deleteInPages(call, (tx, limit) => deleteOldVouchingLinks(tx, call.clock.now(), limit))
