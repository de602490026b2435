import type { Client } from '@integrity/protocol/client'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { hasEngine } from '../support/databases.ts'
import { startServer, type TestServer } from '../support/server.ts'
import { liveSession, nowIso, register, registration, scheduleSession } from '../support/world.ts'
import { type Answered, type Asked, ask, conflict, invalidAt, notFound, problemOf } from './public-api-call.ts'

const hour = 3_600_000

for (const engine of ['sqlite', 'postgres'] as const)
  describe.skipIf(!hasEngine(engine))(`public API, sessions (${engine})`, () => {
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
    const goLive = () =>
      liveSession(server, { orgId: server.orgs[0].orgId, environment: 'sandbox' }, server.orgs[0].sandboxKey)
    const schedule = (body?: object) => scheduleSession(api, body ?? {})
    const idsOf = ({ data }: Answered) => data.items.map((item) => item.id)
    const audited = async (sessionId: string, action: string): Promise<number> =>
      (
        await server.app.db.reader.get<{ n: number }>(
          'SELECT count(*) AS n FROM audit_log WHERE session_id = ? AND action = ?',
          [sessionId, action],
        )
      )?.n ?? 0
    const publishedOf = async (sessionId: string): Promise<string[]> => {
      const { data } = await call(`GET /v1/api/events?sessionId=${sessionId}`)
      return data.items.map((item) => item.type).reverse()
    }

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

      it('refuses every filter that is empty, malformed or given twice, and leaves unknown ones alone', async () => {
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
        expect((await call('GET /v1/api/sessions?colour=blue&states=x&State=x')).status).toBe(200)
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
        expect(none.data).toEqual({ items: [], total: 0, limit: 7, offset: 2 })
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
        expect(head.headers.get('content-length')).toBe(String(Buffer.byteLength(list.text)))
      })
    })

    describe('sessions.create', () => {
      it('ignores fields that nobody declared, at every depth, and keeps none of them', async () => {
        const body = {
          externalId: 'REQ-9',
          state: 'ended',
          sandbox: false,
          legalHold: true,
          id: 'ses_mine',
          config: { retentionDays: 30, colour: 'blue', capture: { quality: 50, colour: 'blue' } },
        }
        const { status, data } = await call('POST /v1/api/sessions', { body })
        expect(status).toBe(201)
        expect(data).toMatchObject({ state: 'scheduled', sandbox: true, legalHold: false, externalId: 'REQ-9' })
        expect(data.id).toMatch(/^ses_/)
        expect(data.id).not.toBe('ses_mine')
        expect(data.config).toMatchObject({ retentionDays: 30, capture: { quality: 50 } })
        expect(JSON.stringify(data)).not.toContain('blue')
        expect(await publishedOf(data.id)).toEqual(['session.scheduled'])
      })

      it('refuses what is out of bounds or of the wrong type, and names each field', async () => {
        const body = {
          externalId: ' ',
          candidateLabel: 'x'.repeat(201),
          config: { retentionDays: '30', capture: { enabled: 'yes', quality: 9 }, optionalLanes: ['telepathy'] },
        }
        const refused = problemOf(await call('POST /v1/api/sessions', { body }))
        expect(refused.code).toBe('invalid_request')
        expect(refused.paths.sort()).toEqual([
          'candidateLabel',
          'config.capture.enabled',
          'config.capture.quality',
          'config.optionalLanes.0',
          'config.retentionDays',
          'externalId',
        ])
        for (const text of ['null', '[]', '"text"', '7'])
          expect(
            await problem('POST /v1/api/sessions', { body: text, headers: { 'content-type': 'application/json' } }),
          ).toEqual(invalidAt(''))
      })

      it('gives a sandbox key sandbox sessions and a live key live ones', async () => {
        expect((await call('POST /v1/api/sessions')).data.sandbox).toBe(true)
        expect((await call('POST /v1/api/sessions', { key: liveKey() })).data.sandbox).toBe(false)
      })
    })

    describe('sessions.get', () => {
      it('shows state, config and a consent summary without a secret', async () => {
        const session = await goLive()
        const { status, data, text } = await call(`GET /v1/api/sessions/${session.id}`)
        expect(status).toBe(200)
        expect(data).toMatchObject({ id: session.id, state: 'live', sandbox: true, eventCount: 0 })
        expect(data.config).toMatchObject({ retentionDays: expect.any(Number), capture: { enabled: true } })
        expect(data.consent).toMatchObject({
          status: expect.stringMatching(/^(granted|partial)$/),
          version: expect.any(String),
        })
        expect(data.consent.lanes.screen).toMatchObject({ granted: true, withdrawnAt: null })
        expect(text).not.toMatch(/ajt_|sst_|rmt_|cmt_/)
      })

      it.each(['ses_none', 'ses_', '%20', "'%20OR%201=1", '%F0%9F%98%80', 'SES_1'])(
        'of %s is not found',
        async (id) => {
          expect(await problem(`GET /v1/api/sessions/${id}`)).toEqual(notFound)
        },
      )

      it('refuses an id that no id can be', async () => {
        expect(await problem(`GET /v1/api/sessions/${'x'.repeat(129)}`)).toEqual(invalidAt('id'))
        expect(await problem('GET /v1/api/sessions/a%00b')).toEqual(invalidAt('id'))
      })
    })

    describe('sessions.patch', () => {
      const groups = [
        ['capture', { screenshotIntervalSeconds: 7 }, { quality: 33 }],
        ['audio', { chunkSeconds: 20 }, { microphone: false }],
        ['camera', { stillIntervalSeconds: 60 }, { clips: true }],
        ['sideView', { previewIntervalSeconds: 30 }, { enabled: true }],
      ] as const

      it.each(groups)(
        'merges into the group %s and leaves every other value as it was',
        async (group, first, second) => {
          const { id, agent } = await schedule()
          const before = (await call(`GET /v1/api/sessions/${id}`)).data.config
          await call(`PATCH /v1/api/sessions/${id}`, { body: { [group]: first } })
          const { data } = await call(`PATCH /v1/api/sessions/${id}`, { body: { [group]: second } })
          expect(data.config).toEqual({ ...before, [group]: { ...before[group], ...first, ...second } })
          expect(data.policyVersion).toBe(3)
          const read = await call(`GET /v1/sessions/${id}/config`, { key: agent })
          expect(read.data).toMatchObject({ policyVersion: 3, config: data.config })
          expect(read.headers.get('etag')).toBe('"3"')
        },
      )

      it('refuses a wrong value in any group, and changes nothing of the others', async () => {
        const { id } = await schedule()
        const before = (await call(`GET /v1/api/sessions/${id}`)).text
        const body = {
          capture: { quality: 101 },
          audio: { chunkSeconds: 1 },
          camera: { clipSeconds: 61 },
          sideView: { previewIntervalSeconds: 1.5 },
          retentionDays: 5,
        }
        const refused = problemOf(await call(`PATCH /v1/api/sessions/${id}`, { body }))
        expect(refused.paths.sort()).toEqual([
          'audio.chunkSeconds',
          'camera.clipSeconds',
          'capture.quality',
          'sideView.previewIntervalSeconds',
        ])
        for (const group of ['capture', 'audio', 'camera', 'sideView'])
          for (const value of [null, [], 'off', false])
            expect(await problem(`PATCH /v1/api/sessions/${id}`, { body: { [group]: value } }), group).toEqual(
              invalidAt(group),
            )
        expect((await call(`GET /v1/api/sessions/${id}`)).text).toBe(before)
      })

      it('loses nothing when several groups are changed at the same time', async () => {
        const { id } = await schedule()
        const patches = groups.flatMap(([group, first, second]) => [{ [group]: first }, { [group]: second }])
        const answers = await Promise.all(patches.map((body) => call(`PATCH /v1/api/sessions/${id}`, { body })))
        expect(answers.map(({ data }) => data.policyVersion).sort((a, b) => a - b)).toEqual([2, 3, 4, 5, 6, 7, 8, 9])
        const { data } = await call(`GET /v1/api/sessions/${id}`)
        expect(data.policyVersion).toBe(9)
        for (const [group, first, second] of groups) expect(data.config[group]).toMatchObject({ ...first, ...second })
      })

      it('ignores what is no part of the policy', async () => {
        const { id } = await schedule({ externalId: 'REQ-1' })
        const body = { state: 'ended', externalId: 'REQ-2', capture: { colour: 'blue' }, config: { retentionDays: 1 } }
        const { status, data } = await call(`PATCH /v1/api/sessions/${id}`, { body })
        expect(status).toBe(200)
        expect(data).toMatchObject({ state: 'scheduled', externalId: 'REQ-1', policyVersion: 1 })
        expect(data.config.retentionDays).toBe(90)
      })

      it('needs a body', async () => {
        const { id } = await schedule()
        expect(await problem(`PATCH /v1/api/sessions/${id}`)).toEqual(invalidAt(''))
      })
    })

    describe('sessions.end', () => {
      it('answers the same bytes again, whatever the repeat says, publishes one event and records each call', async () => {
        const session = await goLive()
        const end = (body?: object) => call(`POST /v1/api/sessions/${session.id}/end`, { body })
        const first = await end({ reason: 'completed' })
        expect(first.data).toMatchObject({ state: 'ended', endReason: 'completed', endedAt: nowIso(server) })
        server.clock.advance(hour)
        expect((await end()).text).toBe(first.text)
        expect((await end({ reason: 'something else', unknown: 1 })).text).toBe(first.text)
        expect(await publishedOf(session.id)).toEqual(['session.scheduled', 'session.started', 'session.ended'])
        expect(await audited(session.id, 'session.ended')).toBe(3)
      })

      it('ends once when several calls come at the same time', async () => {
        const session = await goLive()
        const answers = await Promise.all(
          ['a', 'b', 'c', 'd'].map((reason) => call(`POST /v1/api/sessions/${session.id}/end`, { body: { reason } })),
        )
        expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1)
        expect((await publishedOf(session.id)).filter((type) => type === 'session.ended')).toHaveLength(1)
      })

      it('refuses a reason that is none, and takes an empty object as none given', async () => {
        const { id } = await schedule()
        for (const reason of ['', ' ', 7, null, 'x'.repeat(101)])
          expect(await problem(`POST /v1/api/sessions/${id}/end`, { body: { reason } })).toEqual(invalidAt('reason'))
        expect((await call(`POST /v1/api/sessions/${id}/end`, { body: {} })).data.endReason).toBeNull()
      })
    })

    describe('sessions.erase', () => {
      const hold = (id: string, on: 0 | 1) =>
        server.app.db.transact((tx) => tx.run('UPDATE sessions SET legal_hold = ? WHERE session_id = ?', [on, id]))
      const erase = (id: string) => call(`POST /v1/api/sessions/${id}/erase`)

      it('is a conflict while the session is live, and while it is held, ended or not; nothing is recorded as erased', async () => {
        const session = await goLive()
        const whileLive = await erase(session.id)
        expect(problemOf(whileLive)).toEqual(conflict)
        await hold(session.id, 1)
        const both = await erase(session.id)
        await call(`POST /v1/api/sessions/${session.id}/end`)
        const held = await erase(session.id)
        expect([problemOf(both), problemOf(held)]).toEqual([conflict, conflict])
        expect(held.error?.message).not.toBe(whileLive.error?.message)
        expect((await call(`GET /v1/api/sessions/${session.id}`)).data).toMatchObject({
          erasedAt: null,
          legalHold: true,
        })
        expect(await audited(session.id, 'session.erased')).toBe(0)
        await hold(session.id, 0)
        expect((await erase(session.id)).status).toBe(200)
      })

      it('answers the same bytes again, and remains a conflict once a hold was laid on it afterwards', async () => {
        const { id } = await schedule()
        const first = await erase(id)
        expect(first.data).toEqual({ sessionId: id, erasedAt: nowIso(server), erasedObjects: 0, erasedBytes: 0 })
        server.clock.advance(hour)
        expect((await erase(id)).text).toBe(first.text)
        await hold(id, 1)
        expect(problemOf(await erase(id))).toEqual(conflict)
      })

      it('of a session that never began also keeps it from beginning', async () => {
        const session = await schedule()
        const link = await call(`POST /v1/api/sessions/${session.id}/join-links`, { body: { role: 'candidate' } })
        const body = await registration(server, session)
        await erase(session.id)
        expect(await problem('POST /v1/sessions', { key: session.agent, body })).toEqual(conflict)
        expect(await problem('POST /v1/sessions/join', { key: '', body: { joinCode: link.data.joinCode } })).toEqual(
          conflict,
        )
        for (const [path, sent] of [
          ['join-links', { role: 'candidate' }],
          ['join-links', { role: 'companion' }],
          ['room-devices', {}],
        ] as const)
          expect(await problem(`POST /v1/api/sessions/${session.id}/${path}`, { body: sent })).toEqual(conflict)
        expect((await call(`GET /v1/api/sessions/${session.id}`)).data.state).toBe('scheduled')
        expect(await publishedOf(session.id)).toEqual(['session.scheduled'])
      })
    })

    describe('sessions.joinLinks.create', () => {
      it('mints a code for the candidate that works for a day, and one for a phone that works a quarter of an hour', async () => {
        const { id } = await schedule()
        for (const [role, lifetime] of [
          ['candidate', 24 * hour],
          ['companion', hour / 4],
        ] as const) {
          const { status, data } = await call(`POST /v1/api/sessions/${id}/join-links`, { body: { role } })
          expect(status).toBe(201)
          expect(data).toMatchObject({ role, expiresAt: new Date(server.clock.now() + lifetime).toISOString() })
          expect(data.joinCode).toMatch(/^[0-9A-HJKMNP-TV-Z]{4}-[0-9A-HJKMNP-TV-Z]{4}$/)
          expect(data.url).toContain(data.joinCode)
        }
        expect(await audited(id, 'session.join_link_created')).toBe(2)
      })

      it('refuses a role that does not exist, and none', async () => {
        const { id } = await schedule()
        for (const role of ['interviewer', 'Candidate', '', null, undefined, ['candidate']])
          expect(await problem(`POST /v1/api/sessions/${id}/join-links`, { body: { role } })).toEqual(invalidAt('role'))
        expect(await problem(`POST /v1/api/sessions/${id}/join-links`)).toEqual(invalidAt(''))
      })

      it('gives another code each time, and the first one keeps working', async () => {
        const { id } = await schedule()
        const mint = async () =>
          (await call(`POST /v1/api/sessions/${id}/join-links`, { body: { role: 'candidate' } })).data.joinCode
        const [first, second] = [await mint(), await mint()]
        expect(first).not.toBe(second)
        for (const joinCode of [first, second])
          expect((await call('POST /v1/sessions/join', { key: '', body: { joinCode } })).data.session.id).toBe(id)
      })
    })

    describe('sessions.roomDevices.create', () => {
      it("mints a credential that is good for this room's camera and for nothing else", async () => {
        const session = await schedule()
        const { status, data } = await call(`POST /v1/api/sessions/${session.id}/room-devices`, {
          body: { label: ' Room 4 ' },
        })
        expect(status).toBe(201)
        expect(data.id).toMatch(/^rmd_/)
        expect(data.roomToken).toMatch(/^rmt_/)
        expect(data.url).toMatch(new RegExp(`/room/#${session.id}\\.${data.roomToken}$`))
        expect(Date.parse(data.expiresAt)).toBeGreaterThan(server.clock.now())
        const asRoom = { key: data.roomToken }
        // Nobody has consented yet: known, but not allowed.
        const frame = {
          clientId: 'room-still-1',
          contentType: 'image/webp',
          sha256: '0'.repeat(64),
          capturedAt: nowIso(server),
          data: '',
        }
        expect(
          await problem(`POST /v1/sessions/${session.id}/camera/frames`, { ...asRoom, body: frame }),
        ).toMatchObject({
          status: 403,
          code: 'forbidden',
        })
        for (const line of [
          `GET /v1/api/sessions/${session.id}`,
          `GET /v1/sessions/${session.id}/config`,
          `GET /v1/api/events`,
        ])
          expect(await problem(line, asRoom), line).toMatchObject({ status: 401, code: 'unauthorized' })
      })

      it('needs no body, and refuses a label that is none', async () => {
        const { id } = await schedule()
        expect((await call(`POST /v1/api/sessions/${id}/room-devices`)).status).toBe(201)
        for (const label of ['', ' ', 5, 'x'.repeat(101)])
          expect(await problem(`POST /v1/api/sessions/${id}/room-devices`, { body: { label } })).toEqual(
            invalidAt('label'),
          )
      })
    })

    describe('agent.sessions.config', () => {
      it('recognises its tag in a list and when a proxy has made it weak, and no other', async () => {
        const { id, agent } = await schedule()
        const read = (tag: string) =>
          call(`GET /v1/sessions/${id}/config`, { key: agent, headers: { 'if-none-match': tag } })
        for (const tag of ['"1"', 'W/"1"', '"0", "1"', '*', ' "1" ']) expect((await read(tag)).status, tag).toBe(304)
        for (const tag of ['', '1', '"2"', '"1', '"11"', 'w"1"']) expect((await read(tag)).status, tag).toBe(200)
        await register(server, { id, agent })
        expect((await read('"1"')).status).toBe(304)
      })
    })
  })
