import { randomBytes } from 'node:crypto'
import { notFound, type oidcAnswer, ServiceError, samlRequestMinutes } from '@integrity/protocol'
import type * as z from 'zod'
import type { Needs } from '../../../kernel/call.ts'
import type { PortalTokens } from '../../../kernel/sign-ins.ts'
import { hashSecret } from '../../../platform/crypto/secrets.ts'
import type { OidcClaims, OidcClient } from '../../../platform/oidc/oidc.ts'
import { OidcError } from '../../../platform/oidc/oidc-error.ts'
import { type Entered, enterBySso } from './entering.service.ts'
import { serviceProviderOf } from './service-provider.model.ts'
import { findRequest, insertRequest, type RequestRow, spendRequest } from './sign-ins.store.ts'
import { connectionSecretOf, type SsoOrg, ssoOrgOf } from './sso.service.ts'
import type { ConnectionRow, OidcSettings, SsoCheck, SsoPerson } from './sso.types.ts'

const random = () => randomBytes(32).toString('base64url')
const verifierContext = (orgId: string, stateHash: string): string => `sso-verifier:${orgId}:${stateHash}`

const oidcOrg = async (call: Needs<'config' | 'reader'>, slug: string): Promise<SsoOrg<OidcSettings>> => {
  const found = await ssoOrgOf(call, slug)
  if (found?.connection.settings.kind !== 'oidc') throw notFound('single sign-on')
  return found as SsoOrg<OidcSettings>
}

const clientOf = (
  call: Needs<'keyring'>,
  { orgId, connection, provider }: Pick<SsoOrg<OidcSettings>, 'orgId' | 'connection' | 'provider'>,
): OidcClient => {
  const { issuer, clientId, scopes } = connection.settings
  const clientSecret = connectionSecretOf(call, { orgId, connection })
  return { issuer, clientId, clientSecret, scopes, redirectUri: provider.callbackUrl }
}

const refused = (reason: string, words: string, cause?: unknown) =>
  new ServiceError('unauthorized', words, {
    headers: { 'WWW-Authenticate': 'Bearer' },
    extra: { reason },
    ...(cause !== undefined && { cause }),
  })
const notTaken = (reason: string) =>
  refused(reason, 'this answer of the identity provider is not taken: begin again at the sign-in page')

/** A fault of the provider is a 401 that names it to the person who signs in; a provider that does not answer is a 503. */
const saying = async <T>(work: Promise<T>): Promise<T> => {
  try {
    return await work
  } catch (error) {
    if (!(error instanceof OidcError)) throw error
    if (error.isUnavailable) throw new ServiceError('service_unavailable', error.message, { cause: error })
    throw refused(error.fault, `${error.message}; begin again at the sign-in page`, error)
  }
}

/** Notes that a sign-in began here, in this very browser: state and nonce count nowhere else. */
export const beginAtOidc = async (
  call: Needs<'clock' | 'config' | 'db' | 'keyring' | 'oidc' | 'reader'> & { readonly cookies: PortalTokens },
  { slug, returnTo }: { readonly slug: string; readonly returnTo: string | undefined },
): Promise<{ readonly url: string; readonly keep: string }> => {
  const org = await oidcOrg(call, slug)
  const { orgId } = org
  const { issuer } = org.connection.settings
  const begun = { state: random(), nonce: random(), verifier: random() }
  const url = await saying(call.oidc.beginAt(clientOf(call, org), begun))
  const keep = call.cookies.begun ?? randomBytes(24).toString('base64url')
  const stateHash = hashSecret(begun.state)
  const row: RequestRow = {
    stateHash,
    orgId,
    issuer,
    requestId: begun.nonce,
    returnTo: returnTo ?? null,
    browserHash: hashSecret(keep),
    wrappedVerifier: call.keyring.wrap(Buffer.from(begun.verifier), verifierContext(orgId, stateHash)),
    expiresAt: call.clock.now() + samlRequestMinutes * 60_000,
  }
  await call.db.transact((tx) => insertRequest(tx, row))
  return { url, keep }
}

const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value.trim() !== '' ? value : typeof value === 'number' ? String(value) : undefined

/** An address that the provider has not verified says nothing about who has it. */
const emailOf = (claims: OidcClaims, name: string): string => {
  const email = textOf(claims[name])
  if (email === undefined) throw refused('no_address', `the identity provider gave no address in the claim ${name}`)
  const verified = claims['email_verified']
  const isVerified = verified === true || verified === 'true'
  if (name === 'email' ? !isVerified : verified === false && email === claims['email'])
    throw refused('email_not_verified', 'the identity provider does not say that it has verified your e-mail address')
  return email
}

const valuesOf = (value: unknown): string[] => {
  const list: readonly unknown[] = Array.isArray(value) ? value : [value]
  return list.flatMap((one) => textOf(one) ?? [])
}

const personIn = ({ issuer, attributes }: OidcSettings, claims: OidcClaims): SsoPerson => {
  const subject = textOf(claims[attributes.id ?? 'sub'])
  if (subject === undefined) throw refused('no_subject', `the identity provider gave no claim ${attributes.id}`)
  return {
    issuer,
    subject,
    email: emailOf(claims, attributes.email ?? 'email'),
    name: textOf(claims[attributes.name ?? 'name']),
    roleValues: attributes.role === undefined ? [] : valuesOf(claims[attributes.role]),
  }
}

/** An answer that was exchanged and is right, and may be taken once. */
export interface ProvedOidc {
  readonly org: SsoOrg<OidcSettings>
  readonly request: RequestRow
  readonly who: SsoPerson
}

const requestOf = async (
  call: Needs<'clock' | 'reader'> & { readonly cookies: PortalTokens },
  { orgId, connection }: SsoOrg<OidcSettings>,
  state: string | undefined,
) => {
  const request = state === undefined ? undefined : await findRequest(call.reader, orgId, hashSecret(state))
  if (!request || request.expiresAt <= call.clock.now()) throw notTaken('not_begun_here')
  if (request.browserHash === null || hashSecret(call.cookies.begun ?? '') !== request.browserHash)
    throw notTaken('another_browser')
  // The connection may have been changed while somebody was at the provider of before.
  if (request.issuer !== connection.settings.issuer || request.wrappedVerifier === null) throw notTaken('issuer')
  return { request, wrapped: request.wrappedVerifier }
}

/** Before the transaction: exchanges the code, and checks everything, but that the answer is taken only once. */
export const proveOidcAnswer = async (
  call: Needs<'clock' | 'config' | 'keyring' | 'oidc' | 'reader'> & { readonly cookies: PortalTokens },
  { slug, answer }: { readonly slug: string; readonly answer: z.output<typeof oidcAnswer> },
): Promise<ProvedOidc> => {
  const org = await oidcOrg(call, slug)
  const { state } = answer
  const { request, wrapped } = await requestOf(call, org, state)
  const verifier = call.keyring.unwrap(wrapped, verifierContext(org.orgId, request.stateHash)).toString('utf8')
  const begun = { state: state ?? '', nonce: request.requestId, verifier }
  const query = Object.fromEntries(Object.entries(answer).filter(([, value]) => value !== undefined))
  const claims = await saying(call.oidc.take(clientOf(call, org), begun, query))
  return { org, request, who: personIn(org.connection.settings, claims) }
}

/** In the transaction: takes the answer, and signs in. */
export const takeOidcAnswer = async (
  call: Parameters<typeof enterBySso>[0],
  { org: { orgId, connection }, request, who }: ProvedOidc,
): Promise<Entered & { readonly returnTo: string | null }> => {
  if (!(await spendRequest(call.tx, request))) throw notTaken('not_begun_here')
  return { ...(await enterBySso(call, { orgId, connection, who })), returnTo: request.returnTo }
}

/** Tries the identity provider, step by step. Whether it takes the client's secret shows at the first sign-in only. */
export const probeOidc = (
  call: Needs<'config' | 'keyring' | 'oidc'>,
  { orgId, connection }: { readonly orgId: string; readonly connection: ConnectionRow<OidcSettings> },
): Promise<SsoCheck[]> => {
  const provider = serviceProviderOf(call.config.baseUrl, '')
  return call.oidc.probe(clientOf(call, { orgId, connection, provider }))
}
