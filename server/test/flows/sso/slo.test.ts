import { sign } from 'node:crypto'
import { deflateRawSync, inflateRawSync } from 'node:zlib'
import { samlSkewSeconds } from '@integrity/protocol'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addTotp } from '../../test-support/factors.ts'
import { addPerson, join } from '../../test-support/portal.ts'
import { idpEntityId, idpSloUrl, readBySamlify, samlifyAnswer, sha256Signature } from '../../test-support/saml-idp.ts'
import { samlKeys } from '../../test-support/saml-keys.ts'
import { startServer, type TestServer } from '../../test-support/server.ts'
import { seatOf } from '../../test-support/sign-ins.ts'
import { asOwner, beginSignInAt, configureSaml, postAnswer, samlBody } from '../../test-support/sso.ts'

let server: TestServer
let slug: string

beforeAll(async () => {
  server = await startServer()
  slug = await configureSaml({ server, scope: { orgId: server.orgs[0].orgId, environment: 'live' } })
})
afterAll(() => server.stop())

const signIn = async (name: string, change = (xml: string) => xml, sessionIndex = `s-${name}`) => {
  const begun = await beginSignInAt(server, slug)
  const fields = await samlifyAnswer(begun, { email: `${name}@sso.example`, sessionIndex, change })
  const { cookies } = await postAnswer(server, slug, fields)
  return { cookie: cookies.map((one) => one.split(';')[0]).join('; ') }
}
const isSignedIn = async (headers: { cookie: string }) =>
  (await fetch(`${server.url}/v1/auth/me`, { headers })).status === 200

const urlOf = async (headers: { cookie: string }) => {
  const answer = await fetch(`${server.url}/v1/auth/sso/${slug}/logout-url`, { headers })
  return ((await answer.json()) as { data: { url: string | null } }).data.url
}

interface Word {
  readonly name?: string
  readonly change?: (xml: string) => string
  readonly key?: keyof typeof samlKeys
  readonly algorithm?: string
  readonly forge?: (query: string) => string
}
/** What an identity provider has the browser bring, signed over the query as it is written. */
const logout = async ({
  name = 'x',
  change = (xml) => xml,
  key = 'a',
  algorithm = sha256Signature,
  forge = (q) => q,
}: Word) => {
  const sloUrl = `${server.app.config.baseUrl}/v1/auth/sso/${slug}/slo`
  const xml = `<samlp:LogoutRequest xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion" ID="_out1" Version="2.0" IssueInstant="${new Date(server.clock.now()).toISOString()}" Destination="${sloUrl}"><saml:Issuer>${idpEntityId}</saml:Issuer><saml:NameID>${name}@sso.example</saml:NameID><samlp:SessionIndex>s-${name}</samlp:SessionIndex></samlp:LogoutRequest>`
  const message = encodeURIComponent(deflateRawSync(change(xml)).toString('base64'))
  const signed = `SAMLRequest=${message}&RelayState=back&SigAlg=${encodeURIComponent(algorithm)}`
  const signature = sign(algorithm.endsWith('sha1') ? 'sha1' : 'sha256', Buffer.from(signed), samlKeys[key].key)
  const query = forge(`${signed}&Signature=${encodeURIComponent(signature.toString('base64'))}`)
  const answer = await fetch(`${server.url}/v1/auth/sso/${slug}/slo?${query}`, { redirect: 'manual' })
  return { status: answer.status, location: answer.headers.get('location') }
}

describe('signing out at the identity provider', () => {
  it("ends that person's sign-in here and answers where the provider wants it", async () => {
    const [anna, bert] = [await signIn('anna'), await signIn('bert')]
    const { status, location } = await logout({ name: 'anna' })
    const url = new URL(location ?? '')
    expect([status, url.origin + url.pathname, url.searchParams.get('RelayState')]).toEqual([302, idpSloUrl, 'back'])
    const answer = inflateRawSync(Buffer.from(url.searchParams.get('SAMLResponse') ?? '', 'base64')).toString()
    expect(answer).toContain('InResponseTo="_out1"')
    expect([await isSignedIn(anna), await isSignedIn(bert)]).toEqual([false, true])
  })

  it('ends the sign-in that it names, or all of that person that it vouched for, and none by a password', async () => {
    const ella = await addPerson(server, 'ella@sso.example')
    await join(server, ella.userId, server.orgs[0].orgId, 'reviewer')
    const [first, second, other] = [await signIn('ella'), await signIn('ella', undefined, 's-2'), await signIn('finn')]
    const byPassword = await seatOf(server, ella.userId)
    const standing = async () => Promise.all([first, second, other, byPassword].map(isSignedIn))
    expect(await standing()).toEqual([true, true, true, true])
    expect((await logout({ name: 'ella' })).status).toBe(302)
    expect(await standing()).toEqual([false, true, true, true])
    // Said once more, of who is signed out already: it is answered, and nothing else ends.
    expect((await logout({ name: 'ella' })).status).toBe(302)
    const unnamed = (xml: string) => xml.replace(/<samlp:SessionIndex>.*<\/samlp:SessionIndex>/, '')
    const several = (xml: string) => xml.replace(/(<samlp:SessionIndex>)[^<]*/, '$1s-no</samlp:SessionIndex>$1s-none')
    expect((await logout({ name: 'ella', change: several })).status).toBe(302)
    expect(await standing()).toEqual([false, true, true, true])
    expect((await logout({ name: 'ella', change: unnamed })).status).toBe(302)
    expect(await standing()).toEqual([false, false, true, true])
  })

  it('takes no word that is not signed by it, for here, and of now', async () => {
    const carl = await signIn('carl')
    const old = new Date(server.clock.now() - 3_600_000).toISOString()
    const words: Word[] = [
      { key: 'b' },
      { algorithm: 'http://www.w3.org/2000/09/xmldsig#rsa-sha1' },
      { forge: (query) => query.replace(/&SigAlg=.*/, '') },
      { forge: (query) => query.replace('RelayState=back', 'RelayState=other') },
      { change: (xml) => xml.replace(idpEntityId, 'https://other.example') },
      { change: (xml) => xml.replace(/Destination="[^"]*"/, 'Destination="https://other.example"') },
      { change: (xml) => xml.replace(/IssueInstant="[^"]*"/, `IssueInstant="${old}"`) },
      { change: (xml) => `<!DOCTYPE x>${xml}` },
      { change: (xml) => xml.replace('@sso', '<!-- -->@sso') },
      { change: (xml) => `${xml}${' '.repeat(300_000)}` },
    ]
    for (const word of words) expect((await logout({ name: 'carl', ...word })).status, JSON.stringify(word)).toBe(401)
    expect(await isSignedIn(carl)).toBe(true)
    // Good until five minutes behind its making, and as much longer as clocks may differ.
    const at = (ago: number) => new Date(server.clock.now() - ago).toISOString()
    const made = (ago: number): Word => ({
      change: (xml) => xml.replace(/IssueInstant="[^"]*"/, `IssueInstant="${at(ago)}"`),
    })
    const longest = 300_000 + samlSkewSeconds * 1000
    expect((await logout({ name: 'carl', ...made(longest) })).status).toBe(401)
    expect((await logout({ name: 'carl', ...made(longest - 1) })).status).toBe(302)
    expect(await isSignedIn(carl)).toBe(false)
  })

  it('tells nobody but members whether there is such an address', async () => {
    const stranger = await addPerson(server, 'stranger@elsewhere.example')
    await join(server, stranger.userId, server.orgs[1].orgId, 'reviewer')
    const headers = await seatOf(server, stranger.userId)
    expect((await fetch(`${server.url}/v1/auth/sso/${slug}/logout-url`, { headers })).status).toBe(404)
  })

  it('begins here by an address for this sign-in; there is none where the provider has none', async () => {
    const dora = await signIn('dora')
    const url = new URL((await urlOf(dora)) ?? '')
    const request = inflateRawSync(Buffer.from(url.searchParams.get('SAMLRequest') ?? '', 'base64')).toString()
    expect(request).toContain('dora@sso.example')
    expect(request).toContain('s-dora')
    const { idpSloUrl: _, ...without } = samlBody
    await (await asOwner(server, server.orgs[0].orgId))('PUT', '', without)
    expect(await urlOf(dora)).toBeNull()
    await configureSaml({ server, scope: { orgId: server.orgs[0].orgId, environment: 'live' } })
  })

  it('reaches who has given an own second step, and who is about to', async () => {
    const begin = async (name: string) => {
      const person = await addPerson(server, `${name}@sso.example`)
      await join(server, person.userId, server.orgs[0].orgId, 'reviewer')
      const { recoveryCodes } = await addTotp(server, person)
      const begun = await beginSignInAt(server, slug)
      const fields = await samlifyAnswer(begun, { email: person.email, sessionIndex: `s-${name}` })
      const { location } = await postAnswer(server, slug, fields)
      const step = Buffer.from(location?.split('#step.')[1] ?? '', 'base64url').toString()
      const { challengeToken } = JSON.parse(step) as { challengeToken: string }
      return { challengeToken, recoveryCode: recoveryCodes[0] }
    }
    const finish = async ({ challengeToken, recoveryCode }: Awaited<ReturnType<typeof begin>>) => {
      const answer = await fetch(`${server.url}/v1/auth/login/second-factor`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ challengeToken, recoveryCode }),
      })
      const cookie = answer.headers.getSetCookie().map((one) => one.split(';')[0])
      return { status: answer.status, cookie: cookie.join('; ') }
    }
    const [hana, ida] = [await begin('hana'), await begin('ida')]
    const { status, cookie } = await finish(hana)
    expect([status, await isSignedIn({ cookie })]).toEqual([200, true])
    await logout({ name: 'hana' })
    await logout({ name: 'ida' })
    expect([await isSignedIn({ cookie }), (await finish(ida)).status]).toEqual([false, 401])
  })

  it('happens by itself when the time is over that the provider gave', async () => {
    const end = new Date(server.clock.now() + 60_000).toISOString()
    const short = (xml: string) => xml.replace('SessionIndex=', `SessionNotOnOrAfter="${end}" SessionIndex=`)
    const [emil, fred] = [await signIn('emil', short), await signIn('fred')]
    server.clock.advance(61_000)
    await server.processAll()
    expect([await isSignedIn(emil), await isSignedIn(fred)]).toEqual([false, true])
  })
})

describe('what is sent to the provider where it wants that signed (samlify)', () => {
  const metadata = async () => (await fetch(`${server.url}/v1/auth/sso/${slug}/metadata`)).text()
  const begin = async () => {
    const answer = await fetch(`${server.url}/v1/auth/sso/${slug}/login?returnTo=/docs`, { redirect: 'manual' })
    return new URL(answer.headers.get('location') ?? '')
  }
  const configure = async (signRequests: boolean) => {
    const ask = await asOwner(server, server.orgs[0].orgId)
    const { body } = await ask('PUT', '', { ...samlBody, signRequests })
    return (body.data as { serviceProvider: { signingCertificate: string | null } }).serviceProvider.signingCertificate
  }

  it('is signed by the key of the metadata: sign-in, sign-out, and the answer to one', async () => {
    const gina = await signIn('gina')
    const plain = await begin()
    expect([plain.searchParams.has('Signature'), await metadata()]).toEqual([
      false,
      expect.not.stringContaining('KeyDescriptor'),
    ])
    const certificate = await configure(true)
    const ours = await metadata()
    const loginUrl = await begin()
    const issuer = `${server.app.config.baseUrl}/v1/auth/sso/${slug}/metadata`
    expect((await readBySamlify(ours, loginUrl, 'LoginRequest')).issuer).toBe(issuer)
    const logoutUrl = new URL((await urlOf(gina)) ?? '')
    expect((await readBySamlify(ours, logoutUrl, 'LogoutRequest')).issuer).toBe(issuer)
    const answer = new URL((await logout({ name: 'gina' })).location ?? '')
    expect((await readBySamlify(ours, answer, 'LogoutResponse')).response?.inResponseTo).toBe('_out1')
    for (const [url, sent] of [
      [plain, 'LoginRequest'],
      [new URL(loginUrl.href.replace(/RelayState=[^&]/, 'RelayState=%21')), 'LoginRequest'],
      [new URL(answer.href.replace('RelayState=back', 'RelayState=other')), 'LogoutResponse'],
    ] as const)
      await expect(readBySamlify(ours, url, sent), url.href).rejects.toThrow()
    expect([await configure(true), await configure(false)]).toEqual([certificate, null])
    expect(await configure(true)).not.toBe(certificate)
    await expect(readBySamlify(await metadata(), loginUrl, 'LoginRequest')).rejects.toThrow()
  })

  it('keeps the key sealed', async () => {
    await configure(true)
    const rows = await server.app.db.reader.all<object>('SELECT * FROM sso_signing_keys')
    expect(rows).toMatchObject([{ wrapped_key: expect.stringMatching(/^v1\./) as string }])
    expect(JSON.stringify([rows, server.logLines])).not.toContain('PRIVATE KEY')
  })
})
