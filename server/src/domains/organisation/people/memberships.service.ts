import { type AuditAction, type BuiltInRole, maxMembers, notFound, ServiceError } from '@integrity/protocol'
import type { By, Needs } from '../../../kernel/call.ts'
import type { ActorOf, AuditActor } from '../../../kernel/identity/actor.ts'
import { type List, type PageQuery, readPage } from '../../../kernel/paging.ts'
import { refuseBeyondPlan } from '../plans/plans.service.ts'
import { checkGivesRole, checkReaches, type Giver } from './guards.policy.ts'
import { lockPeople } from './guards.service.ts'
import {
  countHolders,
  countMembers,
  countStandings,
  findSecondMemberAt,
  type MemberFilters,
  pageOfMembers,
} from './memberships.list.store.ts'
import {
  clearCustomRole,
  findMember,
  findMemberByEmail,
  findMemberByUser,
  insertMembership,
  listHolders,
  otherActiveOwnerExists,
  updateMembership,
} from './memberships.store.ts'
import type { MemberRow } from './people.types.ts'
import { wantedWords } from './words.model.ts'

const found = (member: MemberRow | undefined): MemberRow => {
  if (!member) throw notFound('member')
  return member
}

export const getMember = async (
  call: Needs<'reader'>,
  { orgId, id }: { readonly orgId: string; readonly id: string },
): Promise<MemberRow> => found(await findMember(call.reader, orgId, id))

/** An active member; undefined for whoever is none any more. */
export const findActiveMember = async (
  call: Needs<'reader'>,
  { orgId, id }: { readonly orgId: string; readonly id: string },
): Promise<MemberRow | undefined> => {
  const member = await findMember(call.reader, orgId, id)
  return member?.active ? member : undefined
}

/** How a person is called in an organisation, and what they are there, to be kept beside what they write. */
export const authorOf = async (
  call: Needs<'reader'>,
  { id, orgId, email }: ActorOf<'user'>,
): Promise<{ readonly membershipId: string; readonly name: string; readonly role: string }> => {
  const member = await findMemberByUser(call.reader, orgId, id)
  if (!member?.active) throw notFound('organisation')
  const custom = member.role === 'owner' ? null : member.customRoleName
  return { membershipId: member.id, name: member.name ?? email, role: custom ?? member.role }
}

export interface MemberQuery extends PageQuery {
  readonly role?: BuiltInRole | undefined
  readonly active?: 'true' | 'false' | undefined
  readonly q?: string | undefined
}

/** A page of members, newest first, and how many the filters match. */
export const listMembers = async (
  call: Needs<'reader'>,
  { orgId, query }: { readonly orgId: string; readonly query: MemberQuery },
) => {
  const { reader } = call
  const { role, active, q } = query
  const filters: MemberFilters = {
    role,
    active: active && active === 'true',
    words: q === undefined ? undefined : wantedWords(q),
  }
  const list: List<MemberRow> = {
    of: ['members', orgId, filters],
    kinds: ['number', 'string'],
    keyOf: ({ createdAt, id }) => [createdAt, id],
    fetch: (stretch) => pageOfMembers(reader, orgId, filters, stretch),
  }
  return { page: await readPage(list, query), total: await countMembers(reader, orgId, filters) }
}

/** How many are active and how many are not: kept counts. */
export const memberCounts = async (call: Needs<'reader'>, orgId: string) => ({
  active: await countMembers(call.reader, orgId, { active: true }),
  inactive: await countMembers(call.reader, orgId, { active: false }),
})

/** How many active members hold each built-in role, and each custom one in its place. */
export const activeStandings = (call: Needs<'reader'>, orgId: string) => countStandings(call.reader, orgId)

/** When the second member of an organisation came. */
export const firstColleagueAt = (call: Needs<'reader'>, orgId: string): Promise<number | null> =>
  findSecondMemberAt(call.reader, orgId)

/** How many hold each custom role, deactivated ones included. */
export const holderCounts = (call: Needs<'reader'>, orgId: string) => countHolders(call.reader, orgId)

export interface Joining {
  readonly userId: string
  readonly role: BuiltInRole
  readonly customRoleId?: string | null | undefined
  /** How this organisation calls the person, where that is not how they call themselves. */
  readonly name?: string | null | undefined
}

const refuseKnown = (known: MemberRow | undefined): void => {
  if (!known) return
  throw new ServiceError(
    'conflict',
    known.active ? `this is a member already: ${known.id}` : `this member is deactivated; reactivate ${known.id}`,
  )
}

/** Who has this normalised address, active or not. */
export const memberOfEmail = (
  call: Needs<'reader'>,
  { orgId, email }: { readonly orgId: string; readonly email: string },
): Promise<MemberRow | undefined> => findMemberByEmail(call.reader, orgId, email)

/** Throws `conflict` where the normalised address is that of a member, active or not. */
export const refuseMember = async (
  call: Needs<'tx'>,
  { orgId, email }: { readonly orgId: string; readonly email: string },
): Promise<void> => refuseKnown(await findMemberByEmail(call.tx, orgId, email))

/** A person's membership, active or not. */
export const memberOf = (
  call: Needs<'reader'>,
  { orgId, userId }: { readonly orgId: string; readonly userId: string },
): Promise<MemberRow | undefined> => findMemberByUser(call.reader, orgId, userId)

/** One more active member takes a seat of the plan. */
const refuseSeat = (call: Needs<'clock' | 'config' | 'tx'>, orgId: string): Promise<void> =>
  refuseBeyondPlan(
    { ...call, reader: call.tx },
    { orgId, counts: { members: () => countMembers(call.tx, orgId, { active: true }) } },
  )

/**
 * Makes a person a member. Throws `conflict` for whoever is one, active or not, and where there is no room. Whether the role may
 * be given is for the caller to ask (`checkGivesRole`), and so is the audit row.
 */
export const joinOrg = async (
  call: Needs<'clock' | 'config' | 'newId' | 'tx'>,
  { orgId, joining }: { readonly orgId: string; readonly joining: Joining },
): Promise<MemberRow> => {
  const { tx } = call
  await lockPeople(call, orgId)
  refuseKnown(await findMemberByUser(tx, orgId, joining.userId))
  if ((await countMembers(tx, orgId, {})) >= maxMembers)
    throw new ServiceError('conflict', `there are ${maxMembers} members already, which is the limit`)
  await refuseSeat(call, orgId)
  const id = call.newId('mem')
  await insertMembership(tx, orgId, { ...joining, id, now: call.clock.now() })
  return found(await findMember(tx, orgId, id))
}

export interface MembershipChange {
  readonly role?: BuiltInRole | undefined
  readonly active?: boolean | undefined
  /** Null: back to the built-in role. */
  readonly customRole?: { readonly id: string; readonly permissions: string } | null | undefined
}

const applied = (before: MemberRow, { role = before.role, active, customRole }: MembershipChange, now: number) => {
  const activeAfter = active === undefined ? before.active : Number(active)
  const custom =
    customRole === undefined
      ? { customRoleId: before.customRoleId, customPermissions: before.customPermissions }
      : { customRoleId: customRole?.id ?? null, customPermissions: customRole?.permissions ?? null }
  return {
    ...before,
    role,
    ...(role === 'owner' && before.role !== 'owner' ? { customRoleId: null, customPermissions: null } : custom),
    active: activeAfter,
    deactivatedAt: activeAfter ? null : (before.deactivatedAt ?? now),
  }
}

const entriesOf = (before: MemberRow, after: MemberRow) => {
  const entry = (action: AuditAction, payload: Record<string, unknown> = {}) => ({ action, target: before.id, payload })
  return [
    ...(before.role === after.role ? [] : [entry('member.role_changed', { from: before.role, to: after.role })]),
    ...(before.customRoleId === after.customRoleId
      ? []
      : after.customRoleId === null
        ? [entry('role.unassigned', { roleId: before.customRoleId })]
        : [entry('role.assigned', { roleId: after.customRoleId, instead: before.customRoleId })]),
    ...(before.active === after.active ? [] : [entry(after.active ? 'member.reactivated' : 'member.deactivated')]),
  ]
}

const checkChange = (giver: Giver, before: MemberRow, after: MemberRow): void => {
  const changesRole = before.role !== after.role || before.customRoleId !== after.customRoleId
  if (changesRole && giver.membershipId === before.id)
    throw new ServiceError('forbidden', 'you cannot change your own role')
  checkReaches(giver, before)
  if (changesRole || (after.active && !before.active)) checkGivesRole(giver, after)
  if (after.role === 'owner' && after.customRoleId !== null)
    throw new ServiceError('conflict', 'an owner holds every permission: change the built-in role first')
}

type ChangeCall = By<AuditActor> & Needs<'audit' | 'clock' | 'config' | 'credentials' | 'tx'>

/** Open streams are asked at once whether they may go on. */
const recheckStreams = ({ credentials, tx }: Needs<'credentials' | 'tx'>): void => {
  tx.afterCommit(() => credentials.clear())
}

const write = async (call: ChangeCall, orgId: string, before: MemberRow, after: MemberRow): Promise<void> => {
  const { tx, actor } = call
  await updateMembership(tx, orgId, before, after)
  const entries = entriesOf(before, after).map((entry) => ({ ...entry, actor }))
  await call.audit.appendAll({ tx, scope: { orgId } }, entries)
  recheckStreams(call)
}

/**
 * Changes a membership as far as the giver reaches, with its audit rows; answers what it was and is. The last active owner can
 * be neither demoted nor deactivated, by nobody.
 */
export const changeMembership = async (
  call: ChangeCall,
  {
    orgId,
    giver,
    id,
    ...change
  }: { readonly orgId: string; readonly giver: Giver } & MembershipChange & { readonly id: string },
): Promise<{ before: MemberRow; after: MemberRow }> => {
  const { tx } = call
  const before = found(await findMember(tx, orgId, id))
  const after = applied(before, change, call.clock.now())
  if (entriesOf(before, after).length === 0) return { before, after: before }
  checkChange(giver, before, after)
  if (after.active && !before.active) {
    await lockPeople(call, orgId)
    await refuseSeat(call, orgId)
  }
  const leaves = before.role === 'owner' && before.active && !(after.role === 'owner' && after.active)
  if (leaves && !(await otherActiveOwnerExists(tx, orgId, id)))
    throw new ServiceError('conflict', 'this is the last active owner: make somebody else an owner first')
  await write(call, orgId, before, after)
  return { before, after: found(await findMember(tx, orgId, id)) }
}

/** Returns all holders of a custom role to their built-in one, which the giver must reach; answers whom. Call with the people locked. */
export const releaseHolders = async (
  call: ChangeCall,
  { orgId, giver, roleId }: { readonly orgId: string; readonly giver: Giver; readonly roleId: string },
): Promise<MemberRow[]> => {
  const { tx, actor } = call
  const holders = await listHolders(tx, orgId, roleId)
  for (const role of new Set(holders.map((holder) => holder.role)))
    checkGivesRole(giver, { role, customRoleId: null, customPermissions: null })
  await clearCustomRole(tx, orgId, roleId)
  const entries = holders.map(
    ({ id }) => ({ actor, action: 'role.unassigned', target: id, payload: { roleId } }) as const,
  )
  await call.audit.appendAll({ tx, scope: { orgId } }, entries)
  recheckStreams(call)
  return holders
}

/** Members who hold a custom role, deactivated ones included. */
export const membersOfRole = (
  call: Needs<'reader'>,
  { orgId, roleId }: { readonly orgId: string; readonly roleId: string },
): Promise<MemberRow[]> => listHolders(call.reader, orgId, roleId)
