import { notFound, type Permission, ServiceError } from '@integrity/protocol'
import { lockHead } from '../../../kernel/audit/audit.store.ts'
import type { By, Needs } from '../../../kernel/call.ts'
import type { ActorOf } from '../../../kernel/identity/actor.ts'
import { couldGiveRole, type Giver } from './guards.policy.ts'
import { findMemberByUser } from './memberships.store.ts'
import { permissionsHeld } from './people.policy.ts'
import type { HeldRole } from './people.types.ts'

/** Nobody changes the members, roles or invites of an organisation until the commit: all who do wait at its head. */
export const lockPeople = async (call: Needs<'tx'>, orgId: string): Promise<void> => {
  await lockHead(call.tx, orgId)
}

/**
 * A member with what they may do now, which stays so until the commit: somebody may have changed it since they were asked or
 * let in. Every change of members, roles and invites begins with it.
 */
export const lockHolder = async (
  call: Needs<'tx'>,
  { orgId, userId, permission }: { readonly orgId: string; readonly userId: string; readonly permission: Permission },
): Promise<Giver> => {
  await lockPeople(call, orgId)
  const member = await findMemberByUser(call.tx, orgId, userId)
  if (!member?.active) throw notFound('organisation')
  const permissions = permissionsHeld(member)
  if (!permissions.includes(permission)) throw new ServiceError('forbidden', `this needs the permission ${permission}`)
  return { membershipId: member.id, role: member.role, permissions }
}

/** Whether a person is still somebody who could give this role by an invite. Call with the people locked where it decides something. */
export const mayStillGive = async (
  call: Needs<'reader'>,
  { orgId, userId, role }: { readonly orgId: string; readonly userId: string; readonly role: HeldRole },
): Promise<boolean> => {
  const member = await findMemberByUser(call.reader, orgId, userId)
  if (!member?.active) return false
  const permissions = permissionsHeld(member)
  const asked: Permission[] = role.customRoleId === null ? ['member.manage'] : ['member.manage', 'role.manage']
  if (asked.some((name) => !permissions.includes(name))) return false
  return couldGiveRole({ membershipId: member.id, role: member.role, permissions }, role)
}

export const lockGiver = ({ actor, tx }: By<ActorOf<'user'>> & Needs<'tx'>, permission: Permission): Promise<Giver> =>
  lockHolder({ tx }, { orgId: actor.orgId, userId: actor.id, permission })
