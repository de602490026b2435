import { builtInRoles, type Permission, permissions } from '@integrity/protocol'
import { describe, expect, it } from 'vitest'
import { keptPermissions, permissionsHeld, permissionsOf } from './people.policy.ts'

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

describe('a custom role', () => {
  const held = (customPermissions: string | null, role = 'admin') =>
    permissionsHeld({ role, customRoleId: 'rol_1', customPermissions })

  it("takes the place of the built-in one's permissions", () => {
    expect(held('session.view audit.view')).toEqual(['session.view', 'audit.view'])
    expect(permissionsHeld({ role: 'admin', customRoleId: null, customPermissions: null })).toBe(permissionsOf('admin'))
  })

  it('that is gone, or names what nobody knows, leaves nothing', () => {
    for (const kept of [null, '', 'session.rule', '__proto__ constructor', 'Session.view'])
      expect(held(kept)).toEqual([])
  })

  it('takes nothing from an owner', () => {
    expect(held('session.view', 'owner')).toBe(permissionsOf('owner'))
  })

  it('is kept in one order, whatever the order it was given in', () => {
    expect(keptPermissions(['session.view', 'org.manage', 'session.view'])).toBe('org.manage session.view')
  })
})
