import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { samlifyAnswer } from '../../test-support/saml-idp.ts'
import { startServer, type TestServer } from '../../test-support/server.ts'
import { beginSignInAt, configureSaml, postAnswer } from '../../test-support/sso.ts'

let server: TestServer
let slug: string
beforeAll(async () => {
  server = await startServer({ env: { BASE_URL: 'https://service.example' } })
  slug = await configureSaml({ server, scope: { orgId: server.orgs[0].orgId, environment: 'live' } })
})
afterAll(() => server.stop())

const cookieOf = (kept: string | undefined) => ({ cookie: kept?.split(';')[0] ?? '' })

describe('a sign-in at an identity provider', () => {
  it('ends in the browser that began it, and in no other', async () => {
    const begun = await beginSignInAt(server, slug)
    expect(begun.kept).toMatch(
      /^sso_begun=[\w-]{32}; Path=\/v1\/auth\/sso; Max-Age=\d+; HttpOnly; SameSite=None; Secure$/,
    )
    const answer = await samlifyAnswer(begun)
    const other = await beginSignInAt(server, slug)
    expect(await postAnswer(server, slug, answer)).toMatchObject({
      status: 401,
      reason: 'another_browser',
      cookies: [],
    })
    expect(await postAnswer(server, slug, answer, cookieOf(other.kept))).toMatchObject({ status: 401, cookies: [] })
    expect(await postAnswer(server, slug, answer, cookieOf(begun.kept))).toMatchObject({ status: 303 })
  })

  it('may be on its way in two pages of one browser', async () => {
    const first = await beginSignInAt(server, slug)
    const response = await fetch(`${server.url}/v1/auth/sso/${slug}/login`, {
      redirect: 'manual',
      headers: cookieOf(first.kept),
    })
    expect(response.headers.getSetCookie()[0]?.split(';')[0]).toBe(first.kept?.split(';')[0])
    expect(await postAnswer(server, slug, await samlifyAnswer(first), cookieOf(first.kept))).toMatchObject({
      status: 303,
    })
  })

  it('that is refused says so on a page, in the language of whoever looks, and as JSON to programs', async () => {
    const fields = { SAMLResponse: 'AA==', RelayState: '"><script>alert(1)</script>' }
    const seen = await postAnswer(server, slug, fields, { accept: 'text/html,*/*;q=0.8' })
    expect(seen).toMatchObject({ status: 401, page: expect.stringContaining('<h1>This did not work</h1>') })
    expect(seen.page).toContain('unauthorized · not_begun_here · req_')
    expect(seen.page).not.toContain('<script')
    expect(seen.policy).toMatch(/^default-src 'none'; style-src 'sha256-/)
    const hindi = await postAnswer(server, slug, fields, { accept: 'text/html', 'accept-language': 'hi-IN,hi;q=0.9' })
    expect(hindi.page).toContain('<html lang="hi">')
    expect(await postAnswer(server, slug, fields)).toMatchObject({ status: 401, reason: 'not_begun_here' })
    const nowhere = await fetch(`${server.url}/v1/auth/sso/no-such/login`, { headers: { accept: 'text/html' } })
    expect([nowhere.status, nowhere.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8'])
    expect(await nowhere.text()).toContain('There is nothing at this address')
  })
})
