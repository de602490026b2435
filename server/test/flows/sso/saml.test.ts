import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { findUserByEmail } from '../../../src/domains/organisation/people/users.store.ts'
import { hashSecret } from '../../../src/platform/crypto/secrets.ts'
import { addPerson, join } from '../../test-support/portal.ts'
import { idpEntityId, samlifyAnswer } from '../../test-support/saml-idp.ts'
import { samlKeys } from '../../test-support/saml-keys.ts'
import { startServer, type TestServer } from '../../test-support/server.ts'
import { seatOf } from '../../test-support/sign-ins.ts'
import { asOwner, beginSignInAt, configureSaml, postAnswer, samlBody } from '../../test-support/sso.ts'

const minute = 60_000
let server: TestServer
let slug: string
let orgId: string

beforeAll(async () => {
  server = await startServer()
  orgId = server.orgs[0].orgId
  slug = await configureSaml({ server, scope: { orgId, environment: 'live' } })
})
afterAll(() => server.stop())

type Options = Parameters<typeof samlifyAnswer>[1]
let people = 0
const someone = () => {
  people += 1
  return `person${people}@sso.example`
}
const signIn = async (options: Options = {}) => {
  const begun = await beginSignInAt(server, slug)
  return postAnswer(server, slug, await samlifyAnswer(begun, { email: someone(), ...options }))
}
const memberOf = (email: string) =>
  server.app.db.reader.get<{ role: string; active: number }>(
    'SELECT m.role, m.active FROM memberships m JOIN users u ON u.user_id = m.user_id WHERE u.email = ? AND m.org_id = ?',
    [email, orgId],
  )
const me = async (cookies: readonly string[]) => {
  const cookie = cookies.map((one) => one.split(';')[0]).join('; ')
  const response = await fetch(`${server.url}/v1/auth/me`, { headers: { cookie } })
  return { status: response.status, body: (await response.json()) as { data: { user: { email: string } } } }
}

describe('signing in at an identity provider (samlify)', () => {
  it('makes a member with the default role and the same kind of sign-in as a password', async () => {
    const email = someone()
    const answer = await signIn({ email })
    expect(answer).toMatchObject({ status: 303, location: `${server.app.config.baseUrl}/account/` })
    expect((await me(answer.cookies)).body.data.user.email).toBe(email)
    expect(await memberOf(email)).toMatchObject({ role: 'interviewer', active: 1 })
  })

  it('takes over the mapped role at each sign-in, and leaves an owner an owner', async () => {
    const email = someone()
    await signIn({ email, attributes: { groups: ['none', 'reviewers'] } })
    expect((await memberOf(email))?.role).toBe('reviewer')
    await signIn({ email, attributes: { groups: ['admins'] } })
    expect((await memberOf(email))?.role).toBe('admin')
    const owner = await addPerson(server, someone())
    await join(server, owner.userId, orgId, 'owner')
    expect((await signIn({ email: owner.email, attributes: { groups: ['reviewers'] } })).status).toBe(303)
    expect((await memberOf(owner.email))?.role).toBe('owner')
  })

  it('ends with a lesser mapped role the invites that it gave', async () => {
    const email = someone()
    const as = (group: string) => signIn({ email, attributes: { groups: [group] } })
    await as('admins')
    const account = await findUserByEmail(server.app.db.reader, email)
    const asked = { params: { orgId }, headers: await seatOf(server, account?.id ?? '') }
    const ask = { ...asked, body: { email: 'guest@example.org', role: 'reviewer' as const } }
    const { data: made } = await server.client().call('portal.invites.create', ask)
    const stateOf = () => server.app.db.reader.get('SELECT state FROM invites WHERE invite_id = ?', [made.id])
    expect(await stateOf()).toEqual({ state: 'open' })
    await as('reviewers')
    expect(await stateOf()).toEqual({ state: 'revoked' })
  })

  it('knows somebody by the stable id, when the address has changed', async () => {
    const email = someone()
    const answer = await signIn({ email, nameId: 'stable-1' })
    const again = await signIn({ email: someone(), nameId: 'stable-1' })
    expect((await me(again.cookies)).body).toEqual((await me(answer.cookies)).body)
    // Whoever gets the address later is somebody else.
    expect(await signIn({ email, nameId: 'stable-2' })).toMatchObject({ status: 403, reason: 'other_identity' })
  })

  it('lets nobody in by an address of a domain that is not verified here', async () => {
    expect(await signIn({ email: 'owner@elsewhere.example' })).toMatchObject({
      status: 403,
      reason: 'domain_not_verified',
      cookies: [],
    })
  })

  it('lets nobody in whose membership was deactivated', async () => {
    const email = someone()
    await signIn({ email })
    await server.app.db.transact((tx) =>
      tx.run('UPDATE memberships SET active = 0 WHERE user_id = (SELECT user_id FROM users WHERE email = ?)', [email]),
    )
    expect(await signIn({ email })).toMatchObject({ status: 403, reason: 'deactivated' })
  })

  it('goes on to the page that was asked for, and to no other place', async () => {
    const begun = await beginSignInAt(server, slug, '/docs?x=1')
    const answer = await postAnswer(server, slug, await samlifyAnswer(begun, { email: someone() }))
    expect(answer.location).toBe(`${server.app.config.baseUrl}/docs?x=1`)
    for (const returnTo of ['//evil.example', 'https://evil.example', '/\\evil.example', '\\/evil.example'])
      expect(
        (await fetch(`${server.url}/v1/auth/sso/${slug}/login?returnTo=${encodeURIComponent(returnTo)}`)).status,
      ).toBe(400)
  })

  it('takes either of two certificates while one takes the place of the other', async () => {
    const ask = await asOwner(server, orgId)
    expect((await signIn({ key: 'b' })).reason).toBe('signature')
    await ask('PUT', '', { ...samlBody, idpCertificates: [samlKeys.a.certificate, samlKeys.b.certificate] })
    expect([(await signIn({ key: 'a' })).status, (await signIn({ key: 'b' })).status]).toEqual([303, 303])
    await ask('PUT', '', samlBody)
    expect((await signIn({ key: 'b' })).reason).toBe('signature')
  })

  it('takes a signed message around a signed assertion', async () => {
    expect((await signIn({ signMessage: true })).status).toBe(303)
  })

  it('takes clocks that are 3 minutes off, and none that are 10 minutes off', async () => {
    for (const [off, status] of [
      [-3, 303],
      [3, 303],
      [-10, 401],
      [10, 401],
    ] as const) {
      const shift = (xml: string) =>
        xml.replaceAll(/(NotBefore|NotOnOrAfter)="([^"]+)"/g, (_, name: string, at: string) => {
          const base = name === 'NotBefore' ? Date.parse(at) + minute : Date.parse(at) - 5 * minute
          return `${name}="${new Date(base + off * minute + (name === 'NotBefore' ? 0 : 1)).toISOString()}"`
        })
      const answer = await signIn({ change: shift })
      expect([off, answer.status, answer.cookies.length], answer.reason).toEqual([off, status, status === 303 ? 2 : 0])
    }
  })
})

const replace = (from: string | RegExp, to: string) => (xml: string) => {
  const changed = xml.replace(from, to)
  if (changed === xml) throw new Error(`nothing was changed by ${String(from)}`)
  return changed
}
const hour = (n: number) => new Date(server.clock.now() + n * 3_600_000).toISOString()
const signature = /<ds:Signature[\s\S]*?<\/ds:Signature>/
const assertion = /<saml:Assertion[\s\S]*<\/saml:Assertion>/
const evil = (xml: string) =>
  (assertion.exec(xml)?.[0] ?? '')
    .replace(signature, '')
    .replaceAll('@sso.example', '@evil.sso.example')
    .replace(/ID="_/, 'ID="_f')
const originalOf = (xml: string) => assertion.exec(xml)?.[0] ?? ''
const idOf = (xml: string) => /ID="([^"]*)"/.exec(xml)?.[1] ?? ''
const signatureOf = (xml: string) => signature.exec(xml)?.[0] ?? ''

/** Signed by the right key, and wrong all the same. */
const wronglySigned = {
  'another issuer': () => ({ change: (xml) => xml.replaceAll(idpEntityId, 'https://other.example') }),
  'another issuer of the assertion alone': () => ({
    change: replace(/(<saml:Assertion[^>]*><saml:Issuer>)[^<]*/, '$1https://other.example'),
  }),
  'another audience': () => ({ change: replace(/<saml:Audience>[^<]*/, '<saml:Audience>https://other.example') }),
  'no audience': () => ({ change: replace(/<saml:AudienceRestriction>.*<\/saml:AudienceRestriction>/, '') }),
  'another recipient': () => ({ change: replace(/Recipient="[^"]*"/, 'Recipient="https://other.example/acs"') }),
  'no recipient': () => ({ change: replace(/ Recipient="[^"]*"/, '') }),
  'another destination': () => ({ change: replace(/Destination="[^"]*"/, 'Destination="https://other.example/acs"') }),
  'no destination of a signed message': () => ({ signMessage: true, change: replace(/ Destination="[^"]*"/, '') }),
  'conditions that are over': () => ({
    change: (xml) => xml.replace(/(Conditions.*?NotOnOrAfter=")[^"]*/, `$1${hour(-1)}`),
  }),
  'conditions that are not yet': () => ({ change: replace(/NotBefore="[^"]*"/, `NotBefore="${hour(1)}"`) }),
  'a confirmation that is over': () => ({
    change: (xml) => xml.replace(/(ConfirmationData NotOnOrAfter=")[^"]*/, `$1${hour(-1)}`),
  }),
  'a confirmation without an end': () => ({ change: replace(/(ConfirmationData) NotOnOrAfter="[^"]*"/, '$1') }),
  'a confirmation that is not yet': () => ({
    change: (xml) =>
      xml.replace('<saml:SubjectConfirmationData', `<saml:SubjectConfirmationData NotBefore="${hour(1)}"`),
  }),
  'no confirmation': () => ({ change: replace(/<saml:SubjectConfirmation .*<\/saml:SubjectConfirmation>/, '') }),
  'a holder of a key instead of a bearer': () => ({ change: replace('cm:bearer', 'cm:holder-of-key') }),
  'an answer to another request': () => ({
    change: (xml) => xml.replaceAll(/InResponseTo="[^"]*"/g, 'InResponseTo="_other"'),
  }),
  'an answer to no request': () => ({ change: (xml) => xml.replaceAll(/ InResponseTo="[^"]*"/g, '') }),
  'no conditions': () => ({ change: replace(/<saml:Conditions.*<\/saml:Conditions>/, '') }),
  'no authentication': () => ({ change: replace(/<saml:AuthnStatement.*<\/saml:AuthnStatement>/, '') }),
  'a session that is over': () => ({
    change: replace('AuthnInstant', `SessionNotOnOrAfter="${hour(-1)}" AuthnInstant`),
  }),
  'a failure': () => ({ change: replace('status:Success', 'status:Responder') }),
  'SAML 1.1': () => ({ change: (xml) => xml.replaceAll('Version="2.0"', 'Version="1.1"') }),
  'a comment in the address': () => ({
    change: replace('@sso.example</saml:NameID>', '@sso.example<!---->.evil</saml:NameID>'),
  }),
  'an instruction': () => ({ change: replace('<saml:Conditions', '<?x y?><saml:Conditions') }),
  'another key': () => ({ key: 'b' }),
  'SHA-1': () => ({ signatureAlgorithm: 'http://www.w3.org/2000/09/xmldsig#rsa-sha1' }),
} as const satisfies Record<string, () => Options>

/** Changed after it was signed. */
const forged: Record<string, (xml: string) => string> = {
  'no signature': replace(signature, ''),
  'another address': (xml) => xml.replaceAll('@sso.example', '@x.sso.example'),
  'a document type': (xml) => `<!DOCTYPE x [<!ENTITY e "v">]>${xml}`,
  'an entity': replace('<saml:Conditions', '&e;<saml:Conditions'),
  'a comment': replace('@sso.example', '<!-- -->@sso.example'),
  'two assertions': replace(assertion, `$&${'<saml:Assertion ID="_second" Version="2.0"></saml:Assertion>'}`),
  'two signatures': (xml) => xml.replace(signature, signatureOf(xml) + signatureOf(xml)),
  'the signature of something else': replace(/URI="#[^"]*"/, 'URI="#_other"'),
  'a signature of everything': replace(/URI="#[^"]*"/, 'URI=""'),
  'an assertion that is not signed in a message that is': (xml) =>
    xml
      .replace(signature, '')
      .replace('</saml:Issuer>', `</saml:Issuer>${signatureOf(xml).replace(/URI="#[^"]*"/, `URI="#${idOf(xml)}"`)}`),
  'an encrypted assertion beside it': replace('<saml:Assertion', '<saml:EncryptedAssertion/><saml:Assertion'),
  'another message inside it': replace('<saml:Conditions', '<samlp:Response/><saml:Conditions'),
  'a digest of SHA-1': replace(/(DigestMethod Algorithm=")[^"]*/, '$1http://www.w3.org/2000/09/xmldsig#sha1'),
  'a sum with the certificate as its key': replace(
    /(SignatureMethod Algorithm=")[^"]*/,
    '$1http://www.w3.org/2001/04/xmldsig-more#hmac-sha256',
  ),
  'a style sheet to be applied': replace(
    /(Transform Algorithm=")[^"]*/,
    '$1http://www.w3.org/TR/1999/REC-xslt-19991116',
  ),
  'a hundred elements in each other': replace(
    '<saml:Conditions',
    `${'<x>'.repeat(100)}${'</x>'.repeat(100)}<saml:Conditions`,
  ),
  'CDATA for an address': replace('@sso.example', '<![CDATA[@sso.example]]>'),
  'no key of ours beside it': replace(/<ds:SignatureValue>[^<]*/, '<ds:SignatureValue>AAAA'),
  'text behind the end': (xml) => `${xml}<samlp:Response xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol"/>`,
  'wrapping 1: the signed one around, the other outside': (xml) =>
    xml
      .replace(assertion, evil(xml).replace('</saml:Issuer>', `</saml:Issuer>${signatureOf(xml)}`))
      .replace('</ds:Signature>', `<ds:Object>${originalOf(xml).replace(signature, '')}</ds:Object></ds:Signature>`),
  'wrapping 2: the signed message in an object': (xml) =>
    xml.replace(assertion, evil(xml)).replace('</samlp:Status>', `</samlp:Status><x>${originalOf(xml)}</x>`),
  'wrapping 3: the other one first': (xml) => xml.replace(assertion, evil(xml) + originalOf(xml)),
  'wrapping 4: the signed one inside the other': (xml) =>
    xml.replace(assertion, evil(xml).replace('</saml:Assertion>', `${originalOf(xml)}</saml:Assertion>`)),
  'wrapping 5: the signature in the other, the signed one behind': (xml) =>
    xml.replace(
      assertion,
      evil(xml).replace('</saml:Issuer>', `</saml:Issuer>${signatureOf(xml)}`) + originalOf(xml).replace(signature, ''),
    ),
  'wrapping 6: the signed one in the signature': (xml) =>
    xml.replace(
      assertion,
      evil(xml).replace(
        '</saml:Issuer>',
        `</saml:Issuer>${signatureOf(xml).replace('</ds:Signature>', `${originalOf(xml).replace(signature, '')}</ds:Signature>`)}`,
      ),
    ),
  'wrapping 7: the signed one in an extension': (xml) =>
    xml.replace(assertion, `<samlp:Extensions>${originalOf(xml)}</samlp:Extensions>${evil(xml)}`),
  'wrapping 8: the signed one in an object of the signature': (xml) =>
    xml.replace(
      assertion,
      evil(xml).replace(
        '</saml:Issuer>',
        `</saml:Issuer>${signatureOf(xml).replace('</ds:Signature>', `<ds:Object>${originalOf(xml).replace(signature, '')}</ds:Object></ds:Signature>`)}`,
      ),
    ),
  'wrapping 9: the same id twice': (xml) =>
    xml.replace(
      assertion,
      evil(xml).replace(/ID="[^"]*"/, /ID="[^"]*"/.exec(originalOf(xml))?.[0] ?? '') + originalOf(xml),
    ),
}

const why: Readonly<Record<keyof typeof wronglySigned, string>> = {
  'another issuer': 'issuer',
  'another audience': 'audience',
  'no audience': 'audience',
  'another recipient': 'recipient',
  'another destination': 'destination',
  'no destination of a signed message': 'destination',
  'conditions that are over': 'expired',
  'conditions that are not yet': 'not_yet',
  'a confirmation that is over': 'expired',
  'no confirmation': 'no_confirmation',
  'an answer to another request': 'in_response_to',
  'no authentication': 'no_authentication',
  'a session that is over': 'expired',
  'a failure': 'status',
  'another key': 'signature',
  'another issuer of the assertion alone': 'issuer',
  'no recipient': 'recipient',
  'a confirmation without an end': 'no_end',
  'a confirmation that is not yet': 'confirmation_not_before',
  'a holder of a key instead of a bearer': 'no_confirmation',
  'an answer to no request': 'in_response_to',
  'no conditions': 'no_conditions',
  'SAML 1.1': 'version',
  'a comment in the address': 'comment_or_instruction',
  'an instruction': 'comment_or_instruction',
  'SHA-1': 'weak_signature',
}

/** Of those that anything else would refuse too, once their signature is broken: why they are refused here. */
const because: Readonly<Record<string, string>> = {
  'a document type': 'document_type',
  'a comment': 'comment_or_instruction',
  'CDATA for an address': 'comment_or_instruction',
  'two assertions': 'not_one_assertion',
  'an assertion that is not signed in a message that is': 'unsigned',
  'an encrypted assertion beside it': 'encrypted',
  'another message inside it': 'several_responses',
  'a signature of everything': 'signature_of_something_else',
  'a digest of SHA-1': 'weak_signature',
  'a sum with the certificate as its key': 'weak_signature',
  'a hundred elements in each other': 'too_deep',
}

describe('an answer that is not right', () => {
  for (const name of Object.keys(wronglySigned) as (keyof typeof wronglySigned)[])
    it(`is refused: ${name}`, async () => {
      const answer = await signIn(wronglySigned[name]())
      expect([answer.status, answer.cookies], answer.reason).toEqual([401, []])
      expect(answer.reason).toBe(why[name])
    })

  for (const [name, forge] of Object.entries(forged))
    it(`is refused: ${name}`, async () => {
      const answer = await signIn({ forge })
      expect([answer.status, answer.cookies], answer.reason).toEqual([401, []])
      expect(answer.reason).toBe(because[name] ?? answer.reason)
    })

  it('is refused the second time, by its request and by its assertion', async () => {
    const begun = await beginSignInAt(server, slug)
    const fields = await samlifyAnswer(begun, { email: someone() })
    const answers = await Promise.all([1, 2, 3].map(() => postAnswer(server, slug, fields)))
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([303, 401, 401])
    expect(await postAnswer(server, slug, fields)).toMatchObject({ status: 401, reason: 'not_begun_here' })
    // The request is there again, as after a restored backup: the assertion is still spent.
    await server.app.db.transact((tx) =>
      tx.run('INSERT INTO sso_requests (state_hash, org_id, request_id, expires_at) VALUES (?, ?, ?, ?)', [
        ...[hashSecret(begun.relayState), orgId, begun.requestId, server.clock.now() + minute],
      ]),
    )
    expect(await postAnswer(server, slug, fields)).toMatchObject({ status: 401, reason: 'replayed' })
  })

  it('is refused where another answer to the same request was taken, though both were read before', async () => {
    const begun = await beginSignInAt(server, slug)
    const both = [await samlifyAnswer(begun, { email: someone() }), await samlifyAnswer(begun, { email: someone() })]
    const { samlReader } = server.app
    const read = samlReader.read.bind(samlReader)
    const gate = Promise.withResolvers<undefined>()
    let waiting = 0
    const spy = vi.spyOn(samlReader, 'read').mockImplementation(async (...args) => {
      const facts = await read(...args)
      waiting += 1
      if (waiting === both.length) gate.resolve(undefined)
      await gate.promise
      return facts
    })
    const answers = await Promise.all(both.map((fields) => postAnswer(server, slug, fields)))
    spy.mockRestore()
    const inOrder = answers.toSorted((a, b) => a.status - b.status)
    expect(inOrder.map(({ status, reason }) => [status, reason])).toEqual([
      [303, undefined],
      [401, 'not_begun_here'],
    ])
  })

  it('is refused without a sign-in that began here, for this organisation, and not too long ago', async () => {
    const begun = await beginSignInAt(server, slug)
    const fields = await samlifyAnswer(begun, { email: someone() })
    expect((await postAnswer(server, slug, { ...fields, RelayState: 'https://evil.example/' })).reason).toBe(
      'not_begun_here',
    )
    expect((await postAnswer(server, slug, { SAMLResponse: fields.SAMLResponse })).reason).toBe('not_begun_here')
    const other = await configureSaml({ server, scope: { orgId: server.orgs[1].orgId, environment: 'live' } })
    expect((await postAnswer(server, other, fields)).reason).toBe('not_begun_here')
    server.clock.advance(11 * minute)
    expect((await postAnswer(server, slug, fields)).reason).toBe('not_begun_here')
  })

  it('is refused when it is no base64, no XML, or larger than 256 KiB', async () => {
    for (const [text, reason] of [
      ['%%%', 'not_base64'],
      [Buffer.from('<a').toString('base64'), 'not_xml'],
      [Buffer.from(`<a>${'x'.repeat(256 * 1024)}</a>`).toString('base64'), 'too_large'],
    ] as const) {
      const { relayState: RelayState } = await beginSignInAt(server, slug)
      expect((await postAnswer(server, slug, { SAMLResponse: text, RelayState })).reason).toBe(reason)
    }
  })
})
