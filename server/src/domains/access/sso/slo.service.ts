import { sign, verify, X509Certificate } from 'node:crypto'
import { deflateRawSync, inflateRawSync } from 'node:zlib'
import { invalid, notFound, ServiceError, type samlLogoutQuery, samlSkewSeconds } from '@integrity/protocol'
import type * as z from 'zod'
import { type By, inTx, type Needs } from '../../../kernel/call.ts'
import type { ActorOf } from '../../../kernel/identity/actor.ts'
import { deleteInPages } from '../../../kernel/jobs/delete-in-pages.ts'
import { membershipsAcrossOrgs } from '../../organisation/people/people.service.ts'
import { dropStep } from '../auth/second-factor/second-step.service.ts'
import { endSignIn } from '../auth/sign-ins/sign-ins.service.ts'
import { newRequestId, signOutAddress } from './saml-client.model.ts'
import {
  attribute,
  childrenNamed,
  instantOf,
  isNamed,
  ns,
  oneChild,
  readXml,
  refuse,
  SamlRefusal,
  textOf,
} from './saml-xml.model.ts'
import {
  clearEnd,
  deleteOldAssertions,
  deleteOldRequests,
  deleteOldSignIns,
  findSsoSignIn,
  listOverdueOfAllOrgs,
  listSsoSignIns,
} from './sign-ins.store.ts'
import { signingKeyOf } from './signing-keys.service.ts'
import { samlOrg, ssoOrgOf } from './sso.service.ts'
import type { SamlSettings } from './sso.types.ts'

/** Where the sign-in that asks is ended at the identity provider too; null where nothing is configured. */
export const logoutUrlOf = async (
  call: By<ActorOf<'account'>> & Needs<'config' | 'keyring' | 'reader'>,
  slug: string,
): Promise<string | null> => {
  const { id, portalSessionId } = call.actor
  const isMember = (await membershipsAcrossOrgs(call, id)).some(({ orgSlug }) => orgSlug === slug)
  if (!isMember) throw notFound('organisation')
  const org = await ssoOrgOf(call, slug)
  if (org?.connection.settings.kind !== 'saml' || !org.connection.settings.idpSloUrl) return null
  const signIn = await findSsoSignIn(call.reader, org.orgId, portalSessionId)
  if (!signIn) return null
  const { settings } = org.connection
  return signOutAddress(settings, org.provider, signIn, await signingKeyOf(call, { orgId: org.orgId, settings }))
}

type Query = z.output<typeof samlLogoutQuery>

const rsaSha256 = 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256'
const algorithms: Readonly<Record<string, string>> = {
  [rsaSha256]: 'sha256',
  'http://www.w3.org/2001/04/xmldsig-more#rsa-sha384': 'sha384',
  'http://www.w3.org/2001/04/xmldsig-more#rsa-sha512': 'sha512',
}

/** As browsers write it, and as ADFS does. */
const writings = [
  (text: string) => encodeURIComponent(text),
  (text: string) => encodeURIComponent(text).replaceAll(/%[0-9A-F]{2}/g, (one) => one.toLowerCase()),
] as const

/** The signature of the HTTP-Redirect binding is over the query as it was written. */
const checkQuerySignature = ({ idpCertificates }: SamlSettings, query: Query): void => {
  const { SigAlg = '', Signature = '', RelayState, SAMLRequest, SAMLResponse } = query
  const algorithm = algorithms[SigAlg] ?? refuse('weak_signature')
  const signature = Buffer.from(Signature, 'base64')
  const isRight = writings.some((write) => {
    const message =
      SAMLRequest === undefined ? `SAMLResponse=${write(SAMLResponse ?? '')}` : `SAMLRequest=${write(SAMLRequest)}`
    const state = RelayState === undefined ? '' : `&RelayState=${write(RelayState)}`
    const signed = Buffer.from(`${message}${state}&SigAlg=${write(SigAlg)}`)
    return idpCertificates.some((pem) => verify(algorithm, signed, new X509Certificate(pem).publicKey, signature))
  })
  if (!isRight) refuse('signature')
}

/** They take some hundred bytes; this is what is left on the loop. */
const maxLogoutBytes = 64 * 1024

const inflate = (message: string): string => {
  try {
    return inflateRawSync(Buffer.from(message, 'base64'), { maxOutputLength: maxLogoutBytes }).toString('utf8')
  } catch {
    return refuse('not_deflated')
  }
}

interface LogoutRequest {
  readonly id: string
  readonly nameId: string
  readonly sessionIndexes: readonly string[]
}

const readLogoutRequest = (
  settings: SamlSettings,
  query: Query & { readonly SAMLRequest: string },
  { sloUrl, now }: { readonly sloUrl: string; readonly now: number },
): LogoutRequest => {
  checkQuerySignature(settings, query)
  const { root } = readXml(inflate(query.SAMLRequest))
  if (!isNamed(root, ns.protocol, 'LogoutRequest')) refuse('no_logout_request')
  if (textOf(oneChild(root, ns.assertion, 'Issuer')) !== settings.idpEntityId) refuse('issuer')
  if (attribute(root, 'Destination') !== sloUrl) refuse('destination')
  const skew = samlSkewSeconds * 1000
  // A word without an end would be good forever.
  const until = instantOf(root, 'NotOnOrAfter') ?? (instantOf(root, 'IssueInstant') ?? 0) + 300_000
  if (now >= until + skew) refuse('expired')
  return {
    id: attribute(root, 'ID') ?? refuse('no_id'),
    nameId: textOf(oneChild(root, ns.assertion, 'NameID')) ?? refuse('no_subject'),
    sessionIndexes: childrenNamed(root, ns.protocol, 'SessionIndex').flatMap((one) => textOf(one) ?? []),
  }
}

const signedQuery = (query: string, key: string): string => {
  const signed = `${query}&SigAlg=${encodeURIComponent(rsaSha256)}`
  return `${signed}&Signature=${encodeURIComponent(sign('sha256', Buffer.from(signed), key).toString('base64'))}`
}

interface LogoutAnswer {
  readonly issuer: string
  readonly requestId: string
  readonly now: number
  readonly state: string | undefined
  readonly key: string | undefined
}

/** The answer to it, which goes back by the browser. Nothing here is a value that the identity provider gave, but its request's id. */
const answerAddress = (to: string, { issuer, requestId, now, state, key }: LogoutAnswer): string => {
  if (!/^[A-Za-z_][\w.-]{0,200}$/.test(requestId)) return refuse('no_id')
  const escaped = to.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')
  const xml = `<samlp:LogoutResponse xmlns:samlp="${ns.protocol}" xmlns:saml="${ns.assertion}" ID="${newRequestId()}" Version="2.0" IssueInstant="${new Date(now).toISOString()}" Destination="${escaped}" InResponseTo="${requestId}"><saml:Issuer>${issuer}</saml:Issuer><samlp:Status><samlp:StatusCode Value="urn:oasis:names:tc:SAML:2.0:status:Success"/></samlp:Status></samlp:LogoutResponse>`
  const message = `SAMLResponse=${encodeURIComponent(deflateRawSync(xml).toString('base64'))}`
  const query = state === undefined ? message : `${message}&RelayState=${encodeURIComponent(state)}`
  return `${to}${to.includes('?') ? '&' : '?'}${key === undefined ? query : signedQuery(query, key)}`
}

/** Also where it waits for its second step. */
const endHere = async (call: Parameters<typeof endSignIn>[0], portalSessionId: string): Promise<void> => {
  await dropStep(call, portalSessionId)
  await endSignIn(call, { id: portalSessionId, reason: 'ended_by_provider' })
}

type Ends = Needs<'audit' | 'clock' | 'config' | 'credentials' | 'db' | 'keyring' | 'reader'>

/** Ends the sign-ins of whom the identity provider says that they sign out; answers where the browser goes on. */
export const takeLogout = async (
  call: Ends,
  { slug, query }: { readonly slug: string; readonly query: Query },
): Promise<string> => {
  const { orgId, connection, provider } = await samlOrg(call, slug)
  const { settings } = connection
  const { SAMLRequest, SAMLResponse, RelayState } = query
  // Whoever comes back from our own request has signed out here already.
  if (SAMLRequest === undefined && SAMLResponse !== undefined) return `${call.config.baseUrl}/account/`
  if (SAMLRequest === undefined) throw invalid('SAMLRequest', 'is needed')
  const now = call.clock.now()
  try {
    const request = readLogoutRequest(settings, { ...query, SAMLRequest }, { sloUrl: provider.sloUrl, now })
    await call.db.transact(async (tx) => {
      for (const { portalSessionId, sessionIndex } of await listSsoSignIns(tx, orgId, request.nameId))
        if (request.sessionIndexes.length === 0 || request.sessionIndexes.includes(sessionIndex ?? ''))
          await endHere(inTx(call, tx), portalSessionId)
    })
    const key = await signingKeyOf(call, { orgId, settings })
    const answer = { issuer: provider.entityId, requestId: request.id, now, state: RelayState, key }
    return settings.idpSloUrl ? answerAddress(settings.idpSloUrl, answer) : `${call.config.baseUrl}/account/`
  } catch (error) {
    if (!(error instanceof SamlRefusal)) throw error
    throw new ServiceError('unauthorized', 'this message of the identity provider was not accepted', {
      headers: { 'WWW-Authenticate': 'Bearer' },
      extra: { reason: error.reason },
    })
  }
}

const pageRows = 100

/** Ends sign-ins whose time at the identity provider is over, and deletes what is of no use any more. */
export const tidySignIns = async (call: Needs<'audit' | 'clock' | 'credentials' | 'db' | 'reader'>): Promise<void> => {
  const now = call.clock.now()
  for (;;) {
    const overdue = await listOverdueOfAllOrgs(call.reader, now, pageRows)
    for (const { orgId, portalSessionId } of overdue)
      await call.db.transact(async (tx) => {
        await endHere(inTx(call, tx), portalSessionId)
        await clearEnd(tx, orgId, portalSessionId)
      })
    if (overdue.length < pageRows) break
  }
  await deleteInPages(call, (tx, limit) => deleteOldRequests(tx, now, limit))
  await deleteInPages(call, (tx, limit) => deleteOldAssertions(tx, now, limit))
  await deleteInPages(call, (tx, limit) => deleteOldSignIns(tx, now, limit))
}
