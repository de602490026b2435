import { maxScimOperations } from '@integrity/protocol'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { putToken } from '../../../src/domains/access/scim/tokens.store.ts'
import { newSecret } from '../../../src/platform/crypto/secrets.ts'
import { everyEngine } from '../../test-support/engines.ts'
import { addMember, portalCookie, signIn } from '../../test-support/portal.ts'
import { scimMember, scimTokenOf } from '../../test-support/scim.ts'
import { startServer, type TestServer } from '../../test-support/server.ts'
import { entra, okta, type Step } from './sequences.ts'

interface Answer {
  readonly status: number
  readonly type: string | null
  readonly body: Record<string, unknown>
}

for (const engine of everyEngine())
  describe(`provisioning (${engine})`, () => {
    let server: TestServer
    let token = ''
    beforeAll(async () => {
      server = await startServer({ engine })
      token = await scimTokenOf(server, server.orgs[0].orgId)
    })
    afterAll(() => server.stop())

    const ask = async (method: string, path: string, body?: unknown, bearer = token): Promise<Answer> => {
      const answer = await fetch(`${server.url}/scim/v2${path}`, {
        method,
        headers: { authorization: `Bearer ${bearer}`, 'content-type': 'application/scim+json; charset=utf-8' },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
      const text = await answer.text()
      const type = answer.headers.get('content-type')
      return { status: answer.status, type, body: text === '' ? {} : (JSON.parse(text) as Record<string, unknown>) }
    }
    const patch = (id: string, ...Operations: object[]) => ask('PATCH', `/Users/${id}`, { Operations })
    const create = async (userName: string, more: object = {}): Promise<string> => {
      const made = await ask('POST', '/Users', { userName, ...more })
      expect(made.status, JSON.stringify(made.body)).toBe(201)
      return String(made.body['id'])
    }

    const replay = async (steps: readonly Step[]) => {
      const ids = new Map<string, string>()
      const filled = (text: string) => text.replaceAll(/\{(\w+)\}/g, (all, name: string) => ids.get(name) ?? all)
      for (const { step, method, path, body, expect: statuses, answer, keep } of steps) {
        const sent = body && (JSON.parse(filled(JSON.stringify(body))) as object)
        const got = await ask(method, filled(path), sent)
        expect(statuses, `${step}: ${got.status} ${JSON.stringify(got.body)}`).toContain(got.status)
        if (keep) ids.set(keep, String(got.body['id']))
        if (got.status === 204) continue
        expect(got.type, step).toBe('application/scim+json; charset=utf-8')
        if (answer) expect(got.body, step).toMatchObject(JSON.parse(filled(JSON.stringify(answer))) as object)
      }
    }

    it('goes as Entra asks for it', () => replay(entra))

    it('goes as Okta asks for it, which keeps no password', async () => {
      await replay(okta)
      const row = await server.app.db.reader.get<{ n: number }>(
        `SELECT count(*) AS n FROM scim_users WHERE attributes LIKE '%ignored-by-us%'`,
      )
      expect(row?.n).toBe(0)
    })

    it('says that it sorts nothing and takes no bulk, and answers who asks for either', async () => {
      const { body: config } = await ask('GET', '/ServiceProviderConfig')
      expect(config).toMatchObject({ sort: { supported: false }, bulk: { supported: false } })
      const idsOf = ({ body }: Answer) => (body['Resources'] as { id: string }[]).map(({ id }) => id)
      const usual = await ask('GET', '/Users')
      for (const sortOrder of ['ascending', 'descending']) {
        const sorted = await ask('GET', `/Users?sortBy=userName&sortOrder=${sortOrder}`)
        expect([sorted.status, idsOf(sorted)]).toEqual([200, idsOf(usual)])
        const searched = await ask('POST', '/Users/.search', {
          ...{ schemas: ['urn:ietf:params:scim:api:messages:2.0:SearchRequest'], sortBy: 'userName', sortOrder },
        })
        expect([searched.status, idsOf(searched)]).toEqual([200, idsOf(usual)])
      }
      const bulk = await ask('POST', '/Bulk', {
        ...{ schemas: ['urn:ietf:params:scim:api:messages:2.0:BulkRequest'], Operations: [] },
      })
      expect(bulk).toMatchObject({
        status: 404,
        body: { schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'], status: '404' },
      })
    })

    it('finds everybody who is a member, also whom the provider said nothing of', async () => {
      const { id, email } = await scimMember(server, server.orgs[0].orgId)
      const found = await ask('GET', `/Users?filter=${encodeURIComponent(`userName eq "${email.toUpperCase()}"`)}`)
      expect(found.body).toMatchObject({ totalResults: 1, Resources: [{ id, userName: email, active: true }] })
      expect((await ask('POST', '/Users', { userName: email })).status).toBe(409)
    })

    it('pages through all of them in a stable order, each once, without those who were removed', async () => {
      const removed = await create('removed@example.org')
      expect((await ask('DELETE', `/Users/${removed}`)).status).toBe(204)
      const whole = (await ask('GET', '/Users?count=200')).body
      const total = Number(whole['totalResults'])
      const ids = (whole['Resources'] as { id: string }[]).map(({ id }) => id)
      expect(ids.length).toBe(total)
      expect(ids).not.toContain(removed)
      expect(total).toBeGreaterThan(2)
      const seen: string[] = []
      for (let startIndex = 1; startIndex <= total; startIndex += 2) {
        const { body } = await ask('GET', `/Users?startIndex=${startIndex}&count=2`)
        expect(body).toMatchObject({ totalResults: total, startIndex })
        seen.push(...(body['Resources'] as { id: string }[]).map(({ id }) => id))
      }
      expect(seen).toEqual(ids)
      expect((await ask('GET', '/Users?startIndex=-5&count=-1')).body).toMatchObject({ startIndex: 1, itemsPerPage: 0 })
    })

    it('finds by every attribute that can be looked for, and letters that mean something to LIKE are letters', async () => {
      const id = await create('filter_1%.x', {
        emails: [{ value: 'filter@example.org' }],
        displayName: 'Öl_Mann',
        name: { givenName: 'Öl', familyName: 'Mann' },
        externalId: 'Ext-1',
      })
      const count = async (filter: string) => {
        const { status, body } = await ask('GET', `/Users?filter=${encodeURIComponent(filter)}`)
        expect(status, `${filter}: ${JSON.stringify(body)}`).toBe(200)
        return Number(body['totalResults'])
      }
      for (const filter of [
        `id eq "${id}"`,
        'userName eq "FILTER_1%.x"',
        'userName sw "filter_1%"',
        'externalId eq "Ext-1"',
        'displayName eq "öl_mann"',
        'name.familyName eq "mann" and name.givenName co "l" and active eq true',
        'urn:ietf:params:scim:schemas:core:2.0:User:userName ew "_1%.x"',
        `id eq "${id}" and not (active eq false)`,
        `(id eq "${id}" or id eq "nobody") and meta.created ge "2020-01-01T00:00:00Z" and externalId pr`,
      ])
        expect(await count(filter), filter).toBe(1)
      for (const filter of [
        'userName sw "filter%1"',
        'externalId eq "ext-1"',
        'displayName co "Öl%"',
        'name.givenName eq null and externalId eq "Ext-1"',
      ])
        expect(await count(filter), filter).toBe(0)
      const undescribed = await addMember(server, 'reviewer')
      for (const attribute of ['externalId', 'name.givenName', 'name.familyName']) {
        const filter = `userName eq "${undescribed.email}" and not (${attribute} sw "Ex")`
        expect(await count(filter), filter).toBe(1)
      }
      for (const filter of [
        'password pr',
        'userName',
        'userName eq',
        'userName eq x"',
        '(userName pr',
        'a.b.c eq 1',
        '1=1; --',
        '('.repeat(50),
      ])
        expect((await ask('GET', `/Users?filter=${encodeURIComponent(filter)}`)).body, filter).toMatchObject({
          status: '400',
          scimType: 'invalidFilter',
        })
    })

    it('deactivation ends the sign-ins and the open streams of that person', async () => {
      const { orgId } = server.orgs[0]
      const person = await addMember(server, 'interviewer', orgId)
      const { cookie } = await signIn(server, person.email)
      const me = () => fetch(`${server.url}/v1/orgs/${orgId}`, { headers: { cookie } })
      expect((await me()).status).toBe(200)
      const ended: string[] = []
      const { streams } = server.app
      const endOf = streams.endOf.bind(streams)
      streams.endOf = (id) => {
        ended.push(id)
        endOf(id)
      }
      const found = await ask('GET', `/Users?filter=${encodeURIComponent(`userName eq "${person.email}"`)}`)
      const [{ id }] = found.body['Resources'] as [{ id: string }]
      expect((await patch(id, { op: 'replace', value: { active: false } })).body).toMatchObject({ active: false })
      streams.endOf = endOf
      expect(ended).toEqual([person.userId])
      expect((await me()).status).toBe(401)
    })

    it('the last active owner stays one, whichever way they are taken away, by any number at once', async () => {
      const [, other] = server.orgs
      const bearer = await scimTokenOf(server, other.orgId)
      const { body } = await ask(
        'GET',
        `/Users?filter=${encodeURIComponent(`userName eq "${other.email}"`)}`,
        undefined,
        bearer,
      )
      const [{ id }] = body['Resources'] as [{ id: string }]
      const off = { Operations: [{ op: 'replace', path: 'active', value: 'False' }] }
      const second = await addMember(server, 'owner', other.orgId)
      const members = (await ask('GET', '/Users', undefined, bearer)).body['Resources'] as {
        id: string
        userName: string
      }[]
      const secondId = members.find(({ userName }) => userName === second.email)?.id
      const both = await Promise.all([id, secondId].map((one) => ask('PATCH', `/Users/${one}`, off, bearer)))
      expect(both.map(({ status }) => status).sort((a, b) => a - b)).toEqual([200, 403])
      const left = both[0]?.status === 403 ? id : secondId
      for (const refused of [
        await ask('DELETE', `/Users/${left}`, undefined, bearer),
        await ask('PUT', `/Users/${left}`, { userName: 'x@example.org', active: false }, bearer),
      ])
        expect(refused.body).toMatchObject({
          status: '403',
          detail: expect.stringContaining('last active owner') as string,
        })
      expect((await ask('GET', `/Users/${left}`, undefined, bearer)).body).toMatchObject({ active: true })
    })

    it('reaches owners only where an owner issued the token', async () => {
      const [, third] = server.orgs
      const owner = await addMember(server, 'owner', third.orgId)
      const { app } = server
      const { token: lesser, hash } = newSecret('scim_')
      await app.db.transact((tx) =>
        putToken(tx, third.orgId, { id: app.newId('sct'), hash, now: app.clock.now(), reachesOwners: false }),
      )
      const found = await ask(
        'GET',
        `/Users?filter=${encodeURIComponent(`userName eq "${owner.email}"`)}`,
        undefined,
        lesser,
      )
      const [{ id }] = found.body['Resources'] as [{ id: string }]
      const off = { Operations: [{ op: 'replace', path: 'active', value: false }] }
      expect((await ask('PATCH', `/Users/${id}`, off, lesser)).status).toBe(403)
      expect((await ask('DELETE', `/Users/${id}`, undefined, lesser)).status).toBe(403)
      const headers = { ...(await portalCookie(server, 'owner', third.orgId)), origin: app.config.baseUrl }
      const made = await fetch(`${server.url}/v1/orgs/${third.orgId}/sso/scim/token`, { method: 'POST', headers })
      const { data } = (await made.json()) as { data: { token: string } }
      expect((await ask('PATCH', `/Users/${id}`, off, data.token)).status).toBe(200)
    })

    it('changes the state that was meant, and no other', async () => {
      const call = (method: string, path: string, headers: Record<string, string>, body?: object) =>
        fetch(`${server.url}/scim/v2${path}`, {
          method,
          headers: { authorization: `Bearer ${token}`, 'content-type': 'application/scim+json', ...headers },
          ...(body && { body: JSON.stringify(body) }),
        })
      const of = { displayName: 'Versioned group' }
      const group = (await ask('POST', '/Groups', of)).body as { id: string; meta: { version: string } }
      for (const [path, first, body] of [
        [
          `/Users/${await create('versioned@example.org')}`,
          undefined,
          { userName: 'versioned@example.org', title: '1' },
        ],
        [`/Groups/${group.id}`, group.meta.version, { ...of }],
      ] as const) {
        const read = await call('GET', path, {})
        const tag = read.headers.get('etag') ?? ''
        expect([tag, ((await read.json()) as typeof group).meta.version]).toEqual([first ?? tag, tag])
        expect((await call('GET', path, { 'if-none-match': tag })).status).toBe(304)
        const both = await Promise.all(
          [0, 1].map((n) => call('PUT', path, { 'if-match': tag }, { ...body, title: `${n}`, externalId: `e${n}` })),
        )
        expect(
          both.map(({ status }) => status).toSorted((a, b) => a - b),
          path,
        ).toEqual([200, 412])
        expect((await call('DELETE', path, { 'if-match': tag })).status).toBe(412)
        const now = (await call('GET', path, {})).headers.get('etag') ?? ''
        expect(now).not.toBe(tag)
        expect((await call('DELETE', path, { 'if-match': `"other", ${now}` })).status).toBe(204)
      }
    })

    it('of one new person, ten at once make one', async () => {
      const asked = Array.from({ length: 10 }, () => ask('POST', '/Users', { userName: 'race@example.org' }))
      const statuses = (await Promise.all(asked)).map(({ status }) => status)
      expect(statuses.sort((a, b) => a - b)).toEqual([201, ...Array.from({ length: 9 }, () => 409)])
    })

    if (engine === 'postgres') return

    it('never changes the address that an account signs in with, nor makes an owner', async () => {
      const { id, email } = await scimMember(server, server.orgs[0].orgId)
      await patch(id, { op: 'replace', value: { userName: 'taken.over@example.org', roles: [{ value: 'owner' }] } })
      const row = await server.app.db.reader.get(
        `SELECT u.email, m.role FROM memberships m JOIN users u ON u.user_id = m.user_id WHERE m.membership_id = ?`,
        [id],
      )
      expect(row).toEqual({ email, role: 'interviewer' })
      const clash = await patch(id, { op: 'replace', path: 'userName', value: server.orgs[0].email })
      expect(clash.body).toMatchObject({ status: '409', scimType: 'uniqueness' })
    })

    it('says that they were made a member to whom it provisions, once, with a link where the account is new', async () => {
      const id = await create('told@example.org', { displayName: 'Told' })
      const jobs = await server.app.db.reader.all<{ payload: string }>(
        `SELECT payload FROM jobs WHERE kind = 'member.added'`,
      )
      const told = jobs.map(({ payload }) => JSON.parse(payload) as { membershipId: string })
      expect(told.filter(({ membershipId }) => membershipId === id)).toMatchObject([
        { isNew: true, link: { linkId: expect.any(String) as string } },
      ])
    })

    it('the token stops at once when it is made anew or destroyed', async () => {
      const org = server.orgs[1]
      const headers = await portalCookie(server, 'owner', org.orgId)
      const path = `${server.url}/v1/orgs/${org.orgId}/sso/scim/token`
      const make = async () =>
        (
          (await (
            await fetch(path, { method: 'POST', headers: { ...headers, origin: server.app.config.baseUrl } })
          ).json()) as { data: { token: string; baseUrl: string } }
        ).data
      const first = await make()
      expect(first.baseUrl).toBe(`${server.app.config.baseUrl}/scim/v2`)
      expect((await ask('GET', '/Users', undefined, first.token)).status).toBe(200)
      const second = await make()
      expect((await ask('GET', '/Users', undefined, first.token)).status).toBe(401)
      expect((await ask('GET', '/Users', undefined, second.token)).status).toBe(200)
      await fetch(path, { method: 'DELETE', headers: { ...headers, origin: server.app.config.baseUrl } })
      expect((await ask('GET', '/Users', undefined, second.token)).status).toBe(401)
      const row = await server.app.db.reader.get('SELECT token_id FROM scim_tokens WHERE org_id = ?', [org.orgId])
      expect(row).toBeUndefined()
    })

    it('discovery holds together: each schema is there by its id, and every resource by its attributes', async () => {
      const { Resources: types } = (await ask('GET', '/ResourceTypes')).body as { Resources: Record<string, unknown>[] }
      for (const type of types) {
        expect((await ask('GET', `/ResourceTypes/${String(type['id'])}`)).body).toEqual(type)
        expect((await ask('GET', `/Schemas/${String(type['schema'])}`)).status).toBe(200)
        expect((await ask('GET', String(type['endpoint']))).status).toBe(200)
      }
      const schemas = (await ask('GET', '/Schemas')).body['Resources'] as {
        id: string
        attributes: { name: string }[]
      }[]
      expect(schemas.length).toBe(6)
      expect(JSON.stringify(schemas)).not.toContain('null')
      const described = new Set(schemas.flatMap(({ id, attributes }) => [id, ...attributes.map(({ name }) => name)]))
      const [one] = (await ask('GET', '/Users?count=1')).body['Resources'] as object[]
      for (const name of Object.keys(one ?? {}))
        if (!['schemas', 'id', 'meta', 'externalId'].includes(name)) expect(described).toContain(name)
      for (const method of ['POST', 'PUT', 'PATCH', 'DELETE'])
        for (const path of ['/ServiceProviderConfig', '/ResourceTypes', '/Schemas'])
          expect((await ask(method, path, {})).body).toMatchObject({ status: '405' })
      for (const path of ['/Nothing', '/Schemas/none', '/ResourceTypes/none', '/Users/none', ''])
        expect(await ask('GET', path)).toMatchObject({
          status: 404,
          type: 'application/scim+json; charset=utf-8',
          body: { status: '404' },
        })
    })

    it('selects attributes alike by path, list and search, and what is always returned stays', async () => {
      const id = await create('select@example.org', { displayName: 'Select', title: 'Lead' })
      const expected = { schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'], id, displayName: 'Select' }
      const filter = `id eq "${id}"`
      expect((await ask('GET', `/Users/${id}?attributes=displayName`)).body).toEqual(expected)
      const query = `/Users?attributes=displayname&filter=${encodeURIComponent(filter)}`
      expect((await ask('GET', query)).body['Resources']).toEqual([expected])
      for (const path of ['/.search', '/Users/.search'])
        expect((await ask('POST', path, { filter, attributes: ['displayName'] })).body['Resources'], path).toEqual([
          expected,
        ])
      const without = (await ask('GET', `/Users/${id}?excludedAttributes=displayName,emails,id`)).body
      expect(without).toMatchObject({ id, title: 'Lead' })
      expect(without).not.toHaveProperty('displayName')
      const both = await ask('POST', '/.search', { count: 200 })
      const [users, groups] = [await ask('GET', '/Users?count=0'), await ask('GET', '/Groups?count=0')]
      expect(both.body['totalResults']).toBe(Number(users.body['totalResults']) + Number(groups.body['totalResults']))
    })

    it('refuses what cannot be read, in the words of the standard', async () => {
      const id = await create('wrong@example.org')
      for (const [operations, scimType] of [
        [[{ op: 'move', path: 'title', value: 'x' }], 'invalidValue'],
        [[{ op: 'remove' }], 'noTarget'],
        [[{ op: 'replace', path: 'emails[type eq', value: 'x' }], 'invalidPath'],
        [[{ op: 'replace', path: '__proto__.polluted', value: 'x' }], 'invalidPath'],
        [[{ op: 'replace', path: 'groups', value: [] }], 'mutability'],
        [[{ op: 'replace', path: 'active', value: 'maybe' }], 'invalidValue'],
        [[{ op: 'remove', path: 'userName' }], 'invalidValue'],
      ] as const)
        expect((await patch(id, ...operations)).body, JSON.stringify(operations)).toMatchObject({
          status: '400',
          scimType,
        })
      expect(({} as Record<string, unknown>)['polluted']).toBeUndefined()
      const many = Array.from({ length: maxScimOperations + 1 }, () => ({ op: 'replace', path: 'title', value: 'x' }))
      expect((await patch(id, ...many)).status).toBe(400)
      expect((await ask('POST', '/Users', { userName: 'no address' })).body).toMatchObject({ scimType: 'invalidValue' })
      expect((await ask('POST', '/Groups', { displayName: 'G', members: [{ value: 'mem_none' }] })).status).toBe(400)
    })
  })
