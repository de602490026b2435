import { randomBytes } from 'node:crypto'
import * as samlify from 'samlify'
import { samlKeys } from './saml-keys.ts'

samlify.setSchemaValidator({ validate: () => Promise.resolve('not looked at') })

export const idpEntityId = 'https://idp.example/metadata'
export const idpSsoUrl = 'https://idp.example/sso'
export const idpSloUrl = 'https://idp.example/slo'

/** A sign-in that is at the identity provider. */
export interface Begun {
  readonly requestId: string
  readonly relayState: string
  readonly metadata: string
  readonly acsUrl: string
  readonly audience: string
  readonly now: number
  /** What the browser was given to keep. */
  readonly kept?: string | undefined
}

export interface AnswerOptions {
  readonly email?: string
  readonly nameId?: string
  readonly nameIdFormat?: string
  readonly attributes?: Readonly<Record<string, readonly string[]>>
  readonly key?: keyof typeof samlKeys
  readonly signatureAlgorithm?: string
  /** Before it is signed. */
  readonly change?: (xml: string) => string
  /** After it was signed. */
  readonly forge?: (xml: string) => string
  readonly signMessage?: boolean
  readonly sessionIndex?: string
}

const instant = (ms: number): string => new Date(ms).toISOString()
const newId = (): string => `_${randomBytes(16).toString('hex')}`

/** A plain answer, not signed yet. */
export const answerXml = (begun: Begun, options: AnswerOptions): string => {
  const { acsUrl, audience, requestId, now } = begun
  const { email = 'person@sso.example', nameId = email, attributes = {}, sessionIndex = 's1' } = options
  const format = options.nameIdFormat ?? 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent'
  const all = Object.entries({ email: [email], ...attributes })
    .map(
      ([name, values]) =>
        `<saml:Attribute Name="${name}">${values.map((value) => `<saml:AttributeValue>${value}</saml:AttributeValue>`).join('')}</saml:Attribute>`,
    )
    .join('')
  return `<samlp:Response xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion" ID="${newId()}" Version="2.0" IssueInstant="${instant(now)}" Destination="${acsUrl}" InResponseTo="${requestId}"><saml:Issuer>${idpEntityId}</saml:Issuer><samlp:Status><samlp:StatusCode Value="urn:oasis:names:tc:SAML:2.0:status:Success"/></samlp:Status><saml:Assertion ID="${newId()}" Version="2.0" IssueInstant="${instant(now)}"><saml:Issuer>${idpEntityId}</saml:Issuer><saml:Subject><saml:NameID Format="${format}">${nameId}</saml:NameID><saml:SubjectConfirmation Method="urn:oasis:names:tc:SAML:2.0:cm:bearer"><saml:SubjectConfirmationData NotOnOrAfter="${instant(now + 300_000)}" Recipient="${acsUrl}" InResponseTo="${requestId}"/></saml:SubjectConfirmation></saml:Subject><saml:Conditions NotBefore="${instant(now - 60_000)}" NotOnOrAfter="${instant(now + 300_000)}"><saml:AudienceRestriction><saml:Audience>${audience}</saml:Audience></saml:AudienceRestriction></saml:Conditions><saml:AuthnStatement AuthnInstant="${instant(now)}" SessionIndex="${sessionIndex}"><saml:AuthnContext><saml:AuthnContextClassRef>urn:oasis:names:tc:SAML:2.0:ac:classes:Password</saml:AuthnContextClassRef></saml:AuthnContext></saml:AuthnStatement><saml:AttributeStatement>${all}</saml:AttributeStatement></saml:Assertion></samlp:Response>`
}

export const sha256Signature = 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256'

export const samlifyProvider = (key: keyof typeof samlKeys = 'a', algorithm = sha256Signature) =>
  samlify.IdentityProvider({
    entityID: idpEntityId,
    privateKey: samlKeys[key].key,
    signingCert: samlKeys[key].certificate,
    requestSignatureAlgorithm: algorithm,
    isAssertionEncrypted: false,
    wantAuthnRequestsSigned: true,
    wantLogoutRequestSigned: true,
    wantLogoutResponseSigned: true,
    singleSignOnService: [{ Binding: samlify.Constants.namespace.binding.redirect, Location: idpSsoUrl }],
    singleLogoutService: [{ Binding: samlify.Constants.namespace.binding.redirect, Location: idpSloUrl }],
    loginResponseTemplate: { context: '', attributes: [] },
  } as never)

type Sent = 'LoginRequest' | 'LogoutRequest' | 'LogoutResponse'

/** What samlify reads out of what this service sent by HTTP-Redirect. It throws where the signature is not the metadata's key's. */
export const readBySamlify = async (metadata: string, url: URL, sent: Sent) => {
  const [idp, sp] = [samlifyProvider(), samlify.ServiceProvider({ metadata })]
  const octetString = url.search.slice(1).replace(/&Signature=.*/, '')
  const given = { query: Object.fromEntries(url.searchParams), octetString }
  const { extract } = await idp[`parse${sent}`](sp, 'redirect', given)
  return extract as { issuer: string; request?: { id: string }; response?: { inResponseTo: string } }
}

/** What samlify has the browser post, as the form's fields. */
export const samlifyAnswer = async (begun: Begun, options: AnswerOptions = {}) => {
  const idp = samlifyProvider(options.key, options.signatureAlgorithm)
  const sp = samlify.ServiceProvider({
    metadata: begun.metadata,
    ...(options.signMessage && { wantMessageSigned: true }),
  } as never)
  const made = (await idp.createLoginResponse(
    sp,
    { extract: { request: { id: begun.requestId } } } as never,
    'post',
    {},
    {
      customTagReplacement: () => ({
        id: newId(),
        context: (options.change ?? ((xml) => xml))(answerXml(begun, options)),
      }),
    } as never,
  )) as { context: string }
  const xml = Buffer.from(made.context, 'base64').toString('utf8')
  const SAMLResponse = Buffer.from((options.forge ?? ((text) => text))(xml)).toString('base64')
  return { SAMLResponse, RelayState: begun.relayState }
}
