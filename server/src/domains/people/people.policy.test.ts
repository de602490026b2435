import { builtInRoles, type Permission, permissions } from '@integrity/protocol'
import { expect, it } from 'vitest'
import { permissionsOf } from './people.policy.ts'

it('a built-in role holds exactly what the registry says', () => {
  for (const [name, { roles }] of Object.entries(permissions))
    for (const role of builtInRoles)
      expect(permissionsOf(role).includes(name as Permission), `${role} ${name}`).toBe(
        (roles as readonly string[]).includes(role),
      )
})

it('a role that nobody defined holds nothing', () => {
  for (const role of ['', 'Owner', 'root', '__proto__']) expect(permissionsOf(role)).toEqual([])
})
