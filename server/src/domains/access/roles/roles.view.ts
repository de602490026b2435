import { builtInRoles, type Permission, permissions } from '@integrity/protocol'
import { iso } from '../../../kernel/time.ts'
import { permissionsOf, readPermissions } from '../../organisation/people/people.policy.ts'
import type { RoleRow } from './roles.store.ts'

export const roleView = (role: RoleRow, holders: number) => ({
  id: role.id,
  name: role.name,
  description: role.description,
  permissions: readPermissions(role.permissions),
  holders,
  version: role.updatedAt,
  createdAt: iso(role.createdAt),
  updatedAt: iso(role.updatedAt),
})

const holding = (permission: Permission) =>
  Object.fromEntries(builtInRoles.map((role) => [role, permissionsOf(role).includes(permission)])) as Record<
    (typeof builtInRoles)[number],
    boolean
  >

/** Every permission with its sentence, and which built-in roles hold it. */
export const matrix = (Object.keys(permissions) as Permission[]).map((permission) => ({
  permission,
  description: permissions[permission].summary,
  builtIn: holding(permission),
}))
