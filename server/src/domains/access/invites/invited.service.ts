import { type inviteAccept, notFound, ServiceError } from '@integrity/protocol'
import type * as z from 'zod'
import type { Needs } from '../../../kernel/call.ts'
import type { IssuedTokens } from '../../../kernel/sign-ins.ts'
import { hashSecret } from '../../../platform/crypto/secrets.ts'
import { brandOf } from '../../organisation/branding/branding.service.ts'
import { getOrg } from '../../organisation/orgs/orgs.service.ts'
import { lockPeople, mayStillGive } from '../../organisation/people/guards.service.ts'
import { joinOrg, memberOf } from '../../organisation/people/memberships.service.ts'
import { isEmailTaken, presumeLanguage, secondFactorIsOn } from '../../organisation/people/people.service.ts'
import type { MemberRow } from '../../organisation/people/people.types.ts'
import { enter, type Proof, proveAddress, provenAccount } from '../auth/second-factor/proving.service.ts'
import { refuseJoining } from '../auth/single-sign-on/sso-demand.service.ts'
import { linkStatusOf, refuseUnusable } from './invites.policy.ts'
import { endInvite, findInvite, findLinkAcrossOrgs } from './invites.store.ts'
import type { InviteLink, InviteRow } from './invites.types.ts'

type OrgRow = Awaited<ReturnType<typeof getOrg>>
interface Linked {
  readonly invite: InviteRow
  readonly link: InviteLink
  readonly org: OrgRow
}
export interface InviteFacts extends Linked {
  readonly hasAccount: boolean
  /** The organisation as it looks. */
  readonly shown: Awaited<ReturnType<typeof brandOf>>
}

/** The invite of a link as it is; throws `not_found` for a token that is none. */
const readLinked = async (call: Needs<'reader'>, token: string): Promise<Linked> => {
  const link = await findLinkAcrossOrgs(call.reader, hashSecret(token))
  const invite = link && (await findInvite(call.reader, link.orgId, link.inviteId))
  if (!invite) throw notFound('invite')
  return { invite, link, org: await getOrg(call, link.orgId) }
}

/** The invite that a link belongs to. */
export const inspectInvite = async (
  call: Needs<'clock' | 'config' | 'reader'>,
  token: string,
): Promise<InviteFacts> => {
  const linked = await readLinked(call, token)
  const works = linkStatusOf(linked.invite, linked.link, call.clock.now()) === 'pending'
  const hasAccount = works && (await isEmailTaken(call, linked.invite.email))
  return { ...linked, hasAccount, shown: await brandOf(call, linked.org) }
}

/** Looks at the link and at who comes with it, before any transaction. */
export const proveInvited = async (
  call: Parameters<typeof proveAddress>[0] & Needs<'clock' | 'config'>,
  body: z.output<typeof inviteAccept>,
): Promise<Proof> => {
  const { invite, link, org } = await readLinked(call, body.token)
  refuseUnusable(invite, link, call.clock.now())
  await refuseUngiven(call, org.id, invite)
  await refuseJoining(call, { orgId: org.id, ...invite })
  return proveAddress(call, { email: invite.email, organisation: org.name, given: body })
}

const withdrawn = () =>
  new ServiceError('conflict', 'the sender of this invite can no longer give this role; ask for another invite', {
    extra: { reason: 'revoked' },
  })

/** An invite is worth what whoever sent it could give now. */
const refuseUngiven = async (call: Needs<'reader'>, orgId: string, invite: InviteRow): Promise<void> => {
  if (!(await mayStillGive(call, { orgId, userId: invite.givenBy, role: invite }))) throw withdrawn()
}

const refuseKnown = async (call: Needs<'tx'>, orgId: string, userId: string): Promise<void> => {
  const known = await memberOf({ reader: call.tx }, { orgId, userId })
  if (!known) return
  const [reason, words] = known.active
    ? ['already_member', 'you are a member of this organisation already; sign in']
    : ['deactivated', 'your membership of this organisation was deactivated; ask whoever manages it']
  throw new ServiceError('conflict', words, { extra: { reason } })
}

type Accepts = Parameters<typeof enter>[0]

export interface Accepted {
  readonly org: OrgRow
  readonly member: MemberRow
  readonly userId: string
  readonly tokens: IssuedTokens
  /** The organisation requires a second factor and the account has none. */
  readonly lacksSecondFactor: boolean
}

/** Makes the member, spends the link and signs in: all of it, or nothing. */
export const acceptInvite = async (
  call: Accepts,
  { body: { token }, proof }: { readonly body: z.output<typeof inviteAccept>; readonly proof: Proof },
): Promise<Accepted> => {
  const { tx } = call
  const { orgId } = (await readLinked({ reader: tx }, token)).link
  await lockPeople(call, orgId)
  const { invite, link, org } = await readLinked({ reader: tx }, token)
  const now = call.clock.now()
  refuseUnusable(invite, link, now)
  await refuseUngiven({ reader: tx }, orgId, invite)
  const { email, role, customRoleId } = invite
  const userId = await provenAccount(call, { email, proof })
  await refuseKnown(call, orgId, userId)
  await presumeLanguage(call, { userId, locale: invite.locale })
  const member = await joinOrg(call, { orgId, joining: { userId, role, customRoleId } })
  await endInvite(tx, orgId, invite.id, { state: 'accepted', now, membershipId: member.id })
  const actor = { kind: 'user', id: userId } as const
  await call.audit.appendAll({ tx, scope: { orgId } }, [
    { actor, action: 'invite.accepted', target: invite.id, payload: { membershipId: member.id } },
    { actor, action: 'member.added', target: member.id, payload: { email, role, customRoleId, inviteId: invite.id } },
  ])
  const lacksSecondFactor = org.secondFactorRequired === 1 && !(await secondFactorIsOn({ reader: tx }, userId))
  return { org, member, userId, lacksSecondFactor, tokens: await enter(call, { userId, proof }) }
}
