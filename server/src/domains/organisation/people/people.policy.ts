import { type BuiltInRole, builtInRoles, type Permission, permissions } from '@integrity/protocol'
import type { HeldRole } from './people.types.ts'

const names = Object.keys(permissions) as Permission[]

const ofBuiltIn: ReadonlyMap<string, readonly Permission[]> = new Map(
  builtInRoles.map((role) => [
    role,
    names.filter((name) => (permissions[name].roles as readonly BuiltInRole[]).includes(role)),
  ]),
)

/** What a built-in role may do. A role that nobody defined may do nothing. */
export const permissionsOf = (role: string): readonly Permission[] => ofBuiltIn.get(role) ?? []

const known: ReadonlySet<string> = new Set(names)
const isPermission = (name: string): name is Permission => known.has(name)

/** A custom role's permissions as they are kept. A name that this version does not know gives nothing. */
export const readPermissions = (kept: string): Permission[] => kept.split(' ').filter(isPermission)

/** A set of permissions as it is kept: in the registry's order, each once. */
export const keptPermissions = (held: readonly Permission[]): string =>
  names.filter((name) => held.includes(name)).join(' ')

/**
 * What somebody may do: a custom role takes the place of the built-in one's permissions, and one that is gone leaves nothing.
 * An owner is an owner.
 */
export const permissionsHeld = ({ role, customRoleId, customPermissions }: HeldRole): readonly Permission[] =>
  customRoleId === null || role === 'owner' ? permissionsOf(role) : readPermissions(customPermissions ?? '')
