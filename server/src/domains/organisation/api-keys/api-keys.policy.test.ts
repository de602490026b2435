import { type ApiScope, builtInRoles, type Permission, permissions, scopes } from '@integrity/protocol'
import { describe, expect, it } from 'vitest'
import { permissionsOf } from '../people/people.policy.ts'
import { exceedingScopes } from './api-keys.policy.ts'

const every = Object.keys(permissions) as Permission[]
const without = (...left: Permission[]) => every.filter((permission) => !left.includes(permission))

describe('the scopes a key may get', () => {
  it('are all of them for who may do everything, and for each role that may manage keys', () => {
    expect(exceedingScopes(scopes, every)).toEqual([])
    for (const role of builtInRoles.filter((name) => permissionsOf(name).includes('api_key.manage')))
      expect(exceedingScopes(scopes, permissionsOf(role)), role).toEqual([])
  })

  it('are only to read the organisation for who may do nothing', () => {
    expect(exceedingScopes(scopes, [])).toEqual(scopes.filter((scope) => scope !== 'org:read'))
  })

  it.each<[Permission, ApiScope[]]>([
    ['session.view', ['sessions:read', 'events:read']],
    ['session.create', ['sessions:write']],
    ['session.manage', ['sessions:write']],
    ['evidence.view', ['evidence:read']],
    ['evidence.export', ['evidence:read']],
    ['composition.view', ['evidence:read']],
    ['report.view', ['reports:read']],
    ['webhook.manage', ['webhooks:read', 'webhooks:write']],
    ['org.manage', []],
  ])('without %s do not include %j', (missing, refused) => {
    expect(exceedingScopes(scopes, without(missing))).toEqual(refused)
  })

  it('are judged one by one: what was not asked for is not named', () => {
    expect(exceedingScopes(['org:read', 'reports:read'], without('session.view'))).toEqual([])
  })
})
