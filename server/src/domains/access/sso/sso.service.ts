import {
  type BodyOf,
  type EndpointMap,
  invalid,
  notFound,
  oidcScopes,
  ServiceError,
  ssoTestHours,
} from '@integrity/protocol'
import type { By, Needs } from '../../../kernel/call.ts'
import type { Config } from '../../../kernel/config.ts'
import type { ActorOf } from '../../../kernel/identity/actor.ts'
import { checkSeen, laterThan } from '../../../kernel/seen.ts'
import { readTarget } from '../../../platform/http-out/target.ts'
import { getOrg, orgBySlug } from '../../organisation/orgs/orgs.service.ts'
import { checkIsOwner } from '../../organisation/people/guards.policy.ts'
import { lockGiver, lockPeople } from '../../organisation/people/guards.service.ts'
import { scimTokenSince } from '../scim/tokens.service.ts'
import { certificateOf } from './certificates.model.ts'
import { findConnection, saveConnection, saveRequired } from './connections.store.ts'
import { domainOf } from './domain-names.model.ts'
import { listDomains, ownerOfDomainAcrossOrgs } from './domains.store.ts'
import { serviceProviderOf } from './service-provider.model.ts'
import { settleSigningKey } from './signing-keys.service.ts'
import { findSigningKey, type SigningKeyRow } from './signing-keys.store.ts'
import type { ConnectionRow, LdapSettings, OidcSettings, SamlSettings } from './sso.types.ts'

type Body = BodyOf<EndpointMap['portal.sso.put']>
type Changes = By<ActorOf<'user'>> & Needs<'audit' | 'clock' | 'config' | 'jobs' | 'keyring' | 'tx'>

const secretsContext = (orgId: string): string => `sso:${orgId}`

/** An address that is never dialled is refused at once, not when somebody wants to sign in. */
const checkReachable = (config: Pick<Config, 'webhookAllowPrivate'>, path: string, hostname: string): void => {
  if (!config.webhookAllowPrivate && !readTarget(`https://${hostname}/`, false).ok)
    throw invalid(path, 'must be a public address')
}

/** An address that people's browsers or this service are sent to. */
const checkAddress = ({ config }: Needs<'config'>, path: string, given: string): string => {
  const url = new URL(given)
  if (url.username !== '' || url.password !== '') throw invalid(path, 'must not hold a user name or a password')
  if (url.hash !== '') throw invalid(path, 'must not have a part behind #')
  if (url.protocol === 'http:' && !config.webhookAllowPrivate) throw invalid(path, 'must begin with https://')
  checkReachable(config, path, url.hostname)
  return given
}

const samlSettingsOf = (call: Needs<'config'>, body: Extract<Body, { kind: 'saml' }>): SamlSettings => ({
  kind: 'saml',
  idpEntityId: body.idpEntityId,
  idpSsoUrl: checkAddress(call, 'idpSsoUrl', body.idpSsoUrl),
  ...(body.idpSloUrl !== undefined && { idpSloUrl: checkAddress(call, 'idpSloUrl', body.idpSloUrl) }),
  idpCertificates: body.idpCertificates.map((given, n) => certificateOf(given, `idpCertificates.${n}`)),
  signRequests: body.signRequests,
  attributes: body.attributes ?? {},
})

/** A password and a directory's answers never travel in the clear, but within this machine. */
const ldapSettingsOf = ({ config }: Needs<'config'>, body: Extract<Body, { kind: 'ldap' }>): LdapSettings => {
  const { protocol, hostname, username, password } = new URL(body.url)
  if (username !== '' || password !== '') throw invalid('url', 'must not hold a user name or a password')
  const isHere = ['localhost', '127.0.0.1', '[::1]'].includes(hostname)
  checkReachable(config, 'url', hostname)
  if (protocol === 'ldap:' && !body.startTls && !isHere)
    throw invalid('startTls', 'must be on, or the address ldaps://')
  if (protocol === 'ldaps:' && body.startTls) throw invalid('startTls', 'must be off: ldaps:// is encrypted already')
  if (!body.userFilter.includes('{username}')) throw invalid('userFilter', 'must hold {username}')
  const { url, startTls, bindDn, baseDn, userFilter, groupFilter } = body
  return { kind: 'ldap', url, startTls, bindDn, baseDn, userFilter, ...(groupFilter && { groupFilter }) }
}

const oidcSettingsOf = (call: Needs<'config'>, body: Extract<Body, { kind: 'oidc' }>): OidcSettings => ({
  kind: 'oidc',
  issuer: checkAddress(call, 'issuer', body.issuer),
  clientId: body.clientId,
  scopes: body.scopes ?? oidcScopes,
  attributes: body.attributes ?? {},
})

const settingsOf = (call: Needs<'config'>, body: Body): ConnectionRow['settings'] => {
  if (body.kind === 'saml') return samlSettingsOf(call, body)
  return body.kind === 'ldap' ? ldapSettingsOf(call, body) : oidcSettingsOf(call, body)
}

const secretOf = (body: Body): string | undefined => {
  if (body.kind === 'saml') return undefined
  return body.kind === 'ldap' ? body.bindPassword : body.clientSecret
}

/** Sets the connection in place of the one before. What was tested was that one; whether it is required stays. */
export const setConnection = async (
  call: Changes,
  { body, madeKey }: { readonly body: Body; readonly madeKey: SigningKeyRow | undefined },
): Promise<void> => {
  const { tx, actor, keyring } = call
  const { orgId } = actor
  const settings = settingsOf(call, body)
  const secret = secretOf(body)
  // It says who is who from now on: of owners, too.
  checkIsOwner(await lockGiver(call, 'sso.manage'))
  const before = await findConnection(tx, orgId)
  checkSeen({ version: before?.updatedAt ?? 0 }, body.expectedVersion)
  await saveConnection(tx, orgId, {
    settings,
    wrappedSecrets: secret === undefined ? null : keyring.wrap(Buffer.from(secret, 'utf8'), secretsContext(orgId)),
    defaultRole: body.defaultRole,
    roleMapping: body.roleMapping ?? {},
    required: before?.required ?? false,
    updatedAt: laterThan(before?.updatedAt, call.clock.now()),
    test: null,
  })
  await settleSigningKey(call, { wanted: body.kind === 'saml' ? body : {}, made: madeKey })
  const payload = { kind: body.kind, from: before?.settings.kind ?? null, defaultRole: body.defaultRole }
  await call.audit.append({ tx, scope: { orgId }, actor }, { action: 'sso.configured', target: orgId, payload })
}

/** The bind password of a directory, or the secret of a client of OpenID Connect. */
export const connectionSecretOf = (
  call: Needs<'keyring'>,
  { orgId, connection: { wrappedSecrets } }: { readonly orgId: string; readonly connection: ConnectionRow },
): string =>
  wrappedSecrets === null ? '' : call.keyring.unwrap(wrappedSecrets, secretsContext(orgId)).toString('utf8')

export const ssoOf = async (call: Needs<'config' | 'reader'>, orgId: string) => ({
  connection: await findConnection(call.reader, orgId),
  domains: await listDomains(call.reader, orgId),
  tokenSince: await scimTokenSince(call, orgId),
  certificate: (await findSigningKey(call.reader, orgId))?.certificate,
  provider: serviceProviderOf(call.config.baseUrl, (await getOrg(call, orgId)).slug),
})

const conflict = (reason: string, words: string) => new ServiceError('conflict', words, { extra: { reason } })

/** Requires single sign-on, which must be known to work, or no longer. Owners keep their password: nobody is locked out for good. */
export const setRequired = async (call: Changes, required: boolean): Promise<void> => {
  const { tx, actor } = call
  const { orgId } = actor
  await lockPeople(call, orgId)
  if (required) {
    const connection = await findConnection(tx, orgId)
    if (!connection) throw conflict('no_connection', 'there is no connection yet: set one first')
    const { test } = connection
    const domains = await listDomains(tx, orgId)
    if (!domains.some(({ verifiedAt }) => verifiedAt !== null))
      throw conflict('no_verified_domain', 'no domain is verified yet: prove one first')
    if (!test?.ok || call.clock.now() - test.testedAt > ssoTestHours * 3_600_000)
      throw conflict(
        'no_recent_test',
        `test the connection first: a test that worked, not older than ${ssoTestHours} hours`,
      )
  }
  await saveRequired(tx, orgId, required)
  if (required) {
    const scope = { orgId, environment: 'live' } as const
    await call.jobs.enqueue({ ...call, tx, scope }, { kind: 'sso.end_password_sign_ins', payload: { orgId } })
  }
  const payload = { required }
  await call.audit.append({ tx, scope: { orgId }, actor }, { action: 'sso.enforcement_set', target: orgId, payload })
}

export interface SsoOrg<S = ConnectionRow['settings']> {
  readonly orgId: string
  readonly connection: ConnectionRow<S>
  readonly provider: ReturnType<typeof serviceProviderOf>
}

/** The organisation of a slug with its connection of this kind; one without is none. */
export const samlOrg = async (call: Needs<'config' | 'reader'>, slug: string): Promise<SsoOrg<SamlSettings>> => {
  const found = await ssoOrgOf(call, slug)
  if (found?.connection.settings.kind !== 'saml') throw notFound('single sign-on')
  return found as SsoOrg<SamlSettings>
}

/** Undefined where there is no such organisation, or it has no connection. */
export const ssoOrgOf = async (call: Needs<'config' | 'reader'>, slug: string): Promise<SsoOrg | undefined> => {
  const org = await orgBySlug(call, slug)
  const connection = org && (await findConnection(call.reader, org.id))
  return connection && { orgId: org.id, connection, provider: serviceProviderOf(call.config.baseUrl, org.slug) }
}

/** How the addresses of a domain sign in. */
export const discover = async (call: Needs<'config' | 'reader'>, email: string) => {
  const orgId = await ownerOfDomainAcrossOrgs(call.reader, domainOf(email))
  const connection = orgId === undefined ? undefined : await findConnection(call.reader, orgId)
  if (orgId === undefined || !connection) return { method: 'password' as const, required: false }
  const { slug } = await getOrg(call, orgId)
  const { required } = connection
  if (connection.settings.kind === 'ldap') return { method: 'ldap' as const, orgSlug: slug, required }
  return { method: connection.settings.kind, url: serviceProviderOf(call.config.baseUrl, slug).loginUrl, required }
}
