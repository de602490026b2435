import type { Client } from '@integrity/client/every-endpoint'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { everyEngine } from '../../test-support/engines.ts'
import { refusalOf } from '../../test-support/refusal.ts'
import { startServer, type TestServer } from '../../test-support/server.ts'
import {
  anEvent,
  liveSession,
  newPicture,
  nowIso,
  register,
  scheduleSession,
  stillFor,
} from '../../test-support/world.ts'

const hour = 3_600_000

for (const engine of everyEngine())
  describe(`sessions (${engine})`, () => {
    let server: TestServer
    let api: Client
    let live: Client

    beforeAll(async () => {
      server = await startServer({ engine })
      api = server.client(server.orgs[0].sandboxKey)
      live = server.client(server.orgs[0].liveKey)
    })
    beforeEach(() => server.clock.advance(60_000))
    afterAll(() => server.stop())

    const scope = () => ({ orgId: server.orgs[0].orgId, environment: 'sandbox' }) as const
    const goLive = () => liveSession(server, scope(), server.orgs[0].sandboxKey)
    const get = async (id: string) => (await api.call('sessions.get', { params: { id } })).data

    describe('sessions.create', () => {
      it('answers the whole session with its defaults, beside the token of the agent', async () => {
        const { data, status } = await api.call('sessions.create', {
          body: { externalId: ' REQ-7 ', candidateLabel: 'Candidate' },
        })
        expect(status).toBe(201)
        expect(data).toMatchObject({
          state: 'scheduled',
          externalId: 'REQ-7',
          sandbox: true,
          policyVersion: 1,
          eventCount: 0,
        })
        expect(data).toMatchObject({
          consent: { status: 'pending', lanes: {} },
          startedAt: null,
          endedAt: null,
          legalHold: false,
        })
        expect(data.provisionedBy).toMatchObject({ kind: 'api_key', label: 'first sandbox key' })
        expect(data.agentJoinToken).toMatch(/^ajt_/)
        const { agentJoinToken: _, agentJoinTokenExpiresAt: __, ...session } = data
        expect(await get(data.id)).toEqual(session)
      })

      it('needs no body, and fills in the policy', async () => {
        const { data } = await api.call('sessions.create')
        expect(data.config).toMatchObject({ retentionDays: 90, capture: { enabled: true, quality: 75 } })
      })

      it('keeps the appointment in UTC and refuses what is none', async () => {
        const schedule = { startsAt: '2026-12-01T09:00:00+05:30', durationMinutes: 45, timeZone: 'Asia/Kolkata' }
        const { data } = await api.call('sessions.create', { body: { schedule } })
        expect(data.schedule).toEqual({ ...schedule, startsAt: '2026-12-01T03:30:00.000Z' })
        for (const [path, value] of [
          ['timeZone', { ...schedule, timeZone: 'Mars/Olympus' }],
          ['durationMinutes', { ...schedule, durationMinutes: 4 }],
          ['startsAt', { ...schedule, startsAt: '2026-02-30T09:00:00Z' }],
          ['startsAt', { ...schedule, startsAt: '9999-12-31T23:59:59-23:59' }],
        ] as const) {
          const refusal = await refusalOf(api.call('sessions.create', { body: { schedule: value } }))
          expect(refusal.details.map((detail) => detail.path)).toEqual([`schedule.${path}`])
        }
      })

      it('refuses a policy that nobody wrote', async () => {
        const refusal = await refusalOf(api.call('sessions.create', { body: { policyId: 'pol_none' } }))
        expect(refusal).toMatchObject({ status: 400, details: [{ path: 'policyId' }] })
      })
    })

    describe('sessions.list', () => {
      it('shows the newest first, and the filters keep their bounds', async () => {
        const first = await scheduleSession(api)
        const from = nowIso(server)
        server.clock.advance(1000)
        const second = await scheduleSession(api)
        const to = nowIso(server)
        server.clock.advance(1000)
        const third = await scheduleSession(api)
        const ids = async (query: object) =>
          (await api.call('sessions.list', { query })).data.items.map((item) => item.id)
        expect(await ids({ limit: 3 })).toEqual([third.id, second.id, first.id])
        expect(await ids({ from })).toEqual([third.id, second.id, first.id])
        expect(await ids({ from, to })).toEqual([first.id])
        expect(await ids({ from: to })).toEqual([third.id, second.id])
        expect(await ids({ from, to: from })).toEqual([])
        // The same instant in another zone.
        const zoned = `${new Date(Date.parse(to) + 2 * hour).toISOString().slice(0, -1)}+02:00`
        expect(await ids({ from: zoned })).toEqual([third.id, second.id])
      })

      it('filters by state and by who provisioned, and counts what it filters', async () => {
        const session = await goLive()
        const since = nowIso(server)
        const query = { state: 'live', from: since } as const
        expect((await api.call('sessions.list', { query })).data).toMatchObject({
          total: 1,
          items: [{ id: session.id }],
        })
        await api.call('sessions.end', { params: { id: session.id } })
        expect((await api.call('sessions.list', { query })).data).toMatchObject({ total: 0, items: [] })
        const { provisionedBy } = await get(session.id)
        const own = await api.call('sessions.list', { query: { provisionedBy: provisionedBy.id, from: since } })
        expect(own.data.total).toBe(1)
        expect((await api.call('sessions.list', { query: { provisionedBy: 'key_other' } })).data.total).toBe(0)
      })

      it('never mixes live and sandbox', async () => {
        const sandbox = await scheduleSession(api)
        const real = await scheduleSession(live)
        const all = async (client: Client, query: object = {}) =>
          (await client.call('sessions.list', { query: { limit: 100, ...query } })).data
        expect((await all(api)).items.every((item) => item.sandbox)).toBe(true)
        expect((await all(live)).items.map((item) => item.id)).toContain(real.id)
        expect((await all(live)).items.some((item) => item.sandbox)).toBe(false)
        expect(await all(live, { sandbox: 'true' })).toMatchObject({ items: [], total: 0 })
        expect(await all(api, { sandbox: 'false' })).toMatchObject({ items: [], total: 0 })
        expect((await all(api, { sandbox: 'true' })).total).toBe((await all(api)).total)
        expect((await refusalOf(live.call('sessions.get', { params: { id: sandbox.id } }))).code).toBe('not_found')
        expect((await refusalOf(api.call('sessions.get', { params: { id: real.id } }))).code).toBe('not_found')
      })
    })

    describe('sessions.patch', () => {
      it('merges groups deeply, replaces lists, and counts the versions of the policy', async () => {
        const { id } = await scheduleSession(api, { config: { capture: { quality: 60 }, requiredApps: ['Editor'] } })
        const patch = (body: object) => api.call('sessions.patch', { params: { id }, body })
        const { data } = await patch({ capture: { screenshotIntervalSeconds: 5 }, requiredApps: ['Browser'] })
        expect(data).toMatchObject({ policyVersion: 2, config: { requiredApps: ['Browser'] } })
        expect(data.config.capture).toMatchObject({ quality: 60, screenshotIntervalSeconds: 5, enabled: true })
        expect((await patch({})).data.policyVersion).toBe(2)
        expect((await patch({ capture: { quality: 60 } })).data.policyVersion).toBe(2)
        expect((await patch({ audio: { enabled: false } })).data.policyVersion).toBe(3)
        const refusal = await refusalOf(
          patch({ capture: { quality: 9, screenshotIntervalSeconds: 3601 }, retentionDays: 0 }),
        )
        expect(refusal.details.map((detail) => detail.path).sort()).toEqual([
          'capture.quality',
          'capture.screenshotIntervalSeconds',
          'retentionDays',
        ])
        expect((await get(id)).policyVersion).toBe(3)
      })

      it('is a conflict once the session has ended', async () => {
        const { id } = await scheduleSession(api)
        await api.call('sessions.end', { params: { id } })
        expect((await refusalOf(api.call('sessions.patch', { params: { id }, body: {} }))).code).toBe('conflict')
      })
    })

    describe('agent.sessions.config', () => {
      it('answers 304 to the tag it gave, until the policy changes or the session ends', async () => {
        const { id, agent } = await scheduleSession(api)
        const read = (etag?: string) =>
          server
            .client(agent)
            .call('agent.sessions.config', { params: { id }, headers: etag ? { 'if-none-match': etag } : {} })
        const first = await read()
        const etag = first.headers.get('etag') ?? ''
        expect(first.data).toMatchObject({ policyVersion: 1, state: 'scheduled' })
        const unchanged = await read(etag)
        expect(unchanged.status).toBe(304)
        expect(unchanged.headers.get('etag')).toBe(etag)
        expect(unchanged.headers.get('x-request-id')).toMatch(/^req_/)
        await api.call('sessions.patch', { params: { id }, body: { retentionDays: 10 } })
        const second = await read(etag)
        expect(second.data).toMatchObject({ policyVersion: 2, config: { retentionDays: 10 } })
        expect(second.data.consentDocument.hash).not.toBe(first.data.consentDocument.hash)
        await api.call('sessions.end', { params: { id } })
        const ended = await read(second.headers.get('etag') ?? '')
        expect(ended.data).toMatchObject({ state: 'ended', policyVersion: 2 })
      })
    })

    describe('sessions.end', () => {
      it('ends once: again gives the same answer, and one event', async () => {
        const session = await goLive()
        const params = { id: session.id }
        const first = await api.call('sessions.end', { params, body: { reason: 'finished' } })
        expect(first.data).toMatchObject({ state: 'ended', endedAt: nowIso(server), endReason: 'finished' })
        server.clock.advance(1000)
        const again = await api.call('sessions.end', { params, body: { reason: 'other' } })
        expect(again.data).toEqual(first.data)
        const byAgent = await server.client(session.agent).call('agent.sessions.end', { params })
        expect(byAgent.data).toMatchObject(first.data)
        const events = await api.call('events.list', { query: { sessionId: session.id, types: 'session.ended' } })
        expect(events.data.items.map((item) => item.data)).toEqual([
          { session: { id: session.id, externalId: null, state: 'ended' }, reason: 'finished' },
        ])
      })

      it('may come before the session was ever live', async () => {
        const { id, agent } = await scheduleSession(api)
        await api.call('sessions.end', { params: { id } })
        expect((await refusalOf(register(server, { id, agent }))).code).toBe('conflict')
      })
    })

    describe('agent.sessions.end', () => {
      it('takes the instant the agent names, within the session', async () => {
        const end = async (endedAt: string) => {
          const session = await goLive()
          server.clock.advance(10 * 60_000)
          const { data } = await server
            .client(session.agent)
            .call('agent.sessions.end', { params: { id: session.id }, body: { endedAt } })
          return data
        }
        const past = new Date(server.clock.now() + 4 * 60_000).toISOString()
        expect((await end(past)).endedAt).toBe(past)
        const future = await end('2099-01-01T00:00:00Z')
        expect(future.endedAt).toBe(nowIso(server))
        const before = await end('2001-01-01T00:00:00Z')
        expect(before.endedAt).toBe(before.startedAt)
      })
    })

    describe('after the end', () => {
      it('what was observed before is taken for 24 hours, what came after is refused, then the tokens are dead', async () => {
        const session = await goLive()
        const agent = server.client(session.agent)
        server.clock.advance(60_000)
        const inTime = anEvent(server)
        await api.call('sessions.end', { params: { id: session.id } })
        server.clock.advance(1)
        const tooLate = anEvent(server)
        const ingest = (events: object[]) =>
          agent.call('agent.events.ingest', { params: { id: session.id }, body: { events } as never })
        expect((await ingest([inTime])).data.accepted).toBe(1)
        const refusal = await refusalOf(ingest([{ ...inTime, clientId: 'another-1' }, tooLate]))
        expect(refusal).toMatchObject({ code: 'invalid_request', details: [{ path: 'events.1.observedAt' }] })
        const room = server.client(session.room)
        expect(
          (await refusalOf(room.call('agent.cameraFrames.upload', { params: { id: session.id } } as never))).code,
        ).toBe('unauthorized')
        server.clock.advance(24 * hour - 2)
        expect((await ingest([{ ...inTime, clientId: 'another-2' }])).data.accepted).toBe(1)
        server.clock.advance(1)
        expect((await refusalOf(ingest([{ ...inTime, clientId: 'another-3' }]))).code).toBe('unauthorized')
        const companion = server.client(session.companion)
        expect((await refusalOf(companion.call('agent.uploads.status', { params: { uploadId: 'upl_x' } }))).code).toBe(
          'unauthorized',
        )
      })
    })

    describe('sessions.erase', () => {
      it('is a conflict while live; erases once; then nothing more is taken', async () => {
        const session = await goLive()
        const params = { id: session.id }
        const agent = server.client(session.agent)
        const upload = async () => {
          const picture = await newPicture()
          const body = { ...stillFor(server, picture), data: picture.toString('base64') }
          return agent.call('agent.screenshots.upload', { params, body })
        }
        const { data: still } = await upload()
        expect((await refusalOf(api.call('sessions.erase', { params }))).code).toBe('conflict')
        await api.call('sessions.end', { params })
        const { data } = await api.call('sessions.erase', { params })
        expect(data).toMatchObject({ sessionId: session.id, erasedObjects: 1, erasedBytes: still.sizeBytes })
        server.clock.advance(1000)
        expect((await api.call('sessions.erase', { params })).data).toEqual(data)
        expect((await get(session.id)).erasedAt).toBe(data.erasedAt)
        expect((await refusalOf(upload())).code).toBe('conflict')
        const events = [{ ...anEvent(server), observedAt: data.erasedAt }]
        expect((await refusalOf(agent.call('agent.events.ingest', { params, body: { events } }))).code).toBe('conflict')
        const report = await api.call('sessions.reviewStatus', { params })
        expect(report.data.remainingEvidence).toEqual({ objects: 0, sizeBytes: 0 })
      })

      it('is a conflict under legal hold', async () => {
        const { id } = await scheduleSession(api)
        await server.app.db.transact((tx) => tx.run('UPDATE sessions SET legal_hold = 1 WHERE session_id = ?', [id]))
        expect((await refusalOf(api.call('sessions.erase', { params: { id } }))).code).toBe('conflict')
      })
    })

    describe('agent.sessions.join', () => {
      const mint = async (role: 'candidate' | 'companion' = 'candidate') => {
        const session = await scheduleSession(api, { candidateLabel: 'Ada' })
        const { data } = await api.call('sessions.joinLinks.create', { params: { id: session.id }, body: { role } })
        return { session, ...data }
      }
      const join = (joinCode: string) => server.client().call('agent.sessions.join', { body: { joinCode } })

      it('redeems a code for a token of the session', async () => {
        const { session, joinCode, expiresAt, url } = await mint()
        expect(joinCode).toMatch(/^[0-9A-HJKMNP-TV-Z]{4}-[0-9A-HJKMNP-TV-Z]{4}$/)
        expect(Date.parse(expiresAt) - server.clock.now()).toBe(24 * hour)
        expect(url).toContain(`integrity-agent://join?code=${joinCode}&server=`)
        const { data } = await join(joinCode)
        expect(data.session).toEqual({ id: session.id, state: 'scheduled', candidateLabel: 'Ada', schedule: null })
        await register(server, { id: session.id, agent: data.sessionToken })
        expect((await get(session.id)).state).toBe('live')
      })

      it('forgives case, blanks, dashes and look-alikes', async () => {
        let spelled: string | undefined
        let code = ''
        // Codes are random: take one that holds a 0 or a 1.
        while (spelled === undefined) {
          code = (await mint()).joinCode
          if (/[01]/.test(code))
            spelled = code.replaceAll('0', 'o').replaceAll('1', 'l').replace('-', ' – ').toLowerCase()
        }
        expect((await join(` ${spelled} `)).status).toBe(200)
      })

      it('takes a code once, also when two come at the same time', async () => {
        const { joinCode } = await mint()
        const outcomes = await Promise.allSettled([join(joinCode), join(joinCode), join(joinCode)])
        expect(outcomes.filter((outcome) => outcome.status === 'fulfilled').length).toBe(1)
        expect((await refusalOf(join(joinCode))).code).toBe('not_found')
      })

      it('refuses an expired, a foreign and a mistyped code in the same words', async () => {
        const { joinCode } = await mint()
        server.clock.advance(24 * hour)
        const companion = await mint('companion')
        expect(Date.parse(companion.expiresAt) - server.clock.now()).toBe(15 * 60_000)
        expect(companion.url).toMatch(/\/companion\/#[0-9A-Z]{4}-[0-9A-Z]{4}$/)
        const words = new Set<string>()
        for (const code of [joinCode, companion.joinCode, '0000-0000', 'nonsense', 'ÄÖÜ', '!'])
          words.add((await refusalOf(join(code))).message)
        expect(words.size).toBe(1)
        const fresh = await mint()
        server.clock.advance(24 * hour - 1)
        expect((await join(fresh.joinCode)).status).toBe(200)
      })

      it('is a conflict when the session has ended, and no code is minted any more', async () => {
        const { session, joinCode } = await mint()
        await api.call('sessions.end', { params: { id: session.id } })
        expect((await refusalOf(join(joinCode))).code).toBe('conflict')
        const again = api.call('sessions.joinLinks.create', { params: { id: session.id }, body: { role: 'candidate' } })
        expect((await refusalOf(again)).code).toBe('conflict')
        const room = api.call('sessions.roomDevices.create', { params: { id: session.id } })
        expect((await refusalOf(room)).code).toBe('conflict')
      })

      it('stores no code and no token in the clear', async () => {
        const { session, joinCode } = await mint()
        const { data } = await join(joinCode)
        const { data: room } = await api.call('sessions.roomDevices.create', { params: { id: session.id } })
        expect(room.url.endsWith(`#${session.id}.${room.roomToken}`)).toBe(true)
        for (const table of ['join_tickets', 'session_credentials', 'audit_log', 'audit_payloads', 'events']) {
          const rows = JSON.stringify(await server.app.db.reader.all(`SELECT * FROM ${table}`))
          for (const secret of [joinCode, joinCode.replace('-', ''), data.sessionToken, session.agent, room.roomToken])
            expect(rows.includes(secret), table).toBe(false)
        }
      })
    })
  })
