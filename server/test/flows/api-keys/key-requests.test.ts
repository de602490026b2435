import { maxRecentRequests } from '@integrity/protocol'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { enginesInTurn } from '../../test-support/engines.ts'
import { portalCookie } from '../../test-support/portal.ts'
import { refusalOf } from '../../test-support/refusal.ts'
import { startServer, type TestServer } from '../../test-support/server.ts'

for (const engine of enginesInTurn(import.meta.filename))
  describe(`portal.apiKeys.requests (${engine})`, () => {
    let server: TestServer
    let orgId: string
    let headers: { cookie: string }
    beforeAll(async () => {
      server = await startServer({ engine })
      orgId = server.orgs[0].orgId
    })
    /** Sign-ins end sooner than what is looked at here. */
    const signIn = async () => {
      headers = await portalCookie(server, 'admin')
    }
    beforeEach(signIn)
    afterAll(() => server.stop())

    const make = async () => {
      const body = { label: 'Build machine', environment: 'sandbox' as const, scopes: ['org:read' as const] }
      return (await server.client().call('portal.apiKeys.create', { params: { orgId }, headers, body })).data
    }
    const requestsOf = async (keyId: string) =>
      (await server.client().call('portal.apiKeys.requests', { params: { orgId, keyId }, headers })).data.items
    const lastUseOf = async (keyId: string) => {
      const { data } = await server.client().call('portal.apiKeys.list', { params: { orgId }, headers })
      return data.items.find(({ id }) => id === keyId)?.lastUsedAt
    }
    const get = (token: string, path: string) =>
      fetch(`${server.url}${path}`, { headers: { authorization: `Bearer ${token}` } })

    it('has what was answered and what was refused, by the declared path alone, newest first', async () => {
      const { id, token } = await make()
      expect(await requestsOf(id)).toEqual([])
      expect(await lastUseOf(id)).toBeNull()
      const first = await get(token, '/v1/api/me?unheard=of-something-private')
      server.clock.advance(1000)
      const refused = await get(token, '/v1/api/sessions/ses_someone?with=words')
      await server.processAll()
      const items = await requestsOf(id)
      expect(items).toMatchObject([
        {
          method: 'GET',
          path: '/v1/api/sessions/{id}',
          status: 403,
          errorCode: 'insufficient_scope',
          requestId: refused.headers.get('x-request-id'),
          at: new Date(server.clock.now()).toISOString(),
        },
        { path: '/v1/api/me', status: first.status, requestId: first.headers.get('x-request-id') },
      ])
      expect(JSON.stringify(items)).not.toMatch(/private|ses_someone|words/)
      expect(await lastUseOf(id)).toBe(items[0]?.at)
    })

    it('keeps the newest hundred of each key, and those of another key are not among them', async () => {
      const [one, other] = [await make(), await make()]
      await get(other.token, '/v1/api/me')
      const ids: (string | null)[] = []
      for (let n = 0; n < maxRecentRequests + 5; n++) {
        server.clock.advance(1)
        ids.push((await get(one.token, '/v1/api/me')).headers.get('x-request-id'))
        if (n === 60) await server.processAll()
      }
      await server.processAll()
      const items = await requestsOf(one.id)
      expect(items.map(({ requestId }) => requestId)).toEqual(ids.toReversed().slice(0, maxRecentRequests))
      const sql = 'SELECT count(*) AS n FROM recent_requests WHERE org_id = ? AND credential_id = ?'
      expect(await server.app.db.reader.get(sql, [orgId, one.id])).toEqual({ n: maxRecentRequests })
      expect(await requestsOf(other.id)).toHaveLength(1)
    })

    it('ends after a day, and when the key was used last stays', async () => {
      const { id, token } = await make()
      await get(token, '/v1/api/me')
      await server.processAll()
      const usedAt = new Date(server.clock.now()).toISOString()
      server.clock.advance(25 * 3_600_000)
      await signIn()
      expect(await requestsOf(id)).toEqual([])
      await server.processAll()
      const sql = 'SELECT count(*) AS n FROM recent_requests WHERE org_id = ? AND credential_id = ?'
      expect(await server.app.db.reader.get(sql, [orgId, id])).toEqual({ n: 0 })
      expect(await lastUseOf(id)).toBe(usedAt)
    })

    it('is for the keys of the own organisation, and for who may manage them', async () => {
      const { id: keyId } = await make()
      const ask = (params: { orgId: string; keyId: string }, by: { cookie: string }) =>
        refusalOf(server.client().call('portal.apiKeys.requests', { params, headers: by }))
      expect(await ask({ orgId, keyId: 'key_unknown' }, headers)).toMatchObject({ code: 'not_found' })
      const reviewer = await portalCookie(server, 'reviewer')
      expect(await ask({ orgId, keyId }, reviewer)).toMatchObject({ code: 'forbidden' })
    })
  })
