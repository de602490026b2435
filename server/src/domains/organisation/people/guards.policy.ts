import { type BuiltInRole, type Permission, permissions, ServiceError } from '@integrity/protocol'
import { permissionsHeld, permissionsOf } from './people.policy.ts'
import type { HeldRole } from './people.types.ts'

/** Whoever gives or takes a role, as they stand now. */
export interface Giver {
  readonly membershipId: string
  readonly role: BuiltInRole
  readonly permissions: readonly Permission[]
}

/** The permissions that one holds and the other does not. */
export const exceeding = (wanted: readonly Permission[], held: readonly Permission[]): Permission[] =>
  wanted.filter((permission) => !held.includes(permission))

/** Throws `forbidden` when somebody would give a permission that they do not hold. */
export const checkGives = ({ permissions }: Giver, given: readonly Permission[]): void => {
  const beyond = exceeding(given, permissions)
  if (beyond.length > 0)
    throw new ServiceError(
      'forbidden',
      `you cannot give permissions that you do not hold yourself: ${beyond.join(', ')}`,
    )
}

/** Whether somebody who may give roles at all could give this one. */
export const couldGiveRole = (giver: Giver, given: HeldRole): boolean =>
  (given.role !== 'owner' || giver.role === 'owner') &&
  exceeding([...permissionsOf(given.role), ...permissionsHeld(given)], giver.permissions).length === 0

/** Nobody gives a role beyond their own, by itself or with a custom one; only owners make owners. */
export const checkGivesRole = (giver: Giver, given: HeldRole): void => {
  if (given.role === 'owner' && giver.role !== 'owner')
    throw new ServiceError('forbidden', 'only an owner can make another member an owner')
  checkGives(giver, permissionsOf(given.role))
  checkGives(giver, permissionsHeld(given))
}

const everything = Object.keys(permissions) as Permission[]

/** What can act as anybody of the organisation is set up by who holds every permission. */
export const checkHoldsEverything = (giver: Giver): void => {
  const lacking = exceeding(everything, giver.permissions)
  if (lacking.length > 0)
    throw new ServiceError(
      'forbidden',
      `this hands on every permission, and whoever does it must hold them all: ${lacking.join(', ')} missing`,
    )
}

/** Throws `forbidden` unless an owner sets up something that can act as an owner. */
export const checkIsOwner = ({ role }: Giver): void => {
  if (role !== 'owner')
    throw new ServiceError('forbidden', 'this also decides who signs in as an owner, so only an owner can set it')
}

/** Throws `forbidden` when somebody would change a member, or an invite, with more permissions than their own. */
export const checkReaches = (giver: Giver, target: HeldRole): void => {
  const above = target.role === 'owner' && giver.role !== 'owner'
  if (above || exceeding(permissionsHeld(target), giver.permissions).length > 0)
    throw new ServiceError(
      'forbidden',
      'that role has permissions that you do not hold: ask a member who holds them all',
    )
}
