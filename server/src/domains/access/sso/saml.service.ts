import { randomBytes } from 'node:crypto'
import { refreshSeconds, ServiceError, samlRequestMinutes } from '@integrity/protocol'
import type { Needs } from '../../../kernel/call.ts'
import type { PortalTokens } from '../../../kernel/sign-ins.ts'
import { hashSecret } from '../../../platform/crypto/secrets.ts'
import { type Entered, enterBySso } from './entering.service.ts'
import type { AssertionFacts } from './saml-assertion.model.ts'
import { metadataOf, newRequestId, signInAddress } from './saml-client.model.ts'
import { SamlRefusal } from './saml-xml.model.ts'
import {
  findRequest,
  insertAssertion,
  insertRequest,
  insertSsoSignIn,
  type RequestRow,
  spendRequest,
} from './sign-ins.store.ts'
import { signingKeyOf } from './signing-keys.service.ts'
import { findSigningKey } from './signing-keys.store.ts'
import { type SsoOrg, samlOrg } from './sso.service.ts'
import type { SamlSettings, SsoPerson } from './sso.types.ts'

/** Only a secure cookie comes back with a page of another site (RFC 6265bis, SameSite=None). */
const canKeep = ({ config }: Needs<'config'>): boolean => config.baseUrl.startsWith('https:')

/**
 * Notes that a sign-in began here. @returns where at the identity provider it goes on, and what the browser shall keep, so that
 * nobody is signed in to another one's account by an answer that was begun elsewhere
 */
export const beginAtProvider = async (
  call: Needs<'clock' | 'config' | 'db' | 'keyring' | 'reader'> & { readonly cookies: PortalTokens },
  { slug, returnTo }: { readonly slug: string; readonly returnTo: string | undefined },
): Promise<{ readonly url: string; readonly keep: string | undefined }> => {
  const { orgId, connection, provider } = await samlOrg(call, slug)
  const state = randomBytes(24).toString('base64url')
  const requestId = newRequestId()
  const key = await signingKeyOf(call, { orgId, settings: connection.settings })
  const url = await signInAddress(connection.settings, provider, { requestId, state, key })
  const expiresAt = call.clock.now() + samlRequestMinutes * 60_000
  // Two pages of one browser may be on their way at the same time.
  const keep = canKeep(call) ? (call.cookies.begun ?? randomBytes(24).toString('base64url')) : undefined
  const browserHash = keep === undefined ? null : hashSecret(keep)
  const row = { stateHash: hashSecret(state), orgId, requestId, returnTo: returnTo ?? null, browserHash, expiresAt }
  const ofOidc = { issuer: null, wrappedVerifier: null }
  await call.db.transact((tx) => insertRequest(tx, { ...row, ...ofOidc }))
  return { url, keep }
}

/** What the identity provider needs to know of this service. */
export const spMetadata = async (call: Needs<'config' | 'reader'>, slug: string): Promise<string> => {
  const { orgId, provider } = await samlOrg(call, slug)
  return metadataOf(provider, (await findSigningKey(call.reader, orgId))?.certificate)
}

/** What an administrator can do about it. */
const advice: Readonly<Record<string, string>> = {
  audience:
    'the audience of the assertion is not the entity id of this service: compare it letter by letter, also its end',
  signature: 'the signature was not made with the key of a certificate that is configured here',
  unsigned: 'the identity provider must sign the assertion itself, not the response alone',
}

const refused = (reason: string, said?: string) =>
  new ServiceError(
    'unauthorized',
    said === undefined
      ? `this answer of the identity provider is not taken${advice[reason] ? ` (${advice[reason]})` : ''}: begin again at the sign-in page`
      : `the identity provider refuses this sign-in: ${said}`,
    {
      headers: { 'WWW-Authenticate': 'Bearer' },
      extra: { reason },
    },
  )

const usualNames = {
  email: [
    'email',
    'mail',
    'urn:oid:0.9.2342.19200300.100.1.3',
    'http://schemas.xmlsoap.org/ws/2005/05/identity/claims/emailaddress',
  ],
  name: [
    'displayName',
    'name',
    'urn:oid:2.16.840.1.113730.3.1.241',
    'http://schemas.microsoft.com/identity/claims/displayname',
    'http://schemas.xmlsoap.org/ws/2005/05/identity/claims/name',
  ],
} as const

const firstOf = (facts: AssertionFacts, names: readonly string[]): string | undefined => {
  for (const name of names) {
    const value = facts.attributes.get(name)?.[0]
    if (value !== undefined) return value
  }
  return undefined
}

/** A NameID of this format is another one at every sign-in. */
const isTransient = ({ nameIdFormat }: AssertionFacts): boolean =>
  nameIdFormat === 'urn:oasis:names:tc:SAML:2.0:nameid-format:transient'

const personIn = ({ idpEntityId, attributes }: SamlSettings, facts: AssertionFacts): SsoPerson => {
  const email = firstOf(facts, attributes.email ? [attributes.email] : usualNames.email) ?? facts.nameId
  const stable = attributes.id ? firstOf(facts, [attributes.id]) : isTransient(facts) ? email : facts.nameId
  if (email === undefined || stable === undefined) throw refused('no_subject')
  return {
    issuer: idpEntityId,
    subject: stable,
    email,
    name: firstOf(facts, attributes.name ? [attributes.name] : usualNames.name),
    roleValues: attributes.role ? (facts.attributes.get(attributes.role) ?? []) : [],
  }
}

/** An answer that was read and is right, and may be taken once. */
export interface ReadAnswer {
  readonly org: SsoOrg<SamlSettings>
  readonly request: RequestRow
  readonly facts: AssertionFacts
}

/** Before the transaction: everything about the answer, but that it is taken only once. */
export const proveAnswer = async (
  call: Needs<'clock' | 'config' | 'reader' | 'samlReader'> & { readonly cookies: PortalTokens },
  {
    slug,
    answer: { SAMLResponse, RelayState },
  }: { readonly slug: string; readonly answer: { SAMLResponse: string; RelayState?: string | undefined } },
): Promise<ReadAnswer> => {
  const org = await samlOrg(call, slug)
  const now = call.clock.now()
  const request = RelayState ? await findRequest(call.reader, org.orgId, hashSecret(RelayState)) : undefined
  if (!request || request.expiresAt <= now) throw refused('not_begun_here')
  if (request.browserHash !== null && hashSecret(call.cookies.begun ?? '') !== request.browserHash)
    throw refused('another_browser')
  const given = { answer: SAMLResponse, requestId: request.requestId, now }
  try {
    const { settings } = org.connection
    return { org, request, facts: await call.samlReader.read(org.orgId, { settings, provider: org.provider, given }) }
  } catch (error) {
    if (error instanceof SamlRefusal) throw refused(error.reason, error.said)
    throw error
  }
}

/** In the transaction: takes the answer, and signs in. */
export const takeAnswer = async (
  call: Parameters<typeof enterBySso>[0],
  { org, request, facts }: ReadAnswer,
): Promise<Entered & { readonly returnTo: string | null }> => {
  const { tx } = call
  const { orgId, connection } = org
  const now = call.clock.now()
  if (!(await spendRequest(tx, request))) throw refused('not_begun_here')
  if (!(await insertAssertion(tx, orgId, hashSecret(facts.id), facts.usableUntil))) throw refused('replayed')
  const entered = await enterBySso(call, { orgId, connection, who: personIn(connection.settings, facts) })
  await insertSsoSignIn(tx, orgId, {
    portalSessionId: entered.portalSessionId,
    nameId: facts.nameId ?? '',
    nameIdFormat: facts.nameIdFormat ?? null,
    sessionIndex: facts.sessionIndex ?? null,
    endsAt: facts.sessionEndsAt ?? null,
    forgetAt: now + refreshSeconds * 1000,
  })
  return { ...entered, returnTo: request.returnTo }
}
