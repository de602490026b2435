import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { enginesInTurn } from '../../test-support/engines.ts'
import { portalCookie } from '../../test-support/portal.ts'
import { refusalOf } from '../../test-support/refusal.ts'
import { scimTokenOf } from '../../test-support/scim.ts'
import { startServer, type TestServer } from '../../test-support/server.ts'

for (const engine of enginesInTurn(import.meta.filename))
  describe(`portal.scim.calls (${engine})`, () => {
    let server: TestServer
    let orgId: string
    beforeAll(async () => {
      server = await startServer({ engine })
      orgId = server.orgs[0].orgId
    })
    afterAll(() => server.stop())

    const calls = async () => {
      const headers = await portalCookie(server, 'owner')
      return (await server.client().call('portal.scim.calls', { params: { orgId }, headers })).data
    }

    it('has each call with its reason in words, and neither an id nor an address of a person', async () => {
      expect(await calls()).toEqual({ lastUsedAt: null, items: [] })
      const token = await scimTokenOf(server, orgId)
      const ask = (method: string, path: string, body?: object) =>
        fetch(`${server.url}/scim/v2${path}`, {
          method,
          headers: { authorization: `Bearer ${token}`, 'content-type': 'application/scim+json' },
          ...(body && { body: JSON.stringify(body) }),
        })
      await ask('GET', '/Users/mem_somebody')
      server.clock.advance(1000)
      await ask('GET', `/Users?filter=${encodeURIComponent('userName eq "a" asha@example.org')}`)
      server.clock.advance(1000)
      await ask('POST', '/Users', { userName: 'asha@example.org' })
      await server.processAll()
      const { items, lastUsedAt } = await calls()
      expect(items).toMatchObject([
        { method: 'POST', path: '/scim/v2/Users', status: 201, errorCode: null, reason: null },
        { method: 'GET', path: '/scim/v2/Users', status: 400, reason: expect.stringMatching(/^filter: /) as string },
        { method: 'GET', path: '/scim/v2/Users/{userId}', status: 404, errorCode: 'not_found' },
      ])
      expect(items[2]?.reason).toMatch(/user/)
      expect(JSON.stringify(items)).not.toMatch(/asha|mem_somebody/)
      expect(lastUsedAt).toBe(items[0]?.at)
    })

    it('goes on with a new token, has nothing more of the old one, and keeps both when there is none', async () => {
      const headers = await portalCookie(server, 'owner')
      const issue = async () =>
        (await server.client().call('portal.scim.issueToken', { params: { orgId }, headers })).data.token
      const ask = async (token: string) => {
        server.clock.advance(1000)
        const { status } = await fetch(`${server.url}/scim/v2/Users`, { headers: { authorization: `Bearer ${token}` } })
        await server.processAll()
        return { status, at: new Date(server.clock.now()).toISOString() }
      }
      const old = await issue()
      const first = await ask(old)
      const renewed = await issue()
      expect((await calls()).lastUsedAt).toBe(first.at)
      expect((await ask(old)).status).toBe(401)
      expect((await calls()).lastUsedAt).toBe(first.at)
      const last = await ask(renewed)
      const both = await calls()
      expect(both.lastUsedAt).toBe(last.at)
      expect(both.items.slice(0, 2).map(({ at }) => at)).toEqual([last.at, first.at])
      await server.client().call('portal.scim.revokeToken', { params: { orgId }, headers })
      expect(await calls()).toEqual(both)
    })

    it('is for who manages single sign-on', async () => {
      const headers = await portalCookie(server, 'reviewer')
      const refused = await refusalOf(server.client().call('portal.scim.calls', { params: { orgId }, headers }))
      expect(refused.code).toBe('forbidden')
    })
  })
