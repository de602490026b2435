import { builtInRoles, type ConsentLocale, consentLocaleFor, type Permission } from '@integrity/protocol'
import type { Needs } from '../../../kernel/call.ts'
import { type List, type PageQuery, readPage } from '../../../kernel/paging.ts'
import { inOneLine } from '../../../platform/mail/plain-text.ts'
import { countOwnOrgsAcrossOrgs, pageOfOwnOrgsAcrossOrgs } from './memberships.list.store.ts'
import {
  findIdentityOfAny,
  findMemberIdentity,
  findStandingByEvidenceAcrossOrgs,
  findStandingBySessionAcrossOrgs,
  findStandingInOrg,
  isSecondFactorRequiredAcrossOrgs,
  listActiveHolders,
  listMembershipsAcrossOrgs,
  replaceWordsAcrossOrgs,
} from './memberships.store.ts'
import { permissionsHeld, permissionsOf } from './people.policy.ts'
import type { OwnOrgRow, Person } from './people.types.ts'
import { findSsoDemandAcrossOrgs, findSsoDemandOfOrg, isSsoRequired, ownsDomain } from './sso-demands.store.ts'
import {
  ensureUser,
  findAddresses,
  findLanguage,
  findLogin,
  findPerson,
  findUserByEmail,
  hasSecondFactor,
  insertUser,
  lockUser,
  updateLanguage,
  updateName,
  updatePassword,
  updateSecondFactor,
} from './users.store.ts'

/** Who may sign in with this address, which is normalised. */
export const loginOf = (call: Needs<'reader'>, email: string) => findLogin(call.reader, email)

export const personOf = (call: Needs<'reader'>, userId: string) => findPerson(call.reader, userId)

/** Addresses of people who acted in an organisation, by id. */
export const addressesOf = async (call: Needs<'reader'>, userIds: readonly string[]): Promise<Map<string, string>> =>
  userIds.length === 0
    ? new Map()
    : new Map((await findAddresses(call.reader, userIds)).map(({ id, email }) => [id, email]))

/** Crosses tenants: the organisations a person is an active member of, in the order of their ids. */
export const membershipsAcrossOrgs = (call: Needs<'reader'>, userId: string) =>
  listMembershipsAcrossOrgs(call.reader, userId)

/** As what a person acts in an organisation; undefined for who is no active member. */
export const standingInOrg = (
  call: Needs<'reader'>,
  { userId, orgId }: { readonly userId: string; readonly orgId: string },
) => findStandingInOrg(call.reader, userId, orgId)

/** Crosses tenants, within the organisations of one person: as what they act where this session is. */
export const standingBySessionAcrossOrgs = (
  call: Needs<'reader'>,
  { userId, sessionId }: { readonly userId: string; readonly sessionId: string },
) => findStandingBySessionAcrossOrgs(call.reader, userId, sessionId)

/** The same for an object of evidence. */
export const standingByEvidenceAcrossOrgs = (
  call: Needs<'reader'>,
  { userId, evidenceId }: { readonly userId: string; readonly evidenceId: string },
) => findStandingByEvidenceAcrossOrgs(call.reader, userId, evidenceId)

/** An organisation's active members who hold this permission, by whatever role. */
export const holdersOf = async (
  call: Needs<'reader'>,
  { orgId, permission }: { readonly orgId: string; readonly permission: Permission },
) => {
  const roles = builtInRoles.filter((role) => permissionsOf(role).includes(permission))
  const members = await listActiveHolders(call.reader, orgId, roles)
  return members.filter((member) => permissionsHeld(member).includes(permission))
}

/** Their addresses. */
export const addressesOfHolders = async (
  call: Needs<'reader'>,
  { orgId, permission }: { readonly orgId: string; readonly permission: Permission },
): Promise<string[]> => (await holdersOf(call, { orgId, permission })).map(({ email }) => email)

/** Their addresses by the language of each account; in English where none is known. */
export const addressesOfHoldersByLanguage = async (
  call: Needs<'reader'>,
  { orgId, permission }: { readonly orgId: string; readonly permission: Permission },
): Promise<Map<ConsentLocale, string[]>> => {
  const holders = await holdersOf(call, { orgId, permission })
  const byLanguage = Map.groupBy(holders, ({ locale }) => consentLocaleFor(locale ?? undefined))
  return new Map([...byLanguage].map(([locale, members]) => [locale, members.map(({ email }) => email)]))
}

/** The address of an active member; undefined for anybody else. */
export const memberAddress = async (
  call: Needs<'reader'>,
  { orgId, userId }: { readonly orgId: string; readonly userId: string },
) => (await findMemberIdentity(call.reader, orgId, userId))?.email

/** The name of an active member, in one line; undefined for anybody else, and for who has none but an address. */
export const memberName = async (
  call: Needs<'reader'>,
  { orgId, userId }: { readonly orgId: string; readonly userId: string },
): Promise<string | undefined> => {
  const member = await findMemberIdentity(call.reader, orgId, userId)
  const name = inOneLine(member?.name ?? '')
  return name === '' || name === member?.email ? undefined : name
}

/**
 * Whose appointment it is, for calendars: by name and address, also of a member who is not active any more, as a calendar
 * takes a change or a cancellation only from the organizer that it knows. Undefined where no person invited.
 */
export const organizerOf = async (
  call: Needs<'reader'>,
  { orgId, userId }: { readonly orgId: string; readonly userId: string },
): Promise<{ readonly name: string; readonly address: string } | undefined> => {
  const found = await findIdentityOfAny(call.reader, orgId, userId)
  return found && { name: inOneLine(found.name ?? '') || found.email, address: found.email }
}

/** The language of a person's own page; null where nobody said one. */
export const languageOf = (call: Needs<'reader'>, userId: string): Promise<string | null> =>
  findLanguage(call.reader, userId)

/** The account, until the commit in nobody else's hands. */
export const lockPerson = (call: Needs<'tx'>, userId: string) => lockUser(call.tx, userId)

/** How a person is called from now on, and found where their organisation has no name of its own for them. Call with them locked. */
export const renamePerson = async (
  call: Needs<'tx'>,
  { person, name }: { readonly person: Person; readonly name: string },
): Promise<void> => {
  await updateName(call.tx, person.id, name)
  await replaceWordsAcrossOrgs(call.tx, person, name)
}

/** The language that a person's own page is in: what is mailed to them later is in it, too. Nothing where it is not said. */
export const noteLanguage = async (
  call: Needs<'tx'>,
  { userId, locale }: { readonly userId: string; readonly locale: string | undefined },
): Promise<void> => {
  if (locale !== undefined) await updateLanguage(call.tx, userId, consentLocaleFor(locale), false)
}

/** The language in which somebody else wrote to them: it holds until they use one of their own. */
export const presumeLanguage = (
  call: Needs<'tx'>,
  { userId, locale }: { readonly userId: string; readonly locale: string },
): Promise<void> => updateLanguage(call.tx, userId, consentLocaleFor(locale), true)

/** Whether the hash is of a password that may be set was asked before (`hashNewPassword`). */
export const setPassword = (
  call: Needs<'tx'>,
  { userId, passwordHash }: { readonly userId: string; readonly passwordHash: string },
) => updatePassword(call.tx, userId, passwordHash)

/** Whether a sign-in of this account takes a second step. */
export const secondFactorIsOn = (call: Needs<'reader'>, userId: string): Promise<boolean> =>
  hasSecondFactor(call.reader, userId)

/** Call with the account locked since its factors were read. */
export const switchSecondFactor = (
  call: Needs<'tx'>,
  { userId, on }: { readonly userId: string; readonly on: boolean },
): Promise<void> => updateSecondFactor(call.tx, userId, on)

/** Crosses tenants, within one person's: whether any of their organisations requires a second factor. */
export const secondFactorIsRequiredAcrossOrgs = (call: Needs<'reader'>, userId: string): Promise<boolean> =>
  isSecondFactorRequiredAcrossOrgs(call.reader, userId)

const domainOf = (email: string): string => email.slice(email.lastIndexOf('@') + 1)

/** Crosses tenants, within one person's: the organisation of theirs that requires single sign-on of their address. */
export const ssoDemandAcrossOrgs = (
  call: Needs<'reader'>,
  { userId, email }: { readonly userId: string; readonly email: string },
) => findSsoDemandAcrossOrgs(call.reader, userId, domainOf(email))

/** Whether an organisation requires single sign-on of this address. */
export const ssoDemandOfOrg = (
  call: Needs<'reader'>,
  { orgId, email }: { readonly orgId: string; readonly email: string },
) => findSsoDemandOfOrg(call.reader, orgId, domainOf(email))

/** Whether an organisation may still vouch for an address. */
export const vouchesFor = (
  call: Needs<'reader'>,
  { orgId, email }: { readonly orgId: string; readonly email: string },
): Promise<boolean> => ownsDomain(call.reader, orgId, domainOf(email))

export const ssoIsRequired = (call: Needs<'reader'>, orgId: string): Promise<boolean> =>
  isSsoRequired(call.reader, orgId)

export const isEmailTaken = async (call: Needs<'reader'>, email: string): Promise<boolean> =>
  (await findUserByEmail(call.reader, email)) !== undefined

export const addUser = (call: Needs<'reader' | 'tx'>, user: Parameters<typeof insertUser>[1]) =>
  insertUser(call.tx, user)

/** The account of a normalised address; one without a password where there was none. */
export const accountFor = (call: Needs<'clock' | 'newId' | 'tx'>, { email, name }: { email: string; name: string }) =>
  ensureUser(call.tx, { id: call.newId('usr'), email, name, now: call.clock.now() })

/** The organisations of an account as it has them: the one in which the sign-in counts, or all. */
export const listOwnOrgs = (
  call: Needs<'reader'>,
  { userId, onlyIn, query }: { readonly userId: string; readonly onlyIn: string | null; readonly query: PageQuery },
) =>
  readPage(
    {
      of: ['own-orgs', userId],
      kinds: ['string'],
      keyOf: ({ orgId }) => [orgId],
      fetch: (stretch) => pageOfOwnOrgsAcrossOrgs(call.reader, { userId, onlyIn }, stretch),
    } satisfies List<OwnOrgRow>,
    query,
  )

export const countOwnOrgs = (call: Needs<'reader'>, userId: string) => countOwnOrgsAcrossOrgs(call.reader, userId)

/** In how many organisations an account is an active member; nobody else counts or ends them until the commit. */
export const countActiveForUpdate = async (call: Needs<'tx'>, userId: string): Promise<number> => {
  await lockUser(call.tx, userId)
  return (await countOwnOrgsAcrossOrgs(call.tx, userId)).active
}

/** In how many organisations an account is an owner; nobody makes it one more until the commit. */
export const countOwnedForUpdate = async (call: Needs<'tx'>, userId: string): Promise<number> => {
  await lockUser(call.tx, userId)
  return (await countOwnOrgsAcrossOrgs(call.tx, userId)).owned
}
