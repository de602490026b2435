import { lineOf, mailAddressOf, type Permission, permissions, ServiceError } from '@integrity/protocol'
import type { Needs } from '../../../kernel/call.ts'
import type { Caller, IssuedTokens } from '../../../kernel/sign-ins.ts'
import { releaseReviews } from '../../interviews/reviews/assignment.service.ts'
import { lockPeople } from '../../organisation/people/guards.service.ts'
import { changeMembership, joinOrg, memberOf } from '../../organisation/people/memberships.service.ts'
import {
  accountFor,
  lockPerson,
  loginOf,
  personOf,
  secondFactorIsOn,
} from '../../organisation/people/people.service.ts'
import type { MemberRow } from '../../organisation/people/people.types.ts'
import { type OpenedStep, openSecondStep } from '../auth/second-factor/second-step.service.ts'
import { beginSignIn } from '../auth/sign-ins/sign-ins.service.ts'
import { tellOfLinking } from '../auth/single-sign-on/vouching.service.ts'
import { endUngivenInvites } from '../invites/ungiven.service.ts'
import { domainOf } from './domain-names.model.ts'
import { ownerOfDomainAcrossOrgs } from './domains.store.ts'
import { deleteIdentity, findIdentity, identityOf, insertIdentity } from './sign-ins.store.ts'
import type { ConnectionRow, MappableRole, SsoPerson } from './sso.types.ts'

/** The identity provider knows somebody whom this service lets in nowhere. */
const forbidden = (reason: string, words: string) => new ServiceError('forbidden', words, { extra: { reason } })

/** The role that the mapping gives: the first entry of it that matches. */
const mappedRole = (
  { roleMapping }: Pick<ConnectionRow, 'roleMapping'>,
  values: readonly string[],
): MappableRole | undefined => Object.entries(roleMapping).find(([value]) => values.includes(value))?.[1]

type Enters = Parameters<typeof beginSignIn>[0] & Needs<'config' | 'jobs' | 'keyring'> & Pick<Caller, 'address'>

/** Only addresses of a domain that the organisation has proved are its own to vouch for. */
const checkDomain = async (call: Enters, orgId: string, email: string): Promise<void> => {
  if ((await ownerOfDomainAcrossOrgs(call.tx, domainOf(email))) !== orgId)
    throw forbidden('domain_not_verified', 'the domain of your address is not one that this organisation has verified')
}

/** An identity that is an address is compared as addresses are (SAML core, 8.3.2); any other one to the letter. */
const subjectOf = (given: string): string => mailAddressOf(given) ?? given.slice(0, 1024)

/**
 * Whom the identity provider knew by this very address until now it may know by something else: it wrote the address in another
 * case, or its administrator changed the format of the NameID. Whoever has the address is that person by its own words.
 */
const forgetFormerAddress = async (
  { tx }: Needs<'tx'>,
  orgId: string,
  { issuer, userId, addresses }: { issuer: string; userId: string; addresses: readonly string[] },
): Promise<void> => {
  const former = await identityOf(tx, orgId, { issuer, userId })
  const address = mailAddressOf(former?.subject)
  if (address !== undefined && addresses.includes(address)) await deleteIdentity(tx, orgId, { issuer, userId })
}

const accountOf = async (call: Enters, orgId: string, who: SsoPerson): Promise<string> => {
  const { tx } = call
  const { issuer } = who
  const subject = subjectOf(who.subject)
  const known = await findIdentity(tx, orgId, issuer, subject)
  if (known) {
    const person = await personOf({ reader: tx }, known.userId)
    if (!person) throw new Error(`user ${known.userId} vanished`)
    await checkDomain(call, orgId, person.email)
    return known.userId
  }
  const email = mailAddressOf(who.email)
  if (email === undefined) throw forbidden('no_address', 'the identity provider gave no usable e-mail address')
  await checkDomain(call, orgId, email)
  const existing = await loginOf({ reader: tx }, email)
  const name = lineOf(who.name ?? '', 200)
  const userId = existing?.id ?? (await accountFor(call, { email, name: name || email })).id
  await forgetFormerAddress(call, orgId, { issuer, userId, addresses: [subject, email] })
  if (!(await insertIdentity(tx, orgId, { issuer, subject, userId, now: call.clock.now() })))
    throw forbidden(
      'other_identity',
      'the account of your address belongs to another identity of this identity provider',
    )
  const actor = { kind: 'user', id: userId } as const
  await call.audit.append(
    { tx, scope: { orgId }, actor },
    {
      action: 'sso.identity_linked',
      target: userId,
      payload: { provider: issuer, accountIsNew: !existing },
    },
  )
  if (existing) await tellOfLinking(call, { orgId, userId })
  return userId
}

const everything = Object.keys(permissions) as Permission[]

/** A member of the organisation, made one at the first time; a mapped role is taken over each time, an owner's never. */
const memberFor = async (
  call: Enters,
  orgId: string,
  connection: ConnectionRow,
  userId: string,
  who: SsoPerson,
): Promise<MemberRow> => {
  const { tx } = call
  const actor = { kind: 'user', id: userId } as const
  const mapped = mappedRole(connection, who.roleValues)
  const known = await memberOf({ reader: tx }, { orgId, userId })
  if (!known) {
    const member = await joinOrg(call, { orgId, joining: { userId, role: mapped ?? connection.defaultRole } })
    const payload = { email: member.email, role: member.role, by: 'sso' }
    await call.audit.append({ tx, scope: { orgId }, actor }, { action: 'member.added', target: member.id, payload })
    return member
  }
  if (!known.active) throw forbidden('deactivated', 'your membership of this organisation was deactivated')
  const keeps = known.role === 'owner' || known.customRoleId !== null || !mapped || mapped === known.role
  if (keeps) return known
  const giver = { membershipId: '', role: 'owner', permissions: everything } as const
  const change = { ...call, actor }
  const { after } = await changeMembership(change, { orgId, giver, id: known.id, role: mapped })
  await endUngivenInvites(change, { orgId, userId })
  await releaseReviews(change, { orgId, membershipIds: [after.id] })
  return after
}

export interface Entered {
  readonly userId: string
  /** What the sign-in is called, or will be after its second step. */
  readonly portalSessionId: string
  readonly done: IssuedTokens | OpenedStep
}

/**
 * Signs in whom an identity provider or a directory vouches for: finds or makes account and membership, and begins the same kind
 * of sign-in as a password does. An account's own second factor is asked for all the same: the organisation vouches for the
 * address, and the account may be a member elsewhere. The sign-in counts in this organisation alone until the account agreed to
 * more.
 */
export const enterBySso = async (
  call: Enters,
  { orgId, connection, who }: { readonly orgId: string; readonly connection: ConnectionRow; readonly who: SsoPerson },
): Promise<Entered> => {
  await lockPeople(call, orgId)
  const userId = await accountOf(call, orgId, who)
  await memberFor(call, orgId, connection, userId, who)
  await lockPerson(call, userId)
  const portalSessionId = call.newId('pss')
  const vouched = { orgId, portalSessionId, provider: who.issuer }
  if (await secondFactorIsOn({ reader: call.tx }, userId))
    return { userId, portalSessionId, done: await openSecondStep(call, { userId, place: call.address, vouched }) }
  return { userId, portalSessionId, done: await beginSignIn(call, { userId, vouched }) }
}
