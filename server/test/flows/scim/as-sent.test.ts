import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { auditRowsOf } from '../../test-support/audit-rows.ts'
import { sharedDouble, takeMoney } from '../../test-support/payments.ts'
import { scimTokenOf } from '../../test-support/scim.ts'
import { startServer, type TestServer } from '../../test-support/server.ts'

const enterprise = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User'

describe('what identity providers send', () => {
  let server: TestServer
  let token = ''
  beforeAll(async () => {
    server = await startServer()
    token = await scimTokenOf(server, server.orgs[0].orgId)
  })
  afterAll(() => server.stop())

  const ask = async (method: string, path: string, body?: unknown, bearer = token, base = '/scim/v2') => {
    const answer = await fetch(`${server.url}${base}${path}`, {
      method,
      headers: { authorization: `Bearer ${bearer}`, 'content-type': 'application/scim+json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const text = await answer.text()
    return { status: answer.status, body: (text === '' ? {} : JSON.parse(text)) as Record<string, unknown> }
  }
  let made = 0
  const create = async (more: object = {}): Promise<string> => {
    made += 1
    const { status, body } = await ask('POST', '/Users', { userName: `sent${made}@example.org`, ...more })
    expect(status, JSON.stringify(body)).toBe(201)
    return String(body['id'])
  }
  const patch = async (id: string, ...Operations: object[]) => {
    const { status, body } = await ask('PATCH', `/Users/${id}`, { Operations })
    expect(status, JSON.stringify(body)).toBe(200)
    return body
  }
  const work = { value: 'w@example.org', type: 'work' }
  const home = { value: 'h@example.org', type: 'home' }

  it('gives no group the name of another, and says in the trail that one was removed', async () => {
    const make = async (displayName: string) =>
      ((await ask('POST', '/Groups', { displayName })).body as { id: string }).id
    const [one, two] = [await make('One of two'), await make('Two of two')]
    const renamed = await ask('PUT', `/Groups/${two}`, { displayName: 'one OF two' })
    expect(renamed).toMatchObject({ status: 409, body: { scimType: 'uniqueness' } })
    expect((await ask('DELETE', `/Groups/${one}`)).status).toBe(204)
    expect((await auditRowsOf(server, 'scim.group_removed')).map(({ target }) => target)).toContain(one)
    const id = await create()
    const sql = 'SELECT role FROM memberships WHERE membership_id = ?'
    expect(await server.app.db.reader.get(sql, [id])).toEqual({ role: 'interviewer' })
  })

  it('names its attributes in any case', async () => {
    const { status, body } = await ask('POST', '/Users', {
      username: 'case@example.org',
      Active: 'FALSE',
      NAME: { GivenName: 'Ada' },
      emails: [{ VALUE: work.value }],
      [enterprise.toUpperCase()]: { EmployeeNumber: 12, Manager: { Value: 'm1' } },
    })
    expect([status, body]).toEqual([
      201,
      expect.objectContaining({
        userName: 'case@example.org',
        active: false,
        name: { givenName: 'Ada' },
        emails: [{ value: work.value }],
        [enterprise]: { employeeNumber: '12', manager: { value: 'm1' } },
      }),
    ])
    const path = `/Users/${String(body['id'])}`
    const operations = [{ Op: 'Replace', Path: 'ACTIVE', Value: 'TRUE' }]
    expect((await ask('PATCH', path, { operations })).body).toMatchObject({ active: true })
    const search = { Filter: 'userName eq "case@example.org"', COUNT: 1 }
    expect((await ask('POST', '/Users/.search', search)).body).toMatchObject({ totalResults: 1 })
    const group = { displayname: 'Any case', Members: [{ Value: body['id'] }] }
    expect((await ask('POST', '/Groups', group)).body).toMatchObject({ members: [{ value: body['id'] }] })
  })

  it('has an address of an international domain, and a name of any script', async () => {
    const name = 'ශ්‍රියානි'
    await create({ userName: 'jo@müller.example', displayName: name })
    const row = await server.app.db.reader.get('SELECT name FROM users WHERE email = ?', ['jo@xn--mller-kva.example'])
    expect(row).toEqual({ name })
  })

  it('leaves out of a PATCH what cannot be kept, and follows the rest', async () => {
    const id = await create({ emails: [work, home], [enterprise]: { manager: 'm1' } })
    const title = { op: 'Replace', path: 'title', value: 'Lead' }
    const gone = await patch(id, { op: 'Remove', path: 'emails[type eq "home"].value' }, title)
    expect(gone).toMatchObject({ title: 'Lead', emails: [work] })
    const bare = await patch(id, { op: 'Add', path: 'emails[type eq "pager"].display', value: 'P' })
    expect(bare['emails']).toEqual([work])
    const later = await patch(
      id,
      { op: 'Add', path: 'emails[type eq "home"].display', value: 'H' },
      { op: 'Add', path: 'emails[type eq "home"].value', value: home.value },
      { op: 'Replace', path: `${enterprise}:employeeNumber`, value: 12 },
      { op: 'Replace', path: `${enterprise}:manager`, value: '' },
    )
    expect(later['emails']).toEqual([work, { ...home, display: 'H' }])
    expect(later[enterprise]).toEqual({ employeeNumber: '12' })
    expect(await patch(id, { op: 'Replace', path: 'emails', value: null })).not.toHaveProperty('emails')
  })

  it('says nothing by null and by no operation', async () => {
    const id = await create({ emails: [{ value: null, type: 'work' }], title: null })
    expect((await ask('GET', `/Users/${id}`)).body).not.toHaveProperty('emails')
    const { body } = await ask('POST', '/Groups', { displayName: 'Nothing', members: [{ value: id }] })
    const path = `/Groups/${String(body['id'])}`
    expect((await ask('PATCH', path, { Operations: [] })).status).toBe(204)
    expect((await ask('GET', path)).body['members']).toHaveLength(1)
    const empty = { Operations: [{ op: 'add', path: 'members', value: [{ value: '' }, { value: null }, null] }] }
    expect((await ask('PATCH', path, empty)).status).toBe(204)
    expect((await ask('GET', path)).body['members']).toHaveLength(1)
    const none = { Operations: [{ op: 'replace', path: 'members', value: null }] }
    expect((await ask('PATCH', path, none)).status).toBe(204)
    expect((await ask('GET', path)).body['members'] ?? []).toEqual([])
  })

  it('makes nobody twice who has the address already, by whatever name', async () => {
    const id = await create({ displayName: 'First' })
    const body = { userName: 'another-name', displayName: 'Second', emails: [{ value: `sent${made}@example.org` }] }
    expect((await ask('POST', '/Users', body)).body).toMatchObject({ status: '409', scimType: 'uniqueness' })
    expect((await ask('GET', `/Users/${id}`)).body).toMatchObject({ displayName: 'First' })
  })

  it('leaves the groups of whom it removes, and is in none when it comes back', async () => {
    const id = await create()
    const body = { displayName: 'Left', members: [{ value: id }] }
    const path = `/Groups/${String((await ask('POST', '/Groups', body)).body['id'])}`
    expect((await ask('GET', path)).body).toMatchObject({ members: [{ value: id }] })
    expect((await ask('DELETE', `/Users/${id}`)).status).toBe(204)
    expect((await ask('GET', path)).body['members'] ?? []).toEqual([])
    const back = await ask('POST', '/Users', { userName: `sent${made}@example.org` })
    expect(back.status).toBe(201)
    expect(back.body['groups'] ?? []).toEqual([])
  })

  it('puts nobody into a group who is not there, neither at first nor later', async () => {
    const id = await create()
    const group = { displayName: 'There', members: [{ value: 'mem_nobody' }] }
    expect(await ask('POST', '/Groups', group)).toMatchObject({ status: 400, body: { scimType: 'invalidValue' } })
    const { body } = await ask('POST', '/Groups', { ...group, members: [{ value: id }] })
    const path = `/Groups/${String(body['id'])}`
    const Operations = [{ op: 'add', path: 'members', value: [{ value: 'mem_nobody' }] }]
    expect(await ask('PATCH', path, { Operations })).toMatchObject({ status: 400, body: { scimType: 'invalidValue' } })
    expect((await ask('GET', path)).body).toMatchObject({ members: [{ value: id }] })
  })

  it('is asked below a base address that ends in a slash', async () => {
    for (const [base, path] of [
      ['/scim/v2/', '/Users'],
      ['/scim/v2', '/Users/'],
      ['/scim/v2/', '/Groups/'],
    ] as const)
      expect((await ask('GET', path, undefined, token, base)).status, `${base}${path}`).toBe(200)
    expect((await fetch(`${server.url}/v1//healthz`)).status).toBe(404)
  })

  it('is refused one more seat than the plan has as a rule, and not as a duplicate', async () => {
    takeMoney(server, await sharedDouble())
    const { orgId } = server.orgs[1]
    const bearer = await scimTokenOf(server, orgId)
    const statuses = []
    let last: Awaited<ReturnType<typeof ask>> | undefined
    for (let n = 0; n < 20 && last?.status !== 403; n++) {
      last = await ask('POST', '/Users', { userName: `seat${n}@example.org` }, bearer)
      statuses.push(last.status)
    }
    expect(new Set(statuses)).toEqual(new Set([201, 403]))
    expect(last?.body).toEqual({
      schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'],
      status: '403',
      detail: expect.stringContaining('seats of the plan are taken') as string,
    })
    const first = await ask(
      'GET',
      `/Users?filter=${encodeURIComponent('userName eq "seat0@example.org"')}`,
      undefined,
      bearer,
    )
    expect(first.body).toMatchObject({ totalResults: 1 })
    expect((await ask('POST', '/Users', { userName: 'seat0@example.org' }, bearer)).body).toMatchObject({
      status: '409',
      scimType: 'uniqueness',
    })
  })
})
