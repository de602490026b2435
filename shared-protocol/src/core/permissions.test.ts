import { describe, expect, it } from 'vitest'
import { type BuiltInRole, builtInRole, builtInRoles, type Permission, permission, permissions } from './permissions.ts'

const names = Object.keys(permissions) as Permission[]
const held = (role: BuiltInRole): readonly Permission[] =>
  names.filter((name) => (permissions[name].roles as readonly BuiltInRole[]).includes(role))

describe('the built-in roles', () => {
  it('are the owner with everything, and the administrator with all but single sign-on', () => {
    expect(held('owner')).toEqual(names)
    expect(names.filter((name) => !held('admin').includes(name))).toEqual(['sso.manage'])
  })

  it('let an interviewer hold interviews, and a reviewer read, and neither what the other is for', () => {
    expect(held('interviewer')).toEqual(expect.arrayContaining(['session.create', 'session.manage', 'session.view']))
    expect(held('reviewer')).toEqual(expect.arrayContaining(['evidence.export', 'report.sign_off', 'access_log.view']))
    for (const name of ['session.create', 'session.manage'] as const) expect(held('reviewer')).not.toContain(name)
    for (const name of ['evidence.export', 'report.sign_off', 'access_log.view'] as const)
      expect(held('interviewer')).not.toContain(name)
  })

  it('give nobody but managers what changes the organisation, its people or its keys', () => {
    const changes = names.filter((name) =>
      /^(?:org|member|role|api_key|webhook|billing|storage|retention|legal_hold|sso)\./.test(name),
    )
    expect(changes.length).toBeGreaterThan(8)
    for (const role of ['interviewer', 'reviewer'] as const)
      expect(held(role).filter((name) => changes.includes(name))).toEqual([])
  })

  it('hold each at least one permission, and each permission names a role once', () => {
    for (const role of builtInRoles) expect(held(role).length).toBeGreaterThan(0)
    for (const name of names) expect(new Set(permissions[name].roles).size).toBe(permissions[name].roles.length)
  })
})

describe('a permission in a request', () => {
  it('is one of the list, spelled as it is there', () => {
    for (const name of names) expect(permission.parse(name)).toBe(name)
    for (const text of ['', 'org', 'org.', 'Org.manage', 'org.manage ', 'owner', '__proto__'])
      expect(permission.safeParse(text).success, text).toBe(false)
  })

  it('is another list than the roles', () => {
    expect(builtInRole.options).toEqual(builtInRoles)
    for (const name of names) expect(builtInRole.safeParse(name).success).toBe(false)
  })
})
