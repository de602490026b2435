import { maxCustomRoles, notFound, type Permission, ServiceError } from '@integrity/protocol'
import type { By, Needs } from '../../../kernel/call.ts'
import type { ActorOf } from '../../../kernel/identity/actor.ts'
import { checkSeen, laterThan } from '../../../kernel/seen.ts'
import { releaseReviews } from '../../interviews/reviews/assignment.service.ts'
import { checkGives, exceeding, type Giver } from '../../organisation/people/guards.policy.ts'
import { lockGiver } from '../../organisation/people/guards.service.ts'
import {
  changeMembership,
  getMember,
  membersOfRole,
  releaseHolders,
} from '../../organisation/people/memberships.service.ts'
import { keptPermissions, readPermissions } from '../../organisation/people/people.policy.ts'
import type { MemberRow } from '../../organisation/people/people.types.ts'
import { endUngivenInvites } from '../invites/ungiven.service.ts'
import { deleteRole, findRole, findRoleByName, insertRole, listRoles, type RoleRow, updateRole } from './roles.store.ts'

type Change = By<ActorOf<'user'>> & Needs<'audit' | 'clock' | 'config' | 'credentials' | 'newId' | 'reader' | 'tx'>

const idsOf = (members: readonly { readonly id: string }[]): string[] => members.map(({ id }) => id)

/** A custom role. Throws `not_found` for none of this organisation. */
const getRole = async (
  call: Needs<'reader'>,
  { orgId, id }: { readonly orgId: string; readonly id: string },
): Promise<RoleRow> => {
  const role = await findRole(call.reader, orgId, id)
  if (!role) throw notFound('role')
  return role
}

/** By name. */
export const rolesOf = (call: Needs<'reader'>, orgId: string): Promise<RoleRow[]> => listRoles(call.reader, orgId)

const checkName = async (call: Needs<'tx'>, orgId: string, name: string, self?: string): Promise<void> => {
  const taken = await findRoleByName(call.tx, orgId, name)
  if (taken && taken.id !== self)
    throw new ServiceError('conflict', `there is a role of that name already: ${taken.id}`)
}

/** Nobody edits a role above their own. */
const checkAbove = (giver: Giver, role: RoleRow): void => {
  if (exceeding(readPermissions(role.permissions), giver.permissions).length > 0)
    throw new ServiceError(
      'forbidden',
      'this role has permissions that you do not hold: ask a member who holds them all',
    )
}

export const createRole = async (
  call: Change,
  input: {
    readonly name: string
    readonly description?: string | undefined
    readonly permissions: readonly Permission[]
  },
): Promise<RoleRow> => {
  const { tx, actor } = call
  const { orgId } = actor
  const giver = await lockGiver(call, 'role.manage')
  checkGives(giver, input.permissions)
  if ((await listRoles(tx, orgId)).length >= maxCustomRoles)
    throw new ServiceError('conflict', `there are ${maxCustomRoles} custom roles already; delete one first`)
  await checkName(call, orgId, input.name)
  const now = call.clock.now()
  const { name, description = '' } = input
  const permissions = keptPermissions(input.permissions)
  const role = { id: call.newId('rol'), name, description, permissions, createdAt: now, updatedAt: now }
  await insertRole(tx, orgId, role)
  const payload = { name, permissions: permissions.split(' ') }
  await call.audit.append({ tx, scope: { orgId }, actor }, { action: 'role.created', target: role.id, payload })
  return role
}

export interface RoleChange {
  readonly name?: string | undefined
  readonly description?: string | undefined
  readonly permissions?: readonly Permission[] | undefined
  /** `updatedAt` of the state that the writer has seen. */
  readonly expectedVersion?: number | undefined
}

/** In force on the holders' next requests. Holders may edit their role's words, and give themselves nothing. */
export const changeRole = async (
  call: Change,
  { id, change }: { readonly id: string; readonly change: RoleChange },
): Promise<RoleRow> => {
  const { tx, actor } = call
  const { orgId } = actor
  const giver = await lockGiver(call, 'role.manage')
  const before = await getRole({ reader: tx }, { orgId, id })
  checkAbove(giver, before)
  checkSeen({ version: before.updatedAt }, change.expectedVersion)
  checkGives(giver, change.permissions ?? [])
  const after = {
    ...before,
    name: change.name ?? before.name,
    description: change.description ?? before.description,
    permissions: change.permissions ? keptPermissions(change.permissions) : before.permissions,
    updatedAt: laterThan(before.updatedAt, call.clock.now()),
  }
  const changed = (['name', 'description', 'permissions'] as const).filter((field) => before[field] !== after[field])
  if (changed.length === 0) return before
  await checkName(call, orgId, after.name, id)
  await updateRole(tx, orgId, after)
  const payload = { changed, permissions: after.permissions.split(' '), before: before.permissions.split(' ') }
  await call.audit.append({ tx, scope: { orgId }, actor }, { action: 'role.changed', target: id, payload })
  await releaseReviews(call, {
    orgId,
    membershipIds: idsOf(await membersOfRole({ reader: tx }, { orgId, roleId: id })),
  })
  if (changed.includes('permissions')) await endUngivenInvites(call, { orgId })
  // Open streams are asked at once whether they may go on.
  tx.afterCommit(() => call.credentials.clear())
  return after
}

export const removeRole = async (call: Change, id: string): Promise<void> => {
  const { tx, actor } = call
  const { orgId } = actor
  const giver = await lockGiver(call, 'role.manage')
  const role = await getRole({ reader: tx }, { orgId, id })
  checkAbove(giver, role)
  const released = await releaseHolders(call, { orgId, giver, roleId: id })
  await deleteRole(tx, orgId, id)
  const payload = { name: role.name }
  await call.audit.append({ tx, scope: { orgId }, actor }, { action: 'role.deleted', target: id, payload })
  await releaseReviews(call, { orgId, membershipIds: idsOf(released) })
  await endUngivenInvites(call, { orgId })
}

/** Gives a member a custom role, or with null their built-in one. */
export const assignRole = async (
  call: Change,
  { membershipId, roleId }: { readonly membershipId: string; readonly roleId: string | null },
): Promise<MemberRow> => {
  const { tx, actor } = call
  const { orgId } = actor
  const giver = await lockGiver(call, 'role.manage')
  await getMember({ reader: tx }, { orgId, id: membershipId })
  const customRole = roleId === null ? null : await getRole({ reader: tx }, { orgId, id: roleId })
  const { after } = await changeMembership(call, { orgId, giver, id: membershipId, customRole })
  await releaseReviews(call, { orgId, membershipIds: [after.id] })
  await endUngivenInvites(call, { orgId, userId: after.userId })
  return after
}
