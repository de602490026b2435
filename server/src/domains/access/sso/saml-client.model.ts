import { randomBytes } from 'node:crypto'
import type { SAML } from '@node-saml/node-saml'
import { type AssertionFacts, readAssertion } from './saml-assertion.model.ts'
import { checkResponse, decodeMessage } from './saml-response.model.ts'
import { ns, SamlRefusal } from './saml-xml.model.ts'
import type { ServiceProvider } from './service-provider.model.ts'
import type { SamlSettings } from './sso.types.ts'

/** An id must not begin with a digit. */
export const newRequestId = (): string => `_${randomBytes(20).toString('hex')}`

/** With a key, what is sent by the client is signed. Loaded when the first one is made: it brings a hundred modules. */
const clientOf = async (
  settings: SamlSettings,
  provider: ServiceProvider,
  requestId: string,
  key?: string,
): Promise<SAML> => {
  const library = await import('@node-saml/node-saml')
  return new library.SAML({
    ...(key !== undefined && { privateKey: key }),
    callbackUrl: provider.acsUrl,
    entryPoint: settings.idpSsoUrl,
    logoutUrl: settings.idpSloUrl ?? settings.idpSsoUrl,
    issuer: provider.entityId,
    idpCert: [...settings.idpCertificates],
    idpIssuer: settings.idpEntityId,
    // Audience, request and times are looked at here, each with its own reason.
    audience: false,
    wantAssertionsSigned: true,
    wantAuthnResponseSigned: false,
    signatureAlgorithm: 'sha256',
    identifierFormat: null,
    disableRequestedAuthnContext: true,
    generateUniqueId: () => requestId,
    acceptedClockSkewMs: -1,
    validateInResponseTo: library.ValidateInResponseTo.never,
  })
}

export const signInAddress = async (
  settings: SamlSettings,
  provider: ServiceProvider,
  { requestId, state, key }: { requestId: string; state: string; key: string | undefined },
): Promise<string> => (await clientOf(settings, provider, requestId, key)).getAuthorizeUrlAsync(state, undefined, {})

export const signOutAddress = async (
  settings: SamlSettings,
  provider: ServiceProvider,
  who: { nameId: string; nameIdFormat: string | null; sessionIndex: string | null },
  key: string | undefined,
): Promise<string> => {
  const profile = {
    issuer: settings.idpEntityId,
    nameID: who.nameId,
    nameIDFormat: who.nameIdFormat ?? 'urn:oasis:names:tc:SAML:1.1:nameid-format:unspecified',
    ...(who.sessionIndex && { sessionIndex: who.sessionIndex }),
  }
  return (await clientOf(settings, provider, newRequestId(), key)).getLogoutUrlAsync(profile, '', {})
}

const signsWith = (certificate: string | undefined): string =>
  certificate === undefined
    ? ''
    : `
    <md:KeyDescriptor use="signing">
      <ds:KeyInfo xmlns:ds="${ns.signature}"><ds:X509Data><ds:X509Certificate>${certificate.replaceAll(/-----[^-]+-----|\s/g, '')}</ds:X509Certificate></ds:X509Data></ds:KeyInfo>
    </md:KeyDescriptor>`

/** With a certificate where requests are signed. */
export const metadataOf = (provider: ServiceProvider, certificate: string | undefined): string =>
  `<?xml version="1.0" encoding="UTF-8"?>
<md:EntityDescriptor xmlns:md="urn:oasis:names:tc:SAML:2.0:metadata" entityID="${provider.entityId}">
  <md:SPSSODescriptor AuthnRequestsSigned="${certificate !== undefined}" WantAssertionsSigned="true" protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol">${signsWith(certificate)}
    <md:SingleLogoutService Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect" Location="${provider.sloUrl}"/>
    <md:NameIDFormat>urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress</md:NameIDFormat>
    <md:NameIDFormat>urn:oasis:names:tc:SAML:2.0:nameid-format:persistent</md:NameIDFormat>
    <md:AssertionConsumerService Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST" Location="${provider.acsUrl}" index="0" isDefault="true"/>
  </md:SPSSODescriptor>
</md:EntityDescriptor>
`

/** The library looks at the signature first. It cannot read an assertion whose confirmation has no end. */
const reasonOf = (error: unknown): string =>
  error instanceof Error && /NotOnOrAfter/.test(error.message) ? 'no_end' : 'signature'

/**
 * What an identity provider's answer says, when everything about it is right: whether it is a sign-in at all, its shape and what
 * node-saml leaves out first, then its signature by node-saml with the certificates that are kept (those in the answer count for nothing), then what was signed.
 * Throws a `SamlRefusal`.
 */
export const readAnswer = async (
  settings: SamlSettings,
  provider: ServiceProvider,
  given: { readonly answer: string; readonly requestId: string; readonly now: number },
): Promise<AssertionFacts> => {
  const expected = {
    issuer: settings.idpEntityId,
    acsUrl: provider.acsUrl,
    audience: provider.entityId,
    requestId: given.requestId,
    now: given.now,
  }
  const xml = decodeMessage(given.answer)
  checkResponse(xml, expected)
  const SAMLResponse = Buffer.from(xml).toString('base64')
  const client = await clientOf(settings, provider, given.requestId)
  const { profile } = await client.validatePostResponseAsync({ SAMLResponse }).catch((error: unknown): never => {
    throw new SamlRefusal(reasonOf(error))
  })
  const signed = profile?.getAssertionXml?.()
  if (!signed) throw new SamlRefusal('signature')
  return readAssertion(signed, expected)
}
