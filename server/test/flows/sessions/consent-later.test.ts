import type { Client } from '@integrity/client/every-endpoint'
import type { LaneName } from '@integrity/protocol'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { enginesInTurn } from '../../test-support/engines.ts'
import { refusalOf } from '../../test-support/refusal.ts'
import { startServer, type TestServer } from '../../test-support/server.ts'
import {
  allLanes,
  anEvent,
  clipFor,
  newFilm,
  newSound,
  nowIso,
  register,
  registration,
  scheduleSession,
  soundFor,
  type WorldSession,
} from '../../test-support/world.ts'

for (const engine of enginesInTurn(import.meta.filename))
  describe(`an answer in a running session (${engine})`, () => {
    let server: TestServer
    let api: Client
    beforeAll(async () => {
      server = await startServer({ engine })
      api = server.client(server.orgs[0].sandboxKey)
    })
    afterAll(() => server.stop())

    const get = async (id: string) => (await api.call('sessions.get', { params: { id } })).data
    const patch = (id: string, body: object) => api.call('sessions.patch', { params: { id }, body })

    /** Answers what is asked for in a running session; everything else that was answered stands. */
    const answer = async (
      session: WorldSession,
      lanes: Partial<Record<LaneName, boolean>>,
      standing: readonly LaneName[],
    ) => {
      const body = await registration(server, session, lanes)
      const consent = { ...body.consent, standing: [...standing] }
      return server.client(session.agent).call('agent.sessions.register', { body: { ...body, consent } })
    }

    const sendSound = async ({ id, agent }: WorldSession) => {
      const sound = newSound()
      const body = { ...soundFor(server, sound), data: sound.toString('base64') }
      return server.client(agent).call('agent.audioChunks.upload', { params: { id }, body })
    }

    const sendClip = async ({ id, agent }: WorldSession) => {
      const film = newFilm()
      const body = { ...clipFor(server, film), data: film.toString('base64') }
      return server.client(agent).call('agent.cameraClips.upload', { params: { id }, body })
    }

    /** A running session without a microphone and without clips, everything else agreed. */
    const running = async (): Promise<WorldSession> => {
      const session = await scheduleSession(api, { config: { audio: { microphone: false } } })
      await register(server, session)
      return session
    }
    const earlier = ['screen', 'system_audio', 'camera', 'signals'] as const

    it('adds a lane that the policy switched on, and leaves the others with the time they were agreed at', async () => {
      const session = await running()
      const agreedAt = nowIso(server)
      server.clock.advance(60_000)
      await patch(session.id, { audio: { microphone: true } })
      expect((await refusalOf(sendSound(session))).code).toBe('forbidden')
      await answer(session, { microphone: true }, earlier)
      await sendSound(session)
      const { consent } = await get(session.id)
      expect(consent).toMatchObject({ status: 'granted', acceptedAt: nowIso(server) })
      expect(consent.lanes.microphone).toEqual({ granted: true, at: nowIso(server), withdrawnAt: null })
      expect(consent.lanes.screen?.at).toBe(agreedAt)
      expect(consent.evidenceTypes).toEqual(expect.arrayContaining(['screenshot', 'audio_chunk']))
    })

    it('may decline what the policy marks as needed, which is recorded and stops nothing', async () => {
      const session = await running()
      await patch(session.id, { audio: { microphone: true }, optionalLanes: [] })
      await answer(session, { microphone: false }, earlier)
      const { consent, state } = await get(session.id)
      expect(state).toBe('live')
      expect(consent.lanes.microphone).toMatchObject({ granted: false })
      expect(consent.lanes.screen).toMatchObject({ granted: true })
      expect((await refusalOf(sendSound(session))).message).toContain('did not consent')
    })

    it('says nothing of a lane that was not answered yet', async () => {
      const session = await running()
      await patch(session.id, { audio: { microphone: true, transcript: true } })
      await answer(session, { microphone: true }, earlier)
      const { lanes, status } = (await get(session.id)).consent
      expect(lanes.transcript).toBeUndefined()
      expect(status).toBe('granted')
      const { data } = await api.call('sessions.report', { params: { id: session.id } })
      const declined = data.coverage.filter((lane: { declined: boolean }) => lane.declined)
      expect(declined).toEqual([])
    })

    it('declines films of a lane whose stills go on, and may agree to them afterwards', async () => {
      const session = await running()
      await patch(session.id, { camera: { clips: true } })
      await answer(session, { camera: false }, earlier)
      expect((await get(session.id)).consent.lanes.camera).toMatchObject({ granted: true })
      expect((await refusalOf(sendClip(session))).message).toContain('was not asked for it')
      await answer(session, { camera: true }, ['screen', 'system_audio', 'signals'])
      await sendClip(session)
    })

    it('keeps what was agreed for lanes that are switched off by now, so that what they captured may follow', async () => {
      const session = await running()
      const before = anEvent(server)
      server.clock.advance(1000)
      await patch(session.id, { signals: false, audio: { microphone: true } })
      await answer(session, { microphone: true }, ['screen', 'system_audio', 'camera'])
      const events = { params: { id: session.id }, body: { events: [before] } }
      expect((await server.client(session.agent).call('agent.events.ingest', events)).data.accepted).toBe(1)
    })

    it('does not take back that a lane was withdrawn', async () => {
      const session = await running()
      const events = [anEvent(server, 'lane.withdrawn', { lane: 'camera' })]
      await server.client(session.agent).call('agent.events.ingest', { params: { id: session.id }, body: { events } })
      const withdrawnAt = nowIso(server)
      await patch(session.id, { audio: { microphone: true } })
      await answer(session, { microphone: true }, earlier)
      expect((await get(session.id)).consent.lanes.camera).toMatchObject({ granted: true, withdrawnAt })
    })

    it('is one effect when it is sent twice, and a record beside the first', async () => {
      const session = await running()
      await patch(session.id, { audio: { microphone: true } })
      const first = await answer(session, { microphone: true }, earlier)
      expect((await answer(session, { microphone: true }, earlier)).data).toEqual(first.data)
      const rows = await server.app.db.reader.all('SELECT consent_id FROM consents WHERE session_id = ?', [session.id])
      expect(rows.length).toBe(2)
    })

    it('lets an agent come back that declined or withdrew what the policy needs', async () => {
      const session = await running()
      const events = [anEvent(server, 'lane.withdrawn', { lane: 'screen' })]
      await server.client(session.agent).call('agent.events.ingest', { params: { id: session.id }, body: { events } })
      await answer(session, { screen: false }, earlier)
      expect((await get(session.id)).consent.lanes.screen?.withdrawnAt).not.toBeNull()
    })

    it('is refused before anything was answered, and for a document that is not in force', async () => {
      const fresh = await scheduleSession(api)
      const refusal = await refusalOf(answer(fresh, allLanes, []))
      expect(refusal).toMatchObject({ status: 400, details: [{ path: 'consent.standing' }] })
      const session = await running()
      const { consent, ...rest } = await registration(server, session, {})
      await patch(session.id, { audio: { microphone: true } })
      const body = { ...rest, consent: { ...consent, standing: [...earlier] } }
      const stale = await refusalOf(server.client(session.agent).call('agent.sessions.register', { body }))
      expect(stale).toMatchObject({ status: 409, details: [{ path: 'consent.documentHash' }] })
    })

    it('does not hide what is missing of a lane from before more of it was agreed to', async () => {
      const from = nowIso(server)
      const session = await running()
      server.clock.advance(60_000)
      await patch(session.id, { camera: { clips: true } })
      await answer(session, { camera: true }, ['screen', 'system_audio', 'signals'])
      expect((await get(session.id)).consent.lanes.camera?.at).toBe(from)
      server.clock.advance(60_000)
      await api.call('sessions.end', { params: { id: session.id }, body: {} })
      const { data } = await api.call('sessions.report', { params: { id: session.id } })
      const camera = data.coverage.find(({ lane }: { lane: string }) => lane === 'camera')
      expect(camera?.gaps).toEqual([
        { fromAt: from, toAt: nowIso(server), seconds: 120, reason: 'not_reported', displayId: null },
      ])
    })

    it('is expected to record from the answer on, not from the beginning of the session', async () => {
      const session = await running()
      server.clock.advance(600_000)
      await patch(session.id, { audio: { microphone: true } })
      await answer(session, { microphone: true }, earlier)
      const from = nowIso(server)
      server.clock.advance(60_000)
      await api.call('sessions.end', { params: { id: session.id }, body: {} })
      const { data } = await api.call('sessions.report', { params: { id: session.id } })
      const microphone = data.coverage.find(({ lane }: { lane: string }) => lane === 'microphone')
      expect(microphone?.gaps).toEqual([
        { fromAt: from, toAt: nowIso(server), seconds: 60, reason: 'not_reported', displayId: null },
      ])
    })
  })
