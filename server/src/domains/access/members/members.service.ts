import type { BuiltInRole } from '@integrity/protocol'
import { takeMail } from '../../../kernel/attempts/mail-ceilings.ts'
import type { By, Needs } from '../../../kernel/call.ts'
import type { ActorOf } from '../../../kernel/identity/actor.ts'
import { releaseReviews } from '../../interviews/reviews/assignment.service.ts'
import { checkGivesRole } from '../../organisation/people/guards.policy.ts'
import { lockGiver } from '../../organisation/people/guards.service.ts'
import { changeMembership, joinOrg } from '../../organisation/people/memberships.service.ts'
import { accountFor } from '../../organisation/people/people.service.ts'
import type { MemberRow } from '../../organisation/people/people.types.ts'
import { makePasswordLink } from '../auth/passwords/password-links.service.ts'
import { endUngivenInvites } from '../invites/ungiven.service.ts'
import { endMembership } from './deactivation.service.ts'

type Change = By<ActorOf<'user'>> & Needs<'audit' | 'clock' | 'config' | 'newId' | 'tx'>
type Ends = Needs<'credentials' | 'reader' | 'streams'>

export interface NewMember {
  readonly email: string
  readonly name: string
  readonly role: BuiltInRole
  readonly locale?: string | undefined
}

/** Makes somebody a member at once, with an account of theirs where the address has none, and has them told. */
export const addMember = async (
  call: Change & Needs<'config' | 'jobs' | 'keyring' | 'scope'>,
  input: NewMember,
): Promise<MemberRow> => {
  const { tx, actor } = call
  const { orgId } = actor
  const { email, name, role, locale } = input
  const giver = await lockGiver(call, 'member.manage')
  checkGivesRole(giver, { role, customRoleId: null, customPermissions: null })
  await takeMail(call, { orgId, email })
  const { id: userId, isNew } = await accountFor(call, { email, name })
  const member = await joinOrg(call, { orgId, joining: { userId, role, name } })
  const payload = { email, role }
  await call.audit.append({ tx, scope: { orgId }, actor }, { action: 'member.added', target: member.id, payload })
  const link = isNew ? await makePasswordLink(call, { person: { userId, locale }, purpose: 'first' }) : undefined
  const told = { membershipId: member.id, addedBy: actor.id, locale, isNew, link }
  await call.jobs.enqueue(call, { kind: 'member.added', payload: told })
  return member
}

export interface MemberChange {
  readonly role?: BuiltInRole | undefined
  readonly active?: boolean | undefined
}

/** Changes the built-in role, and whether they are active. */
export const changeMember = async (
  call: Change & Ends,
  { id, change }: { readonly id: string; readonly change: MemberChange },
): Promise<MemberRow> => {
  const giver = await lockGiver(call, 'member.manage')
  const { before, after } = await changeMembership(call, { orgId: call.actor.orgId, giver, id, ...change })
  const { orgId } = call.actor
  if (before.active && !after.active) await endMembership(call, { ...after, orgId })
  else await endUngivenInvites(call, { orgId, userId: after.userId })
  await releaseReviews(call, { orgId, membershipIds: [after.id] })
  return after
}
