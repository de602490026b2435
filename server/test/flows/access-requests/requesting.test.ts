import { accessRequestsPerMailbox } from '@integrity/protocol'
import { describe, expect, it } from 'vitest'
import { anAccessRequest, pendingRequest } from '../../test-support/access-requests.ts'
import { everyEngine } from '../../test-support/engines.ts'
import { parseOutbox } from '../../test-support/mail.ts'
import { addPerson, operatorCookie, portalCookie } from '../../test-support/portal.ts'
import { refusalOf } from '../../test-support/refusal.ts'
import { deskOperator, startServer } from '../../test-support/server.ts'
import { describeDesk } from './access-requests.test-support.ts'

const hour = 3_600_000
const rows = 'SELECT count(*) AS n FROM access_requests WHERE email = ?'

describeDesk('asking for access', (desk) => {
  const ask = (body: object) => desk.server.client().call('accessRequests.create', { body: body as never })
  const countOf = async (email: string) => (await desk.server.app.db.reader.get<{ n: number }>(rows, [email]))?.n

  it('is open where the settings say so, and notes what was sent as it was sent', async () => {
    expect((await desk.server.client().call('accessRequests.availability')).data).toEqual({ open: true })
    const asked = anAccessRequest({ email: '  Asha.Rao@Bright.Example ', locale: 'hi-IN' })
    const answer = await ask(asked)
    expect([answer.status, answer.data]).toEqual([202, { accepted: true }])
    const [first] = (await desk.list({ status: 'pending' })).items
    expect(first).toMatchObject({
      ...asked,
      email: 'asha.rao@bright.example',
      locale: 'hi',
      status: 'pending',
      decidedAt: null,
      decidedBy: null,
      invitation: null,
      orgId: null,
    })
  })

  it('gives one pending request for an address, however many ask at once, and the same answer to all', async () => {
    const asked = anAccessRequest()
    const same = [asked, { ...asked, email: asked.email.toUpperCase() }, { ...asked, organisation: 'Other' }]
    const answers = await Promise.all(same.map(ask))
    expect(new Set(answers.map(({ status, data }) => JSON.stringify([status, data]))).size).toBe(1)
    expect(await countOf(asked.email)).toBe(1)
  })

  it('asks for the same statements and the same job whether or not the address has asked, or has an account', async () => {
    const statements: string[][] = []
    const { db } = desk.server.app
    const transact = db.transact.bind(db)
    const account = await addPerson(desk.server)
    const fresh = anAccessRequest()
    Object.assign(db, {
      transact: (work: Parameters<typeof transact>[0]) =>
        transact((tx) => {
          const seen: string[] = []
          statements.push(seen)
          const noting = new Proxy(tx, {
            get: (target, name) => {
              const value: unknown = Reflect.get(target, name)
              if (typeof value !== 'function') return value
              return (...given: unknown[]): unknown => {
                if (name !== 'afterCommit') seen.push(String(given[0]))
                return value.apply(target, given)
              }
            },
          })
          return work(noting)
        }),
    })
    try {
      for (const body of [fresh, fresh, anAccessRequest({ email: account.email })]) {
        statements.push([body.email])
        await ask(body)
      }
    } finally {
      Object.assign(db, { transact })
    }
    const asks = statements
      .join('\n')
      .split(/^\S+@\S+$/m)
      .slice(1)
      .map((asked) => asked.replaceAll(/^,|,$/gm, '').trim())
    expect(asks).toHaveLength(3)
    expect(new Set(asks).size).toBe(1)
    expect(asks[0]).toContain('INSERT INTO jobs')
  })

  it('looks at so many of one address a day, and answers the same beyond', async () => {
    const asked = anAccessRequest()
    for (let n = 0; n <= accessRequestsPerMailbox; n++) {
      expect((await ask(asked)).status).toBe(202)
      await desk.server.app.db.transact((tx) =>
        tx.run("UPDATE access_requests SET status = 'declined' WHERE email = ?", [asked.email]),
      )
    }
    expect(await countOf(asked.email)).toBe(accessRequestsPerMailbox)
    desk.server.clock.advance(24 * hour)
    await ask(asked)
    expect(await countOf(asked.email)).toBe(accessRequestsPerMailbox + 1)
  })

  it('tells the operators in one message, whose request of an address that has one is told of to nobody', async () => {
    await desk.server.processAll()
    // Within an hour of a message the next ones are collected.
    for (let n = 0; n < 2; n += 1) {
      desk.server.clock.advance(hour)
      await desk.server.processAll()
    }
    const before = (await parseOutbox(desk.server)).length
    const asked = anAccessRequest({ message: 'Hello <b>\nline two', organisation: 'Fish & Sons <script>' })
    await ask(asked)
    await ask(asked)
    await desk.server.processAll()
    const mails = (await parseOutbox(desk.server)).slice(before)
    expect(mails).toHaveLength(1)
    const [mail] = mails
    expect(mail?.to?.map(({ address }) => address)).toEqual([deskOperator])
    expect(mail?.subject).toBe('Somebody asks for access')
    for (const fact of [asked.email, asked.organisation, asked.country, 'line two']) expect(mail?.text).toContain(fact)
    expect(mail?.html).toContain('Fish &amp; Sons &lt;script&gt;')
    expect(mail?.html).not.toContain('<script>')
  })

  it.each([
    ['email', 'asha rao@bright.example'],
    ['email', 'asha@bright'],
    ['email', `${'a'.repeat(310)}@b.example`],
    ['email', 'bücher@example.org'],
    ['email', 'a@example.org\r\nBcc: other@example.org'],
    ['email', 'a@example.org, b@example.org'],
    ['name', 'Asha\u0001Rao'],
    ['name', 'Asha\u202eRao'],
    ['name', 'a'.repeat(5000)],
    ['organisation', ' '],
    ['organisation', 'Bright\nHiring'],
    ['country', 'XX'],
    ['country', 'EU'],
    ['country', 'in'],
    ['country', 'IND'],
    ['sessionsPerMonth', -1],
    ['message', 'bell \u0007'],
    ['message', 'x'.repeat(2001)],
  ])('refuses %s %j by its name', async (field, value) => {
    const refused = await refusalOf(ask(anAccessRequest({ [field]: value })))
    expect(refused).toMatchObject({ status: 400, details: [{ path: field }] })
  })

  it('lists newest first by cursor, one status or all, and no cursor of another list', async () => {
    for (let n = 0; n < 3; n++) {
      desk.server.clock.advance(1000)
      await pendingRequest(desk.server)
    }
    const ids: string[] = []
    for (let cursor: string | null = ''; cursor !== null; ) {
      const page = await desk.list({ limit: 2, status: 'pending', ...(cursor !== '' && { cursor }) })
      ids.push(...page.items.map(({ id }) => id))
      cursor = page.nextCursor
    }
    const whole = (await desk.list({ limit: 100, status: 'pending' })).items
    expect(ids).toEqual(whole.map(({ id }) => id))
    expect(new Set(ids).size).toBe(ids.length)
    expect(whole.map(({ createdAt }) => createdAt)).toEqual(
      whole
        .map(({ createdAt }) => createdAt)
        .sort()
        .reverse(),
    )
    const { nextCursor } = await desk.list({ limit: 1, status: 'pending' })
    for (const cursor of [nextCursor, 'x'])
      expect(await refusalOf(desk.list({ cursor, status: 'declined' }))).toMatchObject({
        status: 400,
        details: [{ path: 'cursor' }],
      })
  })
})

for (const engine of everyEngine())
  describe(`the access desk by its settings (${engine})`, () => {
    it('is shut, and nobody an operator, unless they say otherwise', async () => {
      const server = await startServer({ engine, env: { ACCESS_REQUESTS: '', ACCESS_DESK_OPERATORS: '' } })
      try {
        expect((await server.client().call('accessRequests.availability')).data).toEqual({ open: false })
        const refused = await refusalOf(server.client().call('accessRequests.create', { body: anAccessRequest() }))
        expect(refused).toMatchObject({ status: 403, code: 'forbidden' })
        const row = await server.app.db.reader.get<{ n: number }>('SELECT count(*) AS n FROM access_requests')
        expect(row?.n).toBe(0)
        for (const headers of [await operatorCookie(server), await portalCookie(server)])
          expect(await refusalOf(server.client().call('accessRequests.list', { headers }))).toMatchObject({
            status: 403,
            code: 'forbidden',
          })
      } finally {
        await server.stop()
      }
    })

    it('knows an operator whose address stands there in capitals, and takes so many requests of one network address', async () => {
      const server = await startServer({
        engine,
        env: { ACCESS_DESK_OPERATORS: `other@example.org, ${deskOperator.toUpperCase()}` },
        limits: { accessRequestsPerAddress: 2 },
      })
      try {
        const ask = () => server.client().call('accessRequests.create', { body: anAccessRequest() })
        await ask()
        await ask()
        expect(await refusalOf(ask())).toMatchObject({ status: 429, code: 'rate_limited', retryAfterMs: hour })
        const { data } = await server.client().call('accessRequests.list', { headers: await operatorCookie(server) })
        expect(data.items).toHaveLength(2)
        server.clock.advance(hour)
        expect((await ask()).status).toBe(202)
      } finally {
        await server.stop()
      }
    })
  })
