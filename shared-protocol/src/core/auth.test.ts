import { describe, expect, it } from 'vitest'
import {
  anonymous,
  apiKey,
  cookieCredentialKinds,
  credentialKinds,
  downloadToken,
  link,
  linkKinds,
  scopes,
  sessionCredentialKinds,
  user,
} from './auth.ts'
import { permissions } from './permissions.ts'

describe('credentials', () => {
  it('have one kind each, and anonymous is one', () => {
    expect(new Set(credentialKinds).size).toBe(credentialKinds.length)
    expect(credentialKinds).toContain(anonymous.kind)
  })

  it('of a session are bearers, and never travel as a cookie', () => {
    for (const kind of [...sessionCredentialKinds, ...cookieCredentialKinds]) expect(credentialKinds).toContain(kind)
    const cookies: readonly string[] = cookieCredentialKinds
    expect(sessionCredentialKinds.filter((kind) => cookies.includes(kind))).toEqual([])
  })
})

describe('rules', () => {
  it('name what they ask for', () => {
    for (const scope of scopes) expect(apiKey(scope)).toEqual({ kind: 'api_key', scope })
    for (const of of linkKinds) expect(link(of)).toEqual({ kind: 'link', link: of })
    expect(user('session.view')).toEqual({ kind: 'user', permission: 'session.view' })
    expect(user()).toEqual({ kind: 'user', permission: undefined })
    expect(downloadToken('evidence')).toEqual({ kind: 'download', object: 'evidence' })
  })
})

describe('scopes and permissions', () => {
  it('are never mistaken for each other', () => {
    for (const scope of scopes) expect(scope).toMatch(/^[a-z]+:(read|write)$/)
    for (const permission of Object.keys(permissions)) expect(permission).not.toContain(':')
  })
})
