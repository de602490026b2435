import type { BodyInputOf, EndpointMap } from '@integrity/protocol'
import type { ReadResult } from '../../../data/desk-api.ts'
import { namesBelow } from '../../../words/desk.ts'

export type Sso = ReadResult<'portal.sso.get'>
export type Connection = NonNullable<Sso['connection']>
/** A connection, or none, and which state of it that is. */
export type ShownConnection = Pick<Sso, 'connection' | 'version'>
export type SsoBody = BodyInputOf<EndpointMap['portal.sso.put']>

/** Roles that a sign-in may give: never an owner. */
export type GivenRole = Connection['defaultRole']
export const givenRoles = namesBelow('role').filter((role): role is GivenRole => role !== 'owner')
export interface MappedRole {
  readonly value: string
  readonly role: GivenRole
}

const shared = { defaultRole: 'interviewer', mapping: '[]', base: '' }
const emptySaml = {
  ...shared,
  idpEntityId: '',
  idpSsoUrl: '',
  idpSloUrl: '',
  certificates: '',
  signRequests: '',
  id: '',
  email: '',
  name: '',
  role: '',
}
const emptyLdap = {
  ...shared,
  url: '',
  startTls: '',
  bindDn: '',
  bindPassword: '',
  baseDn: '',
  userFilter: '',
  groupFilter: '',
}
const emptyOidc = {
  ...shared,
  issuer: '',
  clientId: '',
  clientSecret: '',
  scopes: '',
  id: '',
  email: '',
  name: '',
  role: '',
}
export type OidcWords = typeof emptyOidc
export type SamlWords = typeof emptySaml
export type LdapWords = typeof emptyLdap

/** What the draft keeps of a mapping. */
export const mappedOf = (text: string): readonly MappedRole[] => JSON.parse(text) as readonly MappedRole[]

const sharedOf = ({ defaultRole, roleMapping }: Connection) => ({
  defaultRole,
  mapping: JSON.stringify(Object.entries(roleMapping).map(([value, role]) => ({ value, role }))),
})

/** What a form begins with. Neither certificates nor the password come back from the service. */
export const samlWordsOf = ({ connection, version }: ShownConnection): SamlWords => {
  const empty = { ...emptySaml, base: String(version) }
  if (connection?.kind !== 'saml') return empty
  const { idpEntityId, idpSsoUrl, idpSloUrl = '', signRequests, attributes } = connection
  const { id = '', email = '', name = '', role = '' } = attributes
  const flags = { signRequests: signRequests ? 'yes' : '' }
  return {
    ...empty,
    ...sharedOf(connection),
    idpEntityId,
    idpSsoUrl,
    idpSloUrl,
    id,
    email,
    name,
    role,
    ...flags,
  }
}
export const ldapWordsOf = ({ connection, version }: ShownConnection): LdapWords => {
  const empty = { ...emptyLdap, base: String(version) }
  if (connection?.kind !== 'ldap') return empty
  const { url, startTls, bindDn, baseDn, userFilter, groupFilter = '' } = connection
  const flags = { startTls: startTls ? 'yes' : '' }
  return { ...empty, ...sharedOf(connection), url, bindDn, baseDn, userFilter, groupFilter, ...flags }
}

export const oidcWordsOf = ({ connection, version }: ShownConnection): OidcWords => {
  const empty = { ...emptyOidc, base: String(version) }
  if (connection?.kind !== 'oidc') return empty
  const { issuer, clientId, scopes, attributes } = connection
  const { id = '', email = '', name = '', role = '' } = attributes
  const words = { issuer, clientId, scopes: scopes.join(' '), id, email, name, role }
  return { ...empty, ...sharedOf(connection), ...words }
}

const given = <Name extends string>(fields: Readonly<Record<Name, string>>): Partial<Record<Name, string>> =>
  Object.fromEntries(Object.entries<string>(fields).filter(([, value]) => value.trim() !== '')) as Partial<
    Record<Name, string>
  >

const rolesOf = ({ defaultRole, mapping, base }: typeof shared) => ({
  defaultRole: defaultRole as GivenRole,
  roleMapping: Object.fromEntries(mappedOf(mapping).map(({ value, role }) => [value.trim(), role])),
  expectedVersion: Number(base),
})

/** Certificates as they were pasted, one after the other. */
const certificatesIn = (text: string): string[] =>
  text
    .split(/(?<=-----END [A-Z0-9 ]*CERTIFICATE-----)/)
    .map((one) => one.trim())
    .filter((one) => one !== '')

export const samlBodyOf = (words: SamlWords): SsoBody => {
  const { idpEntityId, idpSsoUrl, idpSloUrl, certificates, signRequests, id, email, name, role } = words
  const idpCertificates = certificatesIn(certificates)
  const basic = { kind: 'saml', idpEntityId, idpSsoUrl, idpCertificates, signRequests: signRequests === 'yes' } as const
  return { ...basic, ...given({ idpSloUrl }), attributes: given({ id, email, name, role }), ...rolesOf(words) }
}
export const ldapBodyOf = (words: LdapWords): SsoBody => {
  const { url, startTls, bindDn, bindPassword, baseDn, userFilter, groupFilter } = words
  const basic = { kind: 'ldap', url, startTls: startTls === 'yes', bindDn, bindPassword, baseDn, userFilter } as const
  return { ...basic, ...given({ groupFilter }), ...rolesOf(words) }
}
export const oidcBodyOf = (words: OidcWords): SsoBody => {
  const { issuer, clientId, clientSecret, id, email, name, role } = words
  const scopes = words.scopes.split(/\s+/).filter((one) => one !== '')
  const basic = { kind: 'oidc', issuer: issuer.trim(), clientId, clientSecret } as const
  const attributes = given({ id, email, name, role })
  return { ...basic, ...(scopes.length > 0 && { scopes }), attributes, ...rolesOf(words) }
}
