import type { Client } from '@integrity/client/every-endpoint'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { enginesInTurn } from '../../test-support/engines.ts'
import { type Answered, type Asked, ask, invalidAt, problemOf } from '../../test-support/public-api-call.ts'
import { startServer, type TestServer } from '../../test-support/server.ts'
import { nowIso, scheduleSession } from '../../test-support/world.ts'

const hour = 3_600_000

for (const engine of enginesInTurn(import.meta.filename))
  describe(`public API, sessions (${engine})`, () => {
    let server: TestServer
    let api: Client

    beforeAll(async () => {
      server = await startServer({ engine })
      api = server.client(server.orgs[0].sandboxKey)
    })
    beforeEach(() => server.clock.advance(60_000))
    afterAll(() => server.stop())

    const call = (line: string, asked?: Asked) => ask(server, line, asked)
    const problem = async (line: string, asked?: Asked) => problemOf(await call(line, asked))
    const liveKey = () => server.orgs[0].liveKey
    const schedule = (body?: object) => scheduleSession(api, body ?? {})
    const idsOf = ({ data }: Answered) => data.items.map((item) => item.id)

    describe('sessions.list', () => {
      it('refuses a `from` after `to`, in whatever zone they are written, and takes equal ones as an empty period', async () => {
        const { id } = await schedule()
        const now = nowIso(server)
        const later = new Date(server.clock.now() + 1).toISOString()
        const list = (query: Record<string, string>) => `GET /v1/api/sessions?${new URLSearchParams(query).toString()}`
        const refused = await call(list({ from: later, to: now }))
        expect(problemOf(refused)).toEqual(invalidAt('from'))
        expect(refused.error?.message).toBe('from: must not be after to')
        // An hour earlier on the clock face, yet a later instant.
        const zoned = `${new Date(server.clock.now() - hour).toISOString().slice(0, -1)}-02:00`
        expect(await problem(list({ from: zoned, to: now }))).toEqual(invalidAt('from'))
        expect(await problem(list({ from: later, to: now, limit: '0' }))).toMatchObject({ status: 400 })
        expect((await call(list({ from: now, to: now }))).data).toMatchObject({ items: [], total: 0 })
        expect(idsOf(await call(list({ from: now, to: later })))).toEqual([id])
        expect((await call(list({ to: '1970-01-01T00:00:00Z' }))).data.total).toBe(0)
      })

      it('takes each state of the closed set, and refuses any other value with the name of the filter', async () => {
        for (const state of ['scheduled', 'live', 'ended'])
          expect((await call(`GET /v1/api/sessions?state=${state}`)).status, state).toBe(200)
        for (const state of ['', 'paused', 'LIVE', 'live,ended', ' live', 'live%20', 'toString'])
          expect(await problem(`GET /v1/api/sessions?state=${state}`), state).toEqual(invalidAt('state'))
      })

      it('refuses every filter that is empty, malformed or given twice, and those that are unknown', async () => {
        for (const [query, path] of [
          ['from=', 'from'],
          ['from=yesterday', 'from'],
          ['from=2026-02-30T00:00:00Z', 'from'],
          ['from=2026-01-01', 'from'],
          ['to=', 'to'],
          ['to=1767225600000', 'to'],
          ['provisionedBy=', 'provisionedBy'],
          [`provisionedBy=${'x'.repeat(65)}`, 'provisionedBy'],
          ['sandbox=', 'sandbox'],
          ['sandbox=1', 'sandbox'],
          ['sandbox=TRUE', 'sandbox'],
          ['state=live&state=live', 'state'],
          ['from=2026-01-01T00:00:00Z&from=2026-01-01T00:00:00Z', 'from'],
        ])
          expect(await problem(`GET /v1/api/sessions?${query}`), query).toEqual(invalidAt(String(path)))
        expect(await problem('GET /v1/api/sessions?colour=blue&status=ended&State=x')).toEqual(
          invalidAt('colour', 'status', 'State'),
        )
      })

      it('refuses what is not a page with the name of each part', async () => {
        for (const limit of [
          '0',
          '101',
          '-1',
          '1.5',
          'abc',
          '1e2',
          '',
          '0x10',
          '+5',
          '%205',
          '99999999999999999999',
          'Infinity',
        ])
          expect(await problem(`GET /v1/api/sessions?limit=${limit}`), limit).toEqual(invalidAt('limit'))
        for (const offset of ['-1', '1.5', 'abc', '1e2', '', '1000000001', 'NaN'])
          expect(await problem(`GET /v1/api/sessions?offset=${offset}`), offset).toEqual(invalidAt('offset'))
        expect(await problem('GET /v1/api/sessions?limit=0&offset=-1&state=x')).toEqual(
          invalidAt('limit', 'offset', 'state'),
        )
        expect((await call('GET /v1/api/sessions?limit=100&offset=1000000000')).data).toMatchObject({
          items: [],
          limit: 100,
          offset: 1_000_000_000,
        })
      })

      it('keeps the order of creation where the times are equal, filtered and not, page by page', async () => {
        const from = nowIso(server)
        const made: string[] = []
        for (let n = 0; n < 7; n++) made.unshift((await schedule()).id)
        const pages = async (query: string) => {
          const ids: string[] = []
          for (let offset = 0; offset < 7; offset += 3) {
            const answer = await call(`GET /v1/api/sessions?limit=3&offset=${offset}${query}`)
            ids.push(...idsOf(answer))
          }
          return ids.slice(0, 7)
        }
        expect(await pages('')).toEqual(made)
        expect(await pages(`&from=${from}`)).toEqual(made)
        expect(await pages(`&from=${from}&state=scheduled&sandbox=true`)).toEqual(made)
        const beyond = await call(`GET /v1/api/sessions?from=${from}&offset=7`)
        expect(beyond.data).toMatchObject({ items: [], total: 7, offset: 7 })
      })

      it('finds sessions by the id of whoever provisioned them, and with every other filter', async () => {
        const body = { externalId: `REQ-${nowIso(server)}` }
        const older = await scheduleSession(api, body)
        const newer = await scheduleSession(api, body)
        await scheduleSession(server.client(liveKey()), body)
        await schedule()
        const found = async (query = '') =>
          (await call(`GET /v1/api/sessions?externalId=${encodeURIComponent(body.externalId)}${query}`)).data
        expect(await found()).toMatchObject({ total: 2, items: [{ id: newer.id }, { id: older.id }] })
        expect(await found('&state=scheduled&limit=1')).toMatchObject({ total: 2, items: [{ id: newer.id }] })
        expect(await found('&state=live')).toMatchObject({ total: 0, items: [] })
        expect((await call('GET /v1/api/sessions?externalId=nobody')).data).toMatchObject({ total: 0, items: [] })
      })

      it('`sandbox` narrows within the environment of the key, and never shows the other one', async () => {
        const from = nowIso(server)
        const test = await schedule()
        const real = await scheduleSession(server.client(liveKey()), {})
        const ids = async (query: string, key?: string) =>
          idsOf(await call(`GET /v1/api/sessions?from=${from}${query}`, { key }))
        expect(await ids('')).toEqual([test.id])
        expect(await ids('&sandbox=true')).toEqual([test.id])
        expect(await ids('&sandbox=false')).toEqual([])
        expect(await ids('', liveKey())).toEqual([real.id])
        expect(await ids('&sandbox=false', liveKey())).toEqual([real.id])
        expect(await ids('&sandbox=true', liveKey())).toEqual([])
        const none = await call('GET /v1/api/sessions?sandbox=true&limit=7&offset=2', { key: liveKey() })
        expect(none.data).toEqual({ items: [], total: 0, limit: 7, offset: 2, nextCursor: null })
      })

      it("`provisionedBy` finds what one key made, and another organisation's key nothing", async () => {
        const from = nowIso(server)
        const { id } = await schedule()
        const me = (await call('GET /v1/api/me')).data.keyId
        expect(idsOf(await call(`GET /v1/api/sessions?from=${from}&provisionedBy=${me}`))).toEqual([id])
        const foreign = await call(`GET /v1/api/sessions?provisionedBy=${me}`, { key: server.orgs[1].sandboxKey })
        expect(foreign.data).toMatchObject({ items: [], total: 0 })
      })

      it('shows each session exactly as sessions.get does, and HEAD its headers alone', async () => {
        const { id } = await schedule({ externalId: 'REQ-1', candidateLabel: 'Ada' })
        const list = await call('GET /v1/api/sessions?limit=1')
        expect(list.data.items[0]).toEqual((await call(`GET /v1/api/sessions/${id}`)).data)
        const head = await call('HEAD /v1/api/sessions?limit=1')
        expect([head.status, head.text]).toEqual([200, ''])
        expect(head.headers.get('content-length')).toBe(list.headers.get('content-length'))
      })
    })
  })
