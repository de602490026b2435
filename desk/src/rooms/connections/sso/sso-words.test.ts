import { describe, expect, it } from 'vitest'
import { ldapBodyOf, ldapWordsOf, oidcBodyOf, oidcWordsOf, samlBodyOf, samlWordsOf } from './sso-words.ts'
import { withoutPassword } from './without-password.ts'

const pem = (text: string) => `-----BEGIN CERTIFICATE-----\n${text}\n-----END CERTIFICATE-----`

describe('the words of a connection', () => {
  it('hold several certificates as they were pasted, and leave out what is empty', () => {
    const words = {
      ...samlWordsOf({ connection: null, version: 0 }),
      idpEntityId: 'idp',
      idpSsoUrl: 'https://idp.example',
      email: 'mail',
    }
    expect(samlBodyOf({ ...words, certificates: `${pem('one')}\n\n${pem('two')}\n` })).toEqual({
      kind: 'saml',
      idpEntityId: 'idp',
      idpSsoUrl: 'https://idp.example',
      idpCertificates: [pem('one'), pem('two')],
      signRequests: false,
      attributes: { email: 'mail' },
      defaultRole: 'interviewer',
      roleMapping: {},
      expectedVersion: 0,
    })
  })

  it('are those of the connection there is, without its password', () => {
    const words = ldapWordsOf({
      version: 3,
      connection: {
        kind: 'ldap',
        url: 'ldaps://directory.example',
        startTls: false,
        bindDn: 'cn=a',
        baseDn: 'dc=a',
        userFilter: '(uid={username})',
        defaultRole: 'reviewer',
        roleMapping: { admins: 'admin' },
        updatedAt: '2026-11-27T10:00:00.000Z',
      },
    })
    expect(words).toMatchObject({ bindPassword: '', groupFilter: '', base: '3' })
    expect(ldapBodyOf({ ...words, bindPassword: 'x' })).toMatchObject({
      bindPassword: 'x',
      defaultRole: 'reviewer',
      roleMapping: { admins: 'admin' },
    })
  })
})

describe('the words of a client of OpenID Connect', () => {
  it('are those of the connection there is, without its secret, and become the same settings again', () => {
    const words = oidcWordsOf({
      version: 3,
      connection: {
        kind: 'oidc',
        issuer: 'https://op.example',
        clientId: 'integrity',
        scopes: ['openid', 'email'],
        attributes: { role: 'groups' },
        defaultRole: 'reviewer',
        roleMapping: { admins: 'admin' },
        updatedAt: '2026-11-27T10:00:00.000Z',
      },
    })
    expect(words).toMatchObject({ clientSecret: '', scopes: 'openid email', base: '3' })
    expect(oidcBodyOf({ ...words, clientSecret: 'x' })).toEqual({
      kind: 'oidc',
      issuer: 'https://op.example',
      clientId: 'integrity',
      clientSecret: 'x',
      scopes: ['openid', 'email'],
      attributes: { role: 'groups' },
      defaultRole: 'reviewer',
      roleMapping: { admins: 'admin' },
      expectedVersion: 3,
    })
    expect(oidcBodyOf({ ...words, scopes: ' ' })).not.toHaveProperty('scopes')
  })
})

describe('who has no password once single sign-on is required', () => {
  it('has an address of a verified domain, and is no owner', () => {
    const members = [
      { email: 'a@harbour.example', role: 'reviewer' },
      { email: 'b@HARBOUR.example', role: 'admin' },
      { email: 'c@harbour.example', role: 'owner' },
      { email: 'd@other.example', role: 'reviewer' },
      { email: 'e@sub.harbour.example', role: 'reviewer' },
    ]
    const domains = [
      { domain: 'harbour.example', verified: true },
      { domain: 'other.example', verified: false },
    ]
    expect(withoutPassword(members, domains)).toEqual([members[0], members[1]])
  })
})
