import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createManualClock } from '../../../src/platform/manual-clock.test-support.ts'
import { type Pysaml2, startPysaml2 } from '../../test-support/pysaml2.ts'
import { samlKeys } from '../../test-support/saml-keys.ts'
import { startServer, type TestServer } from '../../test-support/server.ts'
import { asOwner, configureSaml, postAnswer, samlBody } from '../../test-support/sso.ts'

const success = 'urn:oasis:names:tc:SAML:2.0:status:Success'
let server: TestServer
let slug: string
let metadata: string
let idp: Pysaml2

beforeAll(async () => {
  // It goes by the clock on the wall.
  server = await startServer({ overrides: { clock: createManualClock(Date.now()) } })
  slug = await configureSaml({ server, scope: { orgId: server.orgs[0].orgId, environment: 'live' } })
  await connect()
  metadata = await (await fetch(`${server.url}/v1/auth/sso/${slug}/metadata`)).text()
  idp = await startPysaml2({ metadata })
})
afterAll(async () => {
  await idp.stop()
  await server.stop()
})

/** As it writes them. */
const connection = {
  ...samlBody,
  attributes: {
    email: 'urn:oid:1.2.840.113549.1.9.1.1',
    name: 'urn:oid:2.16.840.1.113730.3.1.241',
    role: 'groups',
  },
}
const connect = async (more: object = {}) => {
  const ask = await asOwner(server, server.orgs[0].orgId)
  expect((await ask('PUT', '', { ...connection, ...more })).status).toBe(200)
}

const beginning = async (): Promise<string> => {
  const response = await fetch(`${server.url}/v1/auth/sso/${slug}/login`, { redirect: 'manual' })
  return response.headers.get('location') ?? ''
}
const signIn = async (name: string, more: object = {}, by = idp) => {
  const given = { url: await beginning(), email: `${name}@sso.example`, nameId: `id-${name}`, groups: ['staff'] }
  const fields = await by.ask('signIn', { signMessage: false, ...given, ...more })
  const answer = await postAnswer(server, slug, { ...fields })
  return { ...answer, cookie: answer.cookies.map((one) => one.split(';')[0]).join('; ') }
}
const me = async (cookie: string) => {
  const response = await fetch(`${server.url}/v1/auth/me`, { headers: { cookie } })
  return response.status === 200
    ? ((await response.json()) as { data: { user: { email: string } } }).data.user
    : undefined
}
const roleOf = async (email: string) =>
  (
    await server.app.db.reader.get<{ role: string }>(
      'SELECT m.role FROM memberships m JOIN users u ON u.user_id = m.user_id WHERE u.email = ?',
      [email],
    )
  )?.role

describe('an identity provider of another maker (pysaml2)', () => {
  it('reads our metadata and request, and what it answers signs a new member in', async () => {
    const answer = await signIn('asha')
    expect(answer).toMatchObject({ status: 303, location: `${server.app.config.baseUrl}/account/` })
    expect(await me(answer.cookie)).toMatchObject({ email: 'asha@sso.example' })
    expect(await roleOf('asha@sso.example')).toBe('interviewer')
  })

  it('may sign the whole message too, and its groups are roles', async () => {
    expect(await signIn('bert', { signMessage: true, groups: ['staff', 'reviewers'] })).toMatchObject({ status: 303 })
    expect(await roleOf('bert@sso.example')).toBe('reviewer')
  })

  it('is not taken for one with another key, and is during a rollover', async () => {
    const renewed = await startPysaml2({ metadata, key: 'b' })
    try {
      expect(await signIn('cara', {}, renewed)).toMatchObject({ status: 401, cookies: [] })
      await connect({ idpCertificates: [samlKeys.a.certificate, samlKeys.b.certificate] })
      expect(await signIn('cara', {}, renewed)).toMatchObject({ status: 303 })
      expect(await signIn('dan')).toMatchObject({ status: 303 })
    } finally {
      await renewed.stop()
    }
  })

  it('signs somebody out here, and takes our answer', async () => {
    const { cookie } = await signIn('eva')
    expect(await me(cookie)).toBeDefined()
    const destination = `${server.app.config.baseUrl}/v1/auth/sso/${slug}/slo`
    const sp = `${server.app.config.baseUrl}/v1/auth/sso/${slug}/metadata`
    const word = await idp.ask('signOut', { nameId: 'id-eva', destination, sp })
    const there = `${server.url}/v1/auth/sso/${slug}/slo${new URL(word.url).search}`
    const answer = await fetch(there, { redirect: 'manual' })
    expect(answer.status, await answer.text()).toBe(302)
    expect(await me(cookie)).toBeUndefined()
    const url = answer.headers.get('location')
    expect(await idp.ask('confirmed', { url })).toEqual({ inResponseTo: word.id, status: success })
  })

  it('is asked to sign somebody out that signs out here', async () => {
    const { cookie } = await signIn('finn')
    const { data } = (await (
      await fetch(`${server.url}/v1/auth/sso/${slug}/logout-url`, { headers: { cookie } })
    ).json()) as { data: { url: string } }
    const word = await idp.ask('signedOut', { url: data.url })
    expect(word.nameId).toBe('id-finn')
    const back = `${server.url}/v1/auth/sso/${slug}/slo${new URL(word.url).search}`
    const answer = await fetch(back, { redirect: 'manual' })
    expect([answer.status, answer.headers.get('location')]).toEqual([302, `${server.app.config.baseUrl}/account/`])
  })
})
