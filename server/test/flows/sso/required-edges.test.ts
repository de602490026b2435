import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addMember, addPerson, portalCookie } from '../../test-support/portal.ts'
import { startServer, type TestServer } from '../../test-support/server.ts'
import { seatOf } from '../../test-support/sign-ins.ts'
import { asOwner, configureSso, ldapBody, verifyDomain } from '../../test-support/sso.ts'

describe('where single sign-on is required', () => {
  let server: TestServer
  let ask: Awaited<ReturnType<typeof asOwner>>
  let orgId: string
  beforeAll(async () => {
    server = await startServer({})
    orgId = server.orgs[0].orgId
    ask = await asOwner(server, orgId)
    await verifyDomain(server, orgId, 'sso.example')
    await configureSso({ server, scope: { orgId, environment: 'live' } }, ldapBody)
    await ask('POST', '/test')
  })
  afterAll(() => server.stop())

  const opens = async (headers: HeadersInit, org: string) => [
    (await fetch(`${server.url}/v1/orgs/${org}`, { headers })).status,
    (await fetch(`${server.url}/v1/orgs/${org}/members`, { headers })).status,
  ]

  it('a sign-in by a password from before a membership never opens it, though it goes on elsewhere', async () => {
    const [, elsewhere] = server.orgs
    const person = await addPerson(server, 'later@sso.example')
    const byOwner = async (id: string) => portalCookie(server, 'owner', id)
    const add = async (id: string) =>
      server.client().call('portal.members.add', {
        params: { orgId: id },
        headers: await byOwner(id),
        body: { email: person.email, name: 'Later', role: 'admin' },
      })
    await add(elsewhere.orgId)
    const seat = await seatOf(server, person.userId)
    expect(await opens(seat, elsewhere.orgId)).toEqual([200, 200])
    expect((await ask('PUT', '/enforcement', { required: true })).status).toBe(200)
    await add(orgId)
    // At once, not when the sign-in is renewed: up to a quarter of an hour.
    expect(await opens(seat, orgId)).toEqual([403, 403])
    expect(await opens(seat, elsewhere.orgId)).toEqual([200, 200])
    expect((await ask('PUT', '/enforcement', { required: false })).status).toBe(200)
    expect(await opens(seat, orgId)).toEqual([200, 200])
  })

  it('who is of no verified domain goes on with a password, and the test says how many before', async () => {
    const said = async () => {
      const { checks } = (await ask('POST', '/test')).body.data as { checks: { name: string; message?: string }[] }
      const message = checks.find(({ name }) => name === 'password_sign_ins')?.message ?? ''
      return Number(/of whom (\d+) go on with a password/.exec(message)?.[1])
    }
    const before = await said()
    const outside = await seatOf(server, (await addMember(server, 'reviewer', orgId)).userId)
    expect(await said()).toBe(before + 1)
    expect((await ask('PUT', '/enforcement', { required: true })).status).toBe(200)
    await server.processAll()
    expect((await opens(outside, orgId))[0]).toBe(200)
  })
})
