import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { type OidcPeer, signedBy, startOidcPeer, walkThrough } from '../../test-support/oidc-provider.ts'
import { addPerson, join } from '../../test-support/portal.ts'
import { startServer, type TestServer, testPassword } from '../../test-support/server.ts'
import { asOwner, oidcBody, slugOf, verifyDomain } from '../../test-support/sso.ts'

let server: TestServer
let peer: OidcPeer
let slug: string
let orgId: string
let at: string

const configure = async (more: object = {}) => {
  const { issuer, clientId, clientSecret } = peer
  const put = await (await asOwner(server, orgId))('PUT', '', { ...oidcBody, issuer, clientId, clientSecret, ...more })
  expect(put.body).toMatchObject({ data: { connection: { kind: 'oidc', issuer } } })
  return put.body
}

beforeAll(async () => {
  server = await startServer({ overrides: { oidc: undefined as never } })
  orgId = server.orgs[0].orgId
  slug = await slugOf(server, orgId)
  at = `${server.app.config.baseUrl}/v1/auth/sso/${slug}`
  peer = await startOidcPeer(`${at}/callback`)
  await configure()
  await verifyDomain(server, orgId, 'sso.example')
})
afterEach(() => {
  peer.tamper = undefined
})
afterAll(async () => {
  await server.stop()
  await peer.close()
})

let people = 0
const someone = () => {
  people += 1
  return `oidc${people}@sso.example`
}
const begin = async (returnTo?: string) => {
  const query = returnTo === undefined ? '' : `?returnTo=${encodeURIComponent(returnTo)}`
  const response = await fetch(`${server.url}/v1/auth/sso/${slug}/login${query}`, { redirect: 'manual' })
  return { url: response.headers.get('location') ?? '', kept: response.headers.getSetCookie()[0] ?? '', response }
}
/** Brings what came back to the listening server. */
const bring = async (back: string, kept: string) => {
  const url = `${server.url}/v1/auth/sso/${slug}/callback${new URL(back).search}`
  const response = await fetch(url, { redirect: 'manual', headers: { cookie: kept.split(';')[0] ?? '' } })
  const body = (await response.json()) as { error?: { reason?: string; code: string; message: string } }
  return {
    status: response.status,
    location: response.headers.get('location'),
    cookies: response.headers.getSetCookie(),
    reason: body.error?.reason ?? body.error?.code,
    message: body.error?.message,
  }
}
const signIn = async (person: OidcPeer['person'] = { email: someone() }) => {
  peer.person = person
  const { url, kept } = await begin()
  return bring(await walkThrough(url, at), kept)
}
const me = async (cookies: readonly string[]) => {
  const cookie = cookies.map((one) => one.split(';')[0]).join('; ')
  const response = await fetch(`${server.url}/v1/auth/me`, { headers: { cookie } })
  return ((await response.json()) as { data: { user: { email: string } } }).data.user.email
}
const memberOf = (email: string) =>
  server.app.db.reader.get<{ role: string }>(
    'SELECT m.role FROM memberships m JOIN users u ON u.user_id = m.user_id WHERE u.email = ? AND m.org_id = ?',
    [email, orgId],
  )

describe('signing in at a provider of OpenID Connect (oidc-provider)', () => {
  it('makes a member with the default role, by a code with PKCE, and the same kind of sign-in as a password', async () => {
    const { url, kept } = await begin()
    const asked = Object.fromEntries(new URL(url).searchParams)
    expect(asked).toMatchObject({ response_type: 'code', code_challenge_method: 'S256', scope: 'openid email profile' })
    expect(asked['nonce']).toMatch(/^[\w-]{43}$/)
    expect(kept).toMatch(/^sso_begun=[\w-]{32}; Path=\/v1\/auth\/sso; Max-Age=\d+; HttpOnly; SameSite=Lax$/)
    const email = someone()
    peer.person = { email }
    const answer = await bring(await walkThrough(url, at), kept)
    expect(answer).toMatchObject({ status: 303, location: `${server.app.config.baseUrl}/account/` })
    expect(await me(answer.cookies)).toBe(email)
    expect((await memberOf(email))?.role).toBe('interviewer')
  })

  it('takes over the role that the groups give', async () => {
    const email = someone()
    await signIn({ email, groups: ['none', 'reviewers'] })
    expect((await memberOf(email))?.role).toBe('reviewer')
    await signIn({ email, groups: ['admins'] })
    expect((await memberOf(email))?.role).toBe('admin')
  })

  it('links an account that there is, tells its owner, and counts here alone', async () => {
    const { email, userId } = await addPerson(server, someone())
    await join(server, userId, orgId, 'reviewer')
    expect((await signIn({ email })).status).toBe(303)
    const linked = await server.app.db.reader.get<{ issuer: string; subject: string }>(
      'SELECT issuer, subject FROM sso_identities WHERE org_id = ? AND user_id = ?',
      [orgId, userId],
    )
    expect(linked).toEqual({ issuer: peer.issuer, subject: email })
  })

  it('goes on to the page that was asked for', async () => {
    peer.person = { email: someone() }
    const { url, kept } = await begin('/docs?x=1')
    expect((await bring(await walkThrough(url, at), kept)).location).toBe(`${server.app.config.baseUrl}/docs?x=1`)
  })

  it('lets nobody in by an address of another domain', async () => {
    expect(await signIn({ email: 'owner@elsewhere.example' })).toMatchObject({
      status: 403,
      reason: 'domain_not_verified',
      cookies: [],
    })
  })

  it('lets nobody in by an address that the provider has not verified', async () => {
    expect(await signIn({ email: someone(), emailVerified: false })).toMatchObject({
      status: 401,
      reason: 'email_not_verified',
      cookies: [],
    })
  })

  it('is found by the address, and is where a password is refused once it is required', async () => {
    const email = someone()
    const { userId } = await addPerson(server, email)
    await join(server, userId, orgId, 'reviewer')
    const own = await asOwner(server, orgId)
    const tested = (await own('POST', '/test')).body as { data: unknown }
    expect(tested.data).toMatchObject({ ok: true, checks: [{ name: 'discovery' }, { name: 'keys' }, {}] })
    expect((await own('PUT', '/enforcement', { required: true })).status).toBe(200)
    const ask = async (path: string, body: object) => {
      const headers = { 'content-type': 'application/json' }
      return (await fetch(`${server.url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })).json()
    }
    expect(await ask('/v1/auth/sso/discover', { email })).toMatchObject({
      data: { method: 'oidc', url: `${at}/login`, required: true },
    })
    expect(await ask('/v1/auth/login', { email, password: testPassword })).toMatchObject({
      error: { reason: 'sso_required', method: 'oidc', url: `${at}/login` },
    })
    expect((await own('PUT', '/enforcement', { required: false })).status).toBe(200)
  })
})

describe('an answer that is not right', () => {
  it('is taken once', async () => {
    peer.person = { email: someone() }
    const { url, kept } = await begin()
    const back = await walkThrough(url, at)
    expect((await bring(back, kept)).status).toBe(303)
    expect(await bring(back, kept)).toMatchObject({ status: 401, reason: 'not_begun_here', cookies: [] })
  })

  it('has a state that began here, and in this browser', async () => {
    peer.person = { email: someone() }
    const { url, kept } = await begin()
    const back = new URL(await walkThrough(url, at))
    expect(await bring(back.href, (await begin()).kept)).toMatchObject({ status: 401, reason: 'another_browser' })
    expect(await bring(back.href, '')).toMatchObject({ status: 401, reason: 'another_browser' })
    back.searchParams.set('state', 'x'.repeat(43))
    expect(await bring(back.href, kept)).toMatchObject({ status: 401, reason: 'not_begun_here' })
  })

  it('names the issuer that was asked (RFC 9207)', async () => {
    peer.person = { email: someone() }
    const { url, kept } = await begin()
    const back = new URL(await walkThrough(url, at))
    expect(back.searchParams.get('iss')).toBe(peer.issuer)
    back.searchParams.set('iss', 'https://other.example')
    expect(await bring(back.href, kept)).toMatchObject({ status: 401, reason: 'issuer', cookies: [] })
    back.searchParams.delete('iss')
    expect(await bring(back.href, kept)).toMatchObject({ status: 401, reason: 'issuer', cookies: [] })
  })

  it('does not count for a connection that was changed meanwhile', async () => {
    const other = await startOidcPeer(`${at}/callback`)
    peer.person = { email: someone() }
    const { url, kept } = await begin()
    const back = await walkThrough(url, at)
    await configure({ issuer: other.issuer }).catch(() => undefined)
    expect(await bring(back, kept)).toMatchObject({ status: 401, reason: 'issuer', cookies: [] })
    await configure()
    await other.close()
  })

  const changed: readonly (readonly [string, string, Record<string, unknown>])[] = [
    ['another nonce', 'nonce', { nonce: 'of another sign-in' }],
    ['no nonce', 'nonce', { nonce: undefined }],
    ['another issuer', 'issuer', { iss: 'https://other.example' }],
    ['another audience', 'audience', { aud: 'another client' }],
    ['an expiry that is over', 'expired', { exp: 1_700_000_000 }],
  ]
  it.each(changed)('is refused with %s', async (_, reason, claims) => {
    peer.tamper = (token, key) => signedBy(key, token.header, { ...token.claims, ...claims })
    expect(await signIn()).toMatchObject({ status: 401, reason, cookies: [] })
  })

  it('is refused without a signature, and with one of another key or by the secret', async () => {
    peer.tamper = ({ header, claims }, key) => {
      const parts = signedBy(key, { ...header, alg: 'none' }, claims).split('.')
      return `${parts[0]}.${parts[1]}.`
    }
    expect(await signIn()).toMatchObject({ status: 401, reason: 'algorithm', cookies: [] })
    peer.tamper = ({ header, claims }, key) => signedBy(key, { ...header, alg: 'HS256' }, claims)
    expect(await signIn()).toMatchObject({ status: 401, reason: 'algorithm', cookies: [] })
    peer.tamper = ({ header, claims }, key) => signedBy(key, header, claims).replace(/\.[^.]{8}([^.]*)$/, '.AAAAAAAA$1')
    expect(await signIn()).toMatchObject({ status: 401, reason: 'signature', cookies: [] })
  })

  it('is refused when the person does not agree there, in words', async () => {
    const { url, kept } = await begin()
    const state = new URL(url).searchParams.get('state') ?? ''
    const query = new URLSearchParams({ state, error: 'access_denied', iss: peer.issuer })
    expect(await bring(`${at}/callback?${query}`, kept)).toMatchObject({ status: 401, reason: 'refused_there' })
  })
})

describe('a provider', () => {
  it('may change its key at any time, and its document is read once for many sign-ins', async () => {
    const before = peer.discovered
    peer.rotate()
    expect((await signIn()).status).toBe(303)
    expect((await signIn()).status).toBe(303)
    expect(peer.discovered - before).toBeLessThanOrEqual(1)
  })

  it('whose former key signs is refused', async () => {
    let former: Parameters<NonNullable<OidcPeer['tamper']>>[1] | undefined
    peer.tamper = ({ header, claims }, key) => {
      former ??= key
      return signedBy(former, header, claims)
    }
    expect((await signIn()).status).toBe(303)
    peer.rotate()
    expect(await signIn()).toMatchObject({ status: 401, reason: 'signature', cookies: [] })
  })

  it('that has another secret for the client says so at the sign-in', async () => {
    await configure({ clientSecret: 'a wrong one' })
    expect(await signIn()).toMatchObject({ status: 401, reason: 'client', message: expect.stringContaining('secret') })
    await configure()
  })

  it('is tried step by step, with the exact reason', async () => {
    const tried = async (issuer: string) => {
      await configure({ issuer }).catch(() => undefined)
      return ((await (await asOwner(server, orgId))('POST', '/test')).body as { data: unknown }).data
    }
    expect(await tried(`${peer.issuer}/nothing`)).toMatchObject({
      ok: false,
      checks: [{ name: 'discovery', ok: false, message: expect.stringContaining('no discovery document') }, {}],
    })
    expect(await tried('http://127.0.0.1:9')).toMatchObject({
      ok: false,
      checks: [{ name: 'discovery', ok: false, message: expect.stringContaining('cannot be reached') }, {}],
    })
    expect(await tried(`${peer.issuer}/`)).toMatchObject({
      ok: false,
      checks: [{ name: 'discovery', ok: false, message: expect.stringContaining('letter by letter') }, {}],
    })
    await configure()
  })
})

describe('the secret of the client', () => {
  it('is shown to nobody, and lies sealed in the database', async () => {
    const shown = await (await asOwner(server, orgId))('GET', '')
    const row = await server.app.db.reader.get('SELECT * FROM sso_connections WHERE org_id = ?', [orgId])
    expect(JSON.stringify(shown.body)).toContain(peer.clientId)
    expect(JSON.stringify(shown.body)).not.toContain(peer.clientSecret)
    expect(JSON.stringify(row)).not.toContain(peer.clientSecret)
  })
})
