import { builtInRoles } from '@integrity/protocol'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readLive } from '../../../src/domains/recording/live/live.service.ts'
import { claimPhone } from '../../test-support/devices.ts'
import { enginesInTurn } from '../../test-support/engines.ts'
import { portalCookie } from '../../test-support/portal.ts'
import { refusalOf } from '../../test-support/refusal.ts'
import { startServer, type TestServer } from '../../test-support/server.ts'
import {
  anEvent,
  type LiveSession,
  liveSession,
  newPicture,
  nowIso,
  registration,
  scheduleSession,
  stillFor,
} from '../../test-support/world.ts'

for (const engine of enginesInTurn(import.meta.filename))
  describe(`a session as it goes on (${engine})`, () => {
    let server: TestServer

    beforeAll(async () => {
      server = await startServer({ engine })
    })
    afterAll(() => server.stop())

    const key = () => server.orgs[0].sandboxKey
    const scope = () => ({ orgId: server.orgs[0].orgId, environment: 'sandbox' }) as const
    const goLive = (): Promise<LiveSession> => liveSession(server, scope(), key())
    type Role = Parameters<typeof portalCookie>[1]
    const look = async (id: string, query: { since?: string; limit?: number } = {}, role: Role = 'owner') => {
      const headers = await portalCookie(server, role)
      return (await server.client().call('sessions.live', { params: { id }, query, headers })).data
    }
    const report = (session: LiveSession, ...events: ReturnType<typeof anEvent>[]) =>
      server.client(session.agent).call('agent.events.ingest', { params: { id: session.id }, body: { events } })
    const still = async (session: LiveSession, lane: 'screenshots' | 'cameraFrames', capturedAt = nowIso(server)) => {
      const bytes = await newPicture()
      const body = { ...stillFor(server, bytes), capturedAt, data: bytes.toString('base64') }
      const params = { id: session.id }
      return (await server.client(session.agent).call(`agent.${lane}.upload`, { params, body })).data.id
    }

    describe('sessions.live', () => {
      it('shows a session before anything happened', async () => {
        const { id } = await scheduleSession(server.client(key()), {})
        expect(await look(id)).toMatchObject({
          sessionId: id,
          state: 'scheduled',
          startedAt: null,
          endedAt: null,
          serverTime: nowIso(server),
          signals: { items: [], more: false, total: 0 },
          permissions: {},
          lanes: [],
          latestFrame: null,
          phone: null,
          agent: { connected: false, lastSeenAt: null },
        })
      })

      it('shows the newest events, then only what came after the cursor, in the order of receipt, until all was seen', async () => {
        const session = await goLive()
        const kinds = ['display.added', 'idle.started', 'idle.ended', 'display.removed', 'screen.locked']
        await report(session, ...kinds.map((kind) => anEvent(server, kind)))
        const first = await look(session.id, { limit: 2 })
        expect(first.signals.items.map(({ kind }) => kind)).toEqual(['display.removed', 'screen.locked'])
        expect(first.signals).toMatchObject({ more: false, total: 5 })
        const same = await look(session.id, { since: first.cursor })
        expect(same).toMatchObject({ cursor: first.cursor, signals: { items: [], more: false, total: 5 } })
        await report(session, ...kinds.slice(0, 3).map((kind) => anEvent(server, kind)))
        const second = await look(session.id, { since: first.cursor, limit: 2 })
        expect(second.signals.items.map(({ position }) => position)).toEqual([6, 7])
        expect(second.signals.more).toBe(true)
        const third = await look(session.id, { since: second.cursor, limit: 2 })
        expect(third.signals.items.map(({ kind }) => kind)).toEqual(['idle.ended'])
        expect(third.signals).toMatchObject({ more: false, total: 8 })
        const page = await server.client(key()).call('sessions.events.list', { params: { id: session.id } })
        expect(third.signals.items[0]).toEqual(page.data.items.at(-1))
      })

      it('refuses a cursor of another session, and what is none', async () => {
        const [ours, other] = [await goLive(), await goLive()]
        const { cursor } = await look(other.id)
        for (const since of [cursor, '', 'AAAA', `${(await look(ours.id)).cursor}=`]) {
          const refusal = await refusalOf(look(ours.id, { since }))
          expect(refusal).toMatchObject({ status: 400, details: [{ path: 'since' }] })
        }
      })

      it('shows what each lane last said of itself, each display for itself', async () => {
        const session = await goLive()
        const health = (lane: string, state: string, more: Record<string, string> = {}) =>
          anEvent(server, 'lane.health', { lane, health: state, ...more })
        await report(
          session,
          health('screen', 'up', { displayId: 'd1' }),
          health('screen', 'degraded', { displayId: 'd2', reason: 'slow' }),
          health('microphone', 'up'),
        )
        server.clock.advance(1000)
        await report(session, health('microphone', 'down', { reason: 'unplugged' }))
        const since = nowIso(server)
        expect((await look(session.id)).lanes).toEqual([
          { lane: 'microphone', displayId: null, state: 'down', reason: 'unplugged', since },
          { lane: 'screen', displayId: 'd1', state: 'up', reason: null, since: expect.any(String) as string },
          { lane: 'screen', displayId: 'd2', state: 'degraded', reason: 'slow', since: expect.any(String) as string },
        ])
      })

      it('shows the still that was captured last, however late another arrives, until it is erased', async () => {
        const session = await goLive()
        const earlier = nowIso(server)
        server.clock.advance(5000)
        await still(session, 'screenshots')
        server.clock.advance(1000)
        const newest = await still(session, 'cameraFrames')
        await still(session, 'screenshots', earlier)
        const { latestFrame } = await look(session.id)
        expect(latestFrame).toMatchObject({
          evidenceId: newest,
          evidenceType: 'camera_frame',
          capturedAt: nowIso(server),
          contentType: 'image/webp',
        })
        const headers = await portalCookie(server)
        const url = (latestFrame?.downloadUrl ?? '').replace(server.app.config.baseUrl, server.url)
        const bytes = await fetch(url, { headers })
        expect([bytes.status, bytes.headers.get('content-type')]).toEqual([200, 'image/webp'])
        await bytes.arrayBuffer()
        const params = { id: session.id }
        await server.client(key()).call('sessions.end', { params })
        await server.client(key()).call('sessions.erase', { params })
        expect((await look(session.id)).latestFrame).toBeNull()
      })

      it('gives every member the address of the frame, and who may not view evidence none', async () => {
        const session = await goLive()
        await still(session, 'screenshots')
        for (const role of builtInRoles)
          expect((await look(session.id, {}, role)).latestFrame?.downloadUrl, role).toMatch(/\/content$/)
        const scope = { orgId: server.orgs[0].orgId, environment: 'sandbox' } as const
        const actor = {
          ...scope,
          kind: 'user',
          id: 'usr_1',
          email: 'a@example.org',
          permissions: ['evidence.list'],
        } as const
        const { latestFrame } = await readLive(
          { ...server.app, scope, actor },
          { sessionId: session.id, query: { limit: 20 } },
        )
        expect(latestFrame).toMatchObject({ evidenceType: 'screenshot', downloadUrl: null })
      })

      it('shows the permissions as they were registered, registered again, and changed since', async () => {
        const session = await goLive()
        const register = async (permissions: Record<string, 'granted' | 'denied' | 'unknown'>) => {
          const body = { ...(await registration(server, session)), permissions }
          await server.client(session.agent).call('agent.sessions.register', { body })
        }
        const changed = (permission: string, state: string, observedAt = nowIso(server)) => ({
          ...anEvent(server, 'permission.changed', { permission, state }),
          observedAt,
        })
        await register({ screen: 'granted', camera: 'unknown' })
        expect((await look(session.id)).permissions).toEqual({ screen: 'granted', camera: 'unknown' })
        const before = new Date(server.clock.now() - 1000).toISOString()
        server.clock.advance(1000)
        await report(
          session,
          changed('screen', 'denied'),
          changed('camera', 'denied', before),
          changed('microphone', 'granted'),
        )
        expect((await look(session.id)).permissions).toEqual({
          screen: 'denied',
          camera: 'unknown',
          microphone: 'granted',
        })
        server.clock.advance(1000)
        await register({ screen: 'granted' })
        expect((await look(session.id)).permissions).toEqual({ screen: 'granted' })
        await report(session, changed('screen', 'denied', before))
        expect((await look(session.id)).permissions).toEqual({ screen: 'granted' })
      })

      it('takes a change of a permission without consent to events, and refuses one that says nothing', async () => {
        const session = await goLive()
        const wrong = anEvent(server, 'permission.changed', { permission: 'screen', state: 'maybe' })
        const refusal = await refusalOf(report(session, wrong))
        expect(refusal.details).toMatchObject([{ path: 'events.0.data.state' }])
        await report(session, anEvent(server, 'lane.withdrawn', { lane: 'signals' }))
        await report(session, anEvent(server, 'permission.changed', { permission: 'screen', state: 'denied' }))
        expect((await look(session.id)).permissions).toEqual({ screen: 'denied' })
      })

      it('shows the phone that is paired, and where one is asked for that none is', async () => {
        const { id } = await scheduleSession(server.client(key()), { config: { sideView: { enabled: true } } })
        expect((await look(id)).phone).toMatchObject({ paired: false, consent: 'pending' })
        const phone = await claimPhone(server, server.client(key()), id)
        const status = await server.client(phone.token).call('companion.get', { params: { id } })
        expect((await look(id)).phone).toEqual(status.data)
        expect(status.data).toMatchObject({ paired: true, companionId: phone.companionId })
      })

      it('says that the agent is there for 45 seconds after it was heard of, and not because the room or the phone is', async () => {
        const session = await goLive()
        const seen = nowIso(server)
        const agent = async () => (await look(session.id)).agent
        expect(await agent()).toEqual({ connected: true, lastSeenAt: seen })
        server.clock.advance(45_000)
        expect(await agent()).toEqual({ connected: true, lastSeenAt: seen })
        server.clock.advance(1)
        expect(await agent()).toEqual({ connected: false, lastSeenAt: seen })
        const bytes = await newPicture()
        const body = { ...stillFor(server, bytes), data: bytes.toString('base64') }
        await server.client(session.room).call('agent.cameraFrames.upload', { params: { id: session.id }, body })
        expect(await agent()).toEqual({ connected: false, lastSeenAt: seen })
        await still(session, 'screenshots')
        expect(await agent()).toEqual({ connected: true, lastSeenAt: nowIso(server) })
      })
    })

    describe('companion.joinLinks.create', () => {
      const link = (session: { id: string; agent: string }) =>
        server.client(session.agent).call('companion.joinLinks.create', { params: { id: session.id } })

      it('gives the agent a code with which a phone pairs once, and records that the agent asked', async () => {
        const session = await goLive()
        // A code counts for another phone only when it was asked for after this one was paired.
        server.clock.advance(1)
        const { status, data } = await link(session)
        expect(status).toBe(201)
        expect(data).toMatchObject({
          role: 'companion',
          joinCode: expect.stringMatching(/^[0-9A-Z]{4}-[0-9A-Z]{4}$/) as string,
          url: `${server.app.config.baseUrl}/companion/#${data.joinCode}`,
          expiresAt: new Date(server.clock.now() + 15 * 60_000).toISOString(),
        })
        const claim = () => server.client().call('pairings.claim', { params: { joinCode: data.joinCode } })
        expect((await claim()).data.session.id).toBe(session.id)
        expect((await refusalOf(claim())).code).toBe('not_found')
        const row = await server.app.db.reader.get<{ kind: string }>(
          `SELECT actor_kind AS kind FROM audit_log WHERE org_id = ? AND action = 'session.join_link_created'
             AND session_id = ? ORDER BY seq DESC LIMIT 1`,
          [scope().orgId, session.id],
        )
        expect(row).toEqual({ kind: 'agent' })
      })

      it('is no code that a second agent could join with, and expires after 15 minutes', async () => {
        const session = await goLive()
        const { joinCode } = (await link(session)).data
        const asAgent = server.client().call('agent.sessions.join', { body: { joinCode } })
        expect((await refusalOf(asAgent)).code).toBe('not_found')
        server.clock.advance(15 * 60_000)
        const late = server.client().call('pairings.claim', { params: { joinCode } })
        expect((await refusalOf(late)).code).toBe('not_found')
      })

      it('is a conflict where no side view is asked for, and once the session has ended or was erased', async () => {
        const plain = await scheduleSession(server.client(key()), {})
        const refusal = await refusalOf(link(plain))
        expect(refusal).toMatchObject({
          code: 'conflict',
          message: 'Your phone as a side camera: not part of this interview',
        })
        const session = await goLive()
        const params = { id: session.id }
        await server.client(key()).call('sessions.end', { params })
        expect((await refusalOf(link(session))).message).toContain('has ended')
        await server.client(key()).call('sessions.erase', { params })
        expect((await refusalOf(link(session))).code).toBe('conflict')
      })
    })
  })
