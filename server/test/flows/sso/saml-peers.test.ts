import { samlSkewSeconds } from '@integrity/protocol'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { samlifyAnswer } from '../../test-support/saml-idp.ts'
import { startServer, type TestServer } from '../../test-support/server.ts'
import { beginSignInAt, configureSaml, postAnswer, verifyDomain } from '../../test-support/sso.ts'

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
const me = async (cookies: readonly string[]) => {
  const cookie = cookies.map((one) => one.split(';')[0]).join('; ')
  const response = await fetch(`${server.url}/v1/auth/me`, { headers: { cookie } })
  return { status: response.status, body: (await response.json()) as { data: { user: { email: string } } } }
}

const replace = (from: string | RegExp, to: string) => (xml: string) => {
  const changed = xml.replace(from, to)
  if (changed === xml) throw new Error(`nothing was changed by ${String(from)}`)
  return changed
}
const hour = (n: number) => new Date(server.clock.now() + n * 3_600_000).toISOString()
const assertion = /<saml:Assertion[\s\S]*<\/saml:Assertion>/
const ours = /<saml:SubjectConfirmation .*<\/saml:SubjectConfirmation>/

describe('whom an identity provider means', () => {
  const address = 'urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress'

  it('knows somebody by an address in any case, and by an address that was kept in another one', async () => {
    const email = someone()
    const first = await signIn({ email, nameId: email, nameIdFormat: address })
    const again = await signIn({ email, nameId: email.toUpperCase(), nameIdFormat: address })
    expect([first.status, again.status]).toEqual([303, 303])
    await server.app.db.transact((tx) =>
      tx.run('UPDATE sso_identities SET subject = ? WHERE org_id = ? AND subject = ?', [
        email.toUpperCase(),
        orgId,
        email,
      ]),
    )
    const linked = await server.app.db.reader.all(
      "SELECT 1 FROM audit_log a JOIN users u ON u.user_id = a.target WHERE a.action = 'sso.identity_linked' AND u.email = ?",
      [email],
    )
    expect(linked).toHaveLength(1)
    const third = await signIn({ email: email.toUpperCase(), nameId: email, nameIdFormat: address })
    expect((await me(third.cookies)).body).toEqual((await me(first.cookies)).body)
  })

  it('lets in nobody by a domain that is verified here no longer, whom it knew before', async () => {
    await verifyDomain(server, orgId, 'given-up.example')
    const known = { email: 'somebody@given-up.example', nameId: 'known-by-this' }
    expect((await signIn(known)).status).toBe(303)
    await server.app.db.transact((tx) =>
      tx.run("DELETE FROM sso_verified_domains WHERE domain = 'given-up.example'", []),
    )
    expect(await signIn(known)).toMatchObject({ status: 403, reason: 'domain_not_verified' })
    expect(await signIn({ ...known, email: someone() })).toMatchObject({ status: 403, reason: 'domain_not_verified' })
  })

  it('compares any other id to the letter', async () => {
    const email = someone()
    await signIn({ email, nameId: 'AbC' })
    expect(await signIn({ email, nameId: 'abc' })).toMatchObject({ status: 403, reason: 'other_identity' })
  })

  it('knows by their address whom it knew by it, when the format of the id changes', async () => {
    const email = someone()
    await signIn({ email, nameId: email, nameIdFormat: address })
    expect((await signIn({ email, nameId: 'persistent-of-them' })).status).toBe(303)
    // From then on the id counts, and not the address any more.
    expect(await signIn({ email, nameId: 'another' })).toMatchObject({ status: 403, reason: 'other_identity' })
    expect(await signIn({ email, nameId: email, nameIdFormat: address })).toMatchObject({ reason: 'other_identity' })
  })

  it('knows an address of an international domain, as the identity provider and as DNS write it', async () => {
    await verifyDomain(server, orgId, 'xn--mller-kva.example')
    const answer = await signIn({ email: 'jo@m\u00fcller.example', nameId: 'jo-of-them' })
    expect((await me(answer.cookies)).body.data.user.email).toBe('jo@xn--mller-kva.example')
  })

  it('keeps a name as it is written', async () => {
    const names = ['\u0dc1\u0dca\u200d\u0dbb\u0dd2', `${'x'.repeat(199)}\u{1f600}`]
    const kept = []
    for (const name of names) {
      const email = someone()
      await signIn({ email, attributes: { displayName: [name] } })
      kept.push(
        (await server.app.db.reader.get<{ name: string }>('SELECT name FROM users WHERE email = ?', [email]))?.name,
      )
    }
    expect(kept).toEqual([names[0], 'x'.repeat(199)])
  })
})

describe('the instants of an assertion', () => {
  const at = (ms: number) => new Date(server.clock.now() + ms).toISOString()
  const skew = samlSkewSeconds * 1000
  /** Three that end, one that begins: what stands at this distance from now, and what came of it. */
  const instants: readonly (readonly [name: string, change: (ms: number) => (xml: string) => string, last: string])[] =
    [
      ['the conditions', (ms) => replace(/(Conditions.*?NotOnOrAfter=")[^"]*/, `$1${at(ms)}`), 'expired'],
      ['the confirmation', (ms) => replace(/(ConfirmationData NotOnOrAfter=")[^"]*/, `$1${at(ms)}`), 'expired'],
      ['the session', (ms) => replace('AuthnInstant', `SessionNotOnOrAfter="${at(ms)}" AuthnInstant`), 'expired'],
    ]
  for (const [name, change, reason] of instants)
    it(`end ${name} as soon as they are reached, with the skew of clocks`, async () => {
      expect((await signIn({ change: change(-skew) })).reason).toBe(reason)
      expect((await signIn({ change: change(-skew + 1) })).status).toBe(303)
    })

  it('begin the conditions as soon as they are reached, with the skew of clocks', async () => {
    const begin = (ms: number) => replace(/(Conditions NotBefore=")[^"]*/, `$1${at(ms)}`)
    expect((await signIn({ change: begin(skew + 1) })).reason).toBe('not_yet')
    expect((await signIn({ change: begin(skew) })).status).toBe(303)
  })
})

/** Signed by the right key, and right, though other makers write it so. */
const otherwiseWritten: Record<string, () => Options> = {
  'no destination of a message that is not signed': () => ({ change: replace(/ Destination="[^"]*"/, '') }),
  'a confirmation for somebody else before ours': () => ({
    change: replace(ours, '<saml:SubjectConfirmation Method="urn:oasis:names:tc:SAML:2.0:cm:sender-vouches"/>$&'),
  }),
  'a confirmation for another service before ours': () => ({
    change: (xml) =>
      xml.replace(
        ours,
        (own) =>
          own.replace(/Recipient="[^"]*" InResponseTo="[^"]*"/, 'Recipient="https://o.example/acs" InResponseTo="_o"') +
          own,
      ),
  }),
  'two authentications': () => ({ change: replace(/<saml:AuthnStatement.*<\/saml:AuthnStatement>/, '$&$&') }),
  'an instant with the offset of UTC': () => ({
    change: (xml) => xml.replaceAll(/((?:NotBefore|NotOnOrAfter)="[^"]*)Z"/g, '$1+00:00"'),
  }),
}

describe('an answer that other makers write', () => {
  for (const [name, options] of Object.entries(otherwiseWritten))
    it(`is taken: ${name}`, async () => {
      const answer = await signIn(options())
      expect([answer.status, answer.reason]).toEqual([303, undefined])
    })

  it('is refused with two confirmations of which none is ours', async () => {
    const other = (own: string) => own.replace(/Recipient="[^"]*"/, 'Recipient="https://o.example/acs"')
    const answer = await signIn({ change: (xml) => xml.replace(ours, (own) => other(own) + other(own)) })
    expect([answer.status, answer.reason]).toEqual([401, 'recipient'])
  })

  it.each([
    ['a confirmation', /(ConfirmationData.*?InResponseTo=")[^"]*/],
    ['a message', /(<samlp:Response[^>]*InResponseTo=")[^"]*/],
  ])('is refused with %s of another request', async (_, where) => {
    expect((await signIn({ change: replace(where, '$1_of_another') })).reason).toBe('in_response_to')
  })

  it('is refused with a confirmation that never ends', async () => {
    expect((await signIn({ change: replace(/(ConfirmationData) NotOnOrAfter="[^"]*"/, '$1') })).reason).toBe('no_end')
  })

  it('ends with the earlier of two authentications', async () => {
    const until = (end: string) => `<saml:AuthnStatement SessionNotOnOrAfter="${end}"$1</saml:AuthnStatement>`
    const ended = replace(/<saml:AuthnStatement(.*)<\/saml:AuthnStatement>/, until(hour(1)) + until(hour(-1)))
    expect((await signIn({ change: ended })).reason).toBe('expired')
  })
})

describe('what an identity provider refuses itself', () => {
  const refusal = (inside: string) => (xml: string) =>
    xml
      .replace(assertion, '')
      .replace(
        /<samlp:Status>.*<\/samlp:Status>/,
        `<samlp:Status><samlp:StatusCode Value="urn:oasis:names:tc:SAML:2.0:status:Responder">${inside}</samlp:Status>`,
      )

  it('is said in its own words, on one line', async () => {
    const text = `AADSTS50105: the user is\nnot assigned. ${'x'.repeat(400)}`
    const answer = await signIn({
      forge: refusal(`</samlp:StatusCode><samlp:StatusMessage>${text}</samlp:StatusMessage>`),
    })
    expect(answer).toMatchObject({ status: 401, reason: 'status', cookies: [] })
    expect(answer.message).toContain(
      'the identity provider refuses this sign-in: AADSTS50105: the user is not assigned. xxx',
    )
    expect(answer.message?.length).toBeLessThan(400)
  })

  it('is said by its second code where it has no words', async () => {
    const code = 'urn:oasis:names:tc:SAML:2.0:status:AuthnFailed'
    const answer = await signIn({ forge: refusal(`<samlp:StatusCode Value="${code}"/></samlp:StatusCode>`) })
    expect(answer).toMatchObject({ status: 401, reason: 'status' })
    expect(answer.message).toContain(code)
  })
})
