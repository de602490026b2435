import { samlSkewSeconds } from '@integrity/protocol'
import type { ResponseExpected } from './saml-response.model.ts'
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

const skew = samlSkewSeconds * 1000
const bearer = 'urn:oasis:names:tc:SAML:2.0:cm:bearer'

export interface AssertionExpected extends ResponseExpected {
  readonly audience: string
  readonly now: number
}

/** What an assertion says. Times are epoch milliseconds. */
export interface AssertionFacts {
  readonly id: string
  readonly nameId: string | undefined
  readonly nameIdFormat: string | undefined
  readonly sessionIndex: string | undefined
  readonly sessionEndsAt: number | undefined
  readonly attributes: ReadonlyMap<string, readonly string[]>
  /** After that it would be refused anyway. */
  readonly usableUntil: number
}

const checkPeriod = (element: Element, now: number): number | undefined => {
  const notBefore = instantOf(element, 'NotBefore')
  const notOnOrAfter = instantOf(element, 'NotOnOrAfter')
  if (notBefore !== undefined && now < notBefore - skew) refuse('not_yet')
  if (notOnOrAfter !== undefined && now >= notOnOrAfter + skew) refuse('expired')
  return notOnOrAfter
}

/** Until when a confirmation holds; it throws why it does not. */
const checkConfirmation = (confirmation: Element, { acsUrl, requestId, now }: AssertionExpected): number => {
  const data = oneChild(confirmation, ns.assertion, 'SubjectConfirmationData') ?? refuse('no_confirmation')
  if (attribute(data, 'Recipient') !== acsUrl) refuse('recipient')
  if (attribute(data, 'InResponseTo') !== requestId) refuse('in_response_to')
  if (attribute(data, 'NotBefore') !== undefined) refuse('confirmation_not_before')
  return checkPeriod(data, now) ?? refuse('no_end')
}

/** Profiles, 4.1.4.3: one that holds is enough. Where none does, the reason is that of the first bearer's. */
const checkConfirmations = (subject: Element, expected: AssertionExpected): number => {
  const all = childrenNamed(subject, ns.assertion, 'SubjectConfirmation')
  const bearers = all.filter((one) => attribute(one, 'Method') === bearer)
  const refusals: SamlRefusal[] = []
  for (const one of bearers)
    try {
      return checkConfirmation(one, expected)
    } catch (error) {
      if (!(error instanceof SamlRefusal)) throw error
      refusals.push(error)
    }
  throw refusals[0] ?? new SamlRefusal('no_confirmation')
}

const checkSubject = (assertion: Element, expected: AssertionExpected) => {
  const subject = oneChild(assertion, ns.assertion, 'Subject') ?? refuse('no_subject')
  const until = checkConfirmations(subject, expected)
  const nameId = oneChild(subject, ns.assertion, 'NameID')
  return { nameId: textOf(nameId), nameIdFormat: nameId && attribute(nameId, 'Format'), until }
}

const checkConditions = (assertion: Element, { audience, now }: AssertionExpected): void => {
  const conditions = oneChild(assertion, ns.assertion, 'Conditions') ?? refuse('no_conditions')
  checkPeriod(conditions, now)
  const restrictions = childrenNamed(conditions, ns.assertion, 'AudienceRestriction')
  if (restrictions.length === 0) refuse('audience')
  for (const restriction of restrictions)
    if (!childrenNamed(restriction, ns.assertion, 'Audience').some((one) => textOf(one) === audience))
      refuse('audience')
}

const checkStatement = (assertion: Element, { now }: AssertionExpected) => {
  const statements = childrenNamed(assertion, ns.assertion, 'AuthnStatement')
  if (statements.length === 0) return refuse('no_authentication')
  const ends = statements.flatMap((one) => instantOf(one, 'SessionNotOnOrAfter') ?? [])
  const sessionEndsAt = ends.length > 0 ? Math.min(...ends) : undefined
  if (sessionEndsAt !== undefined && now >= sessionEndsAt + skew) refuse('expired')
  const [sessionIndex] = statements.flatMap((one) => attribute(one, 'SessionIndex') ?? [])
  return { sessionIndex, sessionEndsAt }
}

const maxAttributes = 200
const readAttributes = (assertion: Element): Map<string, string[]> => {
  const found = new Map<string, string[]>()
  for (const statement of childrenNamed(assertion, ns.assertion, 'AttributeStatement'))
    for (const one of childrenNamed(statement, ns.assertion, 'Attribute')) {
      const name = attribute(one, 'Name') ?? ''
      const values = childrenNamed(one, ns.assertion, 'AttributeValue').map((value) => value.textContent?.trim() ?? '')
      if (name === '__proto__' || found.size >= maxAttributes) continue
      found.set(name, [...(found.get(name) ?? []), ...values.filter((value) => value !== '')])
    }
  return found
}

/** Reads an assertion whose signature is right, out of the bytes that were signed. Throws a `SamlRefusal`. */
export const readAssertion = (signedXml: string, expected: AssertionExpected): AssertionFacts => {
  const { root: assertion } = readXml(signedXml)
  if (!isNamed(assertion, ns.assertion, 'Assertion')) refuse('no_assertion')
  if (attribute(assertion, 'Version') !== '2.0') refuse('version')
  if (textOf(oneChild(assertion, ns.assertion, 'Issuer')) !== expected.issuer) refuse('issuer')
  const { nameId, nameIdFormat, until } = checkSubject(assertion, expected)
  checkConditions(assertion, expected)
  const { sessionIndex, sessionEndsAt } = checkStatement(assertion, expected)
  return {
    id: attribute(assertion, 'ID') ?? refuse('no_id'),
    nameId,
    nameIdFormat,
    sessionIndex,
    sessionEndsAt,
    attributes: readAttributes(assertion),
    usableUntil: until + skew,
  }
}
