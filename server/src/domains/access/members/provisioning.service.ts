import type { BuiltInRole } from '@integrity/protocol'
import { mayMail } from '../../../kernel/attempts/mail-ceilings.ts'
import type { By, Needs } from '../../../kernel/call.ts'
import type { AuditActor } from '../../../kernel/identity/actor.ts'
import { releaseReviews } from '../../interviews/reviews/assignment.service.ts'
import type { Giver } from '../../organisation/people/guards.policy.ts'
import { lockPeople } from '../../organisation/people/guards.service.ts'
import { changeMembership, joinOrg } from '../../organisation/people/memberships.service.ts'
import { permissionsOf } from '../../organisation/people/people.policy.ts'
import { accountFor } from '../../organisation/people/people.service.ts'
import type { MemberRow } from '../../organisation/people/people.types.ts'
import { makePasswordLink } from '../auth/passwords/password-links.service.ts'
import { endMembership } from './deactivation.service.ts'

type Call = By<AuditActor> & Needs<'audit' | 'clock' | 'config' | 'newId' | 'tx'>

/** Whoever made the organisation's connection held every permission, and it stands for them; it is no member itself. */
const providerOf = (reachesOwners: boolean): Giver => ({
  membershipId: '',
  permissions: permissionsOf('owner'),
  role: reachesOwners ? 'owner' : 'admin',
})

interface ProvisionMemberInput {
  readonly orgId: string
  readonly email: string
  readonly name: string
  readonly role: Exclude<BuiltInRole, 'owner'>
}

/** Somebody whom the organisation's identity provider vouches for becomes a member, with an account where there is none, and is told. */
export const provisionMember = async (
  call: Call & Needs<'config' | 'jobs' | 'keyring' | 'scope'>,
  { orgId, email, name, role }: ProvisionMemberInput,
): Promise<MemberRow> => {
  const { tx, actor } = call
  await lockPeople(call, orgId)
  const { id: userId, isNew } = await accountFor(call, { email, name })
  const member = await joinOrg(call, { orgId, joining: { userId, role, name } })
  const payload = { email, role }
  await call.audit.append({ tx, scope: { orgId }, actor }, { action: 'member.added', target: member.id, payload })
  // A first synchronisation is of thousands: the members are made all the same, and may ask for a link themselves.
  if (!(await mayMail(call, { orgId, email }))) return member
  const link = isNew
    ? await makePasswordLink(call, { person: { userId, locale: undefined }, purpose: 'first' })
    : undefined
  const told = { membershipId: member.id, addedBy: actor.id, isNew, link }
  await call.jobs.enqueue(call, { kind: 'member.added', payload: told })
  return member
}

/** What the identity provider says of a membership: whether it is active. The guards of people hold, the last owner's too. */
export const switchMember = async (
  call: Call & Needs<'credentials' | 'reader' | 'streams'>,
  {
    orgId,
    id,
    active,
    reachesOwners,
  }: { readonly orgId: string; readonly id: string; readonly active: boolean; readonly reachesOwners: boolean },
): Promise<void> => {
  await lockPeople(call, orgId)
  const { before, after } = await changeMembership(call, { orgId, giver: providerOf(reachesOwners), id, active })
  if (before.active && !after.active) await endMembership(call, { ...after, orgId })
  if (before.active !== after.active) await releaseReviews(call, { orgId, membershipIds: [after.id] })
}
