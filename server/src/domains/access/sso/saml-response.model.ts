import { lineOf, maxSamlBytes } from '@integrity/protocol'
import {
  attribute,
  childElements,
  childrenNamed,
  isNamed,
  ns,
  oneChild,
  readXml,
  refuse,
  type SamlDocument,
  SamlRefusal,
  textOf,
} from './saml-xml.model.ts'

const strong = {
  SignatureMethod: /^http:\/\/www\.w3\.org\/2001\/04\/xmldsig-more#(?:rsa|ecdsa)-sha(?:256|384|512)$/,
  DigestMethod: /^http:\/\/www\.w3\.org\/2001\/04\/(?:xmlenc#sha(?:256|512)|xmldsig-more#sha384)$/,
} as const
const success = 'urn:oasis:names:tc:SAML:2.0:status:Success'

/** Base64 of text that is no longer than it may be. */
export const decodeMessage = (given: string): string => {
  const text = given.replaceAll(/[\r\n\t ]/g, '')
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(text)) refuse('not_base64')
  const bytes = Buffer.from(text, 'base64')
  return bytes.length > maxSamlBytes ? refuse('too_large') : bytes.toString('utf8')
}

/** A signature covers what it stands in, all of it, and nothing else, by nothing weaker than SHA-256. */
const checkSignature = (signature: Element, elements: readonly Element[]): void => {
  const signed = signature.parentNode as Element
  const inSignature = elements.filter((element) => {
    for (let at = element.parentNode; at; at = at.parentNode) if (at === signature) return true
    return false
  })
  const named = (name: string) => inSignature.filter((element) => isNamed(element, ns.signature, name))
  if (inSignature.some((element) => isNamed(element, ns.signature, 'Object'))) refuse('signature_holds_object')
  const references = named('Reference')
  const uri = references.length === 1 ? references[0]?.getAttribute('URI') : undefined
  const id = attribute(signed, 'ID')
  if (id === undefined || uri !== `#${id}`) refuse('signature_of_something_else')
  for (const [name, accepted] of Object.entries(strong)) {
    const [method, ...more] = named(name)
    if (!method || more.length > 0 || !accepted.test(attribute(method, 'Algorithm') ?? '')) refuse('weak_signature')
  }
}

const longestSaid = 300

/** What the provider says first: whoever is refused there gets no assertion that could be of the wrong shape. */
const checkStatus = (root: Element): void => {
  const status = oneChild(root, ns.protocol, 'Status')
  const code = status && oneChild(status, ns.protocol, 'StatusCode')
  if (code && attribute(code, 'Value') === success) return
  if (!status || !code) throw new SamlRefusal('status')
  const more = oneChild(code, ns.protocol, 'StatusCode') ?? code
  const said = textOf(oneChild(status, ns.protocol, 'StatusMessage')) ?? attribute(more, 'Value')
  refuse('status', said && lineOf(said, longestSaid))
}

/** All that SAML 2.0 (core, 3.2.2 and 3.3.3) lets stand in a response, extensions included. */
const inResponse: readonly (readonly [namespace: string, name: string])[] = [
  ...([
    [ns.assertion, 'Issuer'],
    [ns.signature, 'Signature'],
    [ns.protocol, 'Extensions'],
    [ns.protocol, 'Status'],
    [ns.assertion, 'Assertion'],
    [ns.assertion, 'EncryptedAssertion'],
  ] as const),
]

/** Where wrapping hides something, there is a second assertion, a second id, or a signature at an odd place. */
const checkShape = ({ root, elements }: SamlDocument): Element => {
  for (const child of childElements(root))
    if (!inResponse.some(([namespace, name]) => isNamed(child, namespace, name))) refuse('unknown_in_response')
  const local = (name: string) => elements.filter((element) => element.localName === name)
  if (local('Response').length !== 1) refuse('several_responses')
  if (local('EncryptedAssertion').length > 0) refuse('encrypted')
  const [assertion, ...more] = local('Assertion')
  if (!assertion || more.length > 0) return refuse('not_one_assertion')
  if (!isNamed(assertion, ns.assertion, 'Assertion') || assertion.parentNode !== root) refuse('assertion_elsewhere')
  const ids = elements.flatMap((element) => ['ID', 'Id', 'id'].flatMap((name) => attribute(element, name) ?? []))
  if (new Set(ids).size !== ids.length) refuse('id_twice')
  const signatures = local('Signature')
  for (const parent of [root, assertion]) oneChild(parent, ns.signature, 'Signature')
  for (const signature of signatures) {
    const parent = signature.parentNode
    if (parent !== root && parent !== assertion) refuse('signature_elsewhere')
    if (!isNamed(signature, ns.signature, 'Signature')) refuse('signature_elsewhere')
    checkSignature(signature, elements)
  }
  if (childrenNamed(assertion, ns.signature, 'Signature').length !== 1) refuse('unsigned')
  return assertion
}

export interface ResponseExpected {
  readonly issuer: string
  readonly acsUrl: string
  readonly requestId: string
}

/**
 * What node-saml leaves out, of the answer as it came: its shape, algorithms, status, issuer, destination and whose answer it is.
 * Whether the signature is right is for node-saml to say, and the assertion is read out of what was signed.
 */
export const checkResponse = (xml: string, expected: ResponseExpected): void => {
  const document = readXml(xml)
  const { root } = document
  if (!isNamed(root, ns.protocol, 'Response')) refuse('no_response')
  if (attribute(root, 'Version') !== '2.0') refuse('version')
  checkStatus(root)
  checkShape(document)
  const issuer = oneChild(root, ns.assertion, 'Issuer')
  if (issuer && textOf(issuer) !== expected.issuer) refuse('issuer')
  // Bindings, 3.5.5.2: it must be there where the message is signed.
  const destination = attribute(root, 'Destination')
  const isSigned = childrenNamed(root, ns.signature, 'Signature').length > 0
  if ((isSigned || destination !== undefined) && destination !== expected.acsUrl) refuse('destination')
  if (attribute(root, 'InResponseTo') !== expected.requestId) refuse('in_response_to')
}
