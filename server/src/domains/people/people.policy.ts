import { type BuiltInRole, type Permission, permissions } from '@integrity/protocol'

const names = Object.keys(permissions) as Permission[]

/** What a role may do. A role that nobody defined may do nothing. */
export const permissionsOf = (role: string): readonly Permission[] =>
  names.filter((name) => (permissions[name].roles as readonly BuiltInRole[]).includes(role as BuiltInRole))
