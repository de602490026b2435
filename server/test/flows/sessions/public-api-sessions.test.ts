import type { Client } from '@integrity/client/every-endpoint'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { everyEngine } from '../../test-support/engines.ts'
import { type Asked, ask, conflict, invalidAt, notFound, problemOf } from '../../test-support/public-api-call.ts'
import { startServer, type TestServer } from '../../test-support/server.ts'
import { liveSession, nowIso, registration, scheduleSession } from '../../test-support/world.ts'

const hour = 3_600_000

for (const engine of everyEngine())
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
    const goLive = () =>
      liveSession(server, { orgId: server.orgs[0].orgId, environment: 'sandbox' }, server.orgs[0].sandboxKey)
    const schedule = (body?: object) => scheduleSession(api, body ?? {})
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

    describe('sessions.create', () => {
      it('refuses fields that nobody declared, at every depth, each with what was likely meant', async () => {
        const body = { sandbox: false, config: { retentionDay: 7, capture: { quality: 50, colour: 'blue' } } }
        const answer = await call('POST /v1/api/sessions', { body })
        expect(problemOf(answer)).toEqual(invalidAt('sandbox', 'config.retentionDay', 'config.capture.colour'))
        expect(answer.text).toContain('did you mean retentionDays?')
      })

      it('refuses an appointment in the past, and what turns the direction of a label', async () => {
        const at = (ms: number) => new Date(server.clock.now() + ms).toISOString()
        const create = (body: object) => call('POST /v1/api/sessions', { body })
        const schedule = (startsAt: string) => ({ startsAt, durationMinutes: 30, timeZone: 'UTC' })
        expect(problemOf(await create({ schedule: schedule(at(-hour)) }))).toEqual(invalidAt('schedule.startsAt'))
        expect((await create({ schedule: schedule(at(-60_000)) })).status).toBe(201)
        for (const text of ['a\u202eb', 'a\nb', '\u2066x'])
          expect(problemOf(await create({ externalId: text, candidateLabel: text }))).toEqual(
            invalidAt('externalId', 'candidateLabel'),
          )
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

    describe('sessions.end', () => {
      it('answers the same bytes again, whatever the repeat says, publishes one event and records each call', async () => {
        const session = await goLive()
        const end = (body?: object) => call(`POST /v1/api/sessions/${session.id}/end`, { body })
        const first = await end({ reason: 'completed' })
        expect(first.data).toMatchObject({ state: 'ended', endReason: 'completed', endedAt: nowIso(server) })
        server.clock.advance(hour)
        expect((await end()).text).toBe(first.text)
        expect((await end({ reason: 'something else' })).text).toBe(first.text)
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

      it('ends a session that never began, once', async () => {
        const { id } = await schedule()
        for (let times = 0; times < 2; times++) expect((await erase(id)).status).toBe(200)
        expect((await call(`GET /v1/api/sessions/${id}`)).data).toMatchObject({
          state: 'ended',
          endedAt: nowIso(server),
        })
        expect(await publishedOf(id)).toEqual(['session.scheduled', 'session.ended'])
      })

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
        expect((await call(`GET /v1/api/sessions/${session.id}`)).data.state).toBe('ended')
        expect(await publishedOf(session.id)).toEqual(['session.scheduled', 'session.ended'])
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
  })
