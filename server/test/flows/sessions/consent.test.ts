import type { Client } from '@integrity/client/every-endpoint'
import {
  integrityEventKinds,
  isAboutRecording,
  type LaneName,
  laneEnabled,
  type readKinds,
  sessionConfig,
} from '@integrity/protocol'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { mintToken } from '../../test-support/devices.ts'
import { refusalOf } from '../../test-support/refusal.ts'
import { startServer, type TestServer } from '../../test-support/server.ts'
import {
  allLanes,
  anEvent,
  aSegment,
  beginFor,
  clipFor,
  fullConfig,
  newFilm,
  newPicture,
  newSound,
  nowIso,
  register,
  registration,
  scheduleSession,
  soundFor,
  stillFor,
  type WorldSession,
} from '../../test-support/world.ts'

let server: TestServer
let api: Client
beforeAll(async () => {
  server = await startServer()
  api = server.client(server.orgs[0].sandboxKey)
})
afterAll(() => server.stop())

const get = async (id: string) => (await api.call('sessions.get', { params: { id } })).data

/** One delivery for each lane, by the credential that makes it. */
const deliveries: Record<LaneName, (session: WorldSession) => Promise<unknown>> = {
  screen: async ({ id, agent }) => {
    const picture = await newPicture()
    const body = { ...stillFor(server, picture), data: picture.toString('base64') }
    return server.client(agent).call('agent.screenshots.upload', { params: { id }, body })
  },
  microphone: ({ id, agent }) => {
    const sound = newSound()
    const body = { ...soundFor(server, sound), data: sound.toString('base64') }
    return server.client(agent).call('agent.audioChunks.upload', { params: { id }, body })
  },
  system_audio: ({ id, agent }) =>
    server.client(agent).call('agent.systemAudio.begin', { params: { id }, body: beginFor(server, newSound()) }),
  transcript: ({ id, agent }) =>
    server.client(agent).call('agent.transcript.upsert', { params: { id }, body: { segments: [aSegment(0)] } }),
  camera: ({ id, agent }) => {
    const film = newFilm()
    const body = { ...clipFor(server, film), data: film.toString('base64') }
    return server.client(agent).call('agent.cameraClips.upload', { params: { id }, body })
  },
  room_camera: async ({ id }) => {
    const token = await mintToken(server, { orgId: server.orgs[0].orgId, environment: 'sandbox' }, id, 'room')
    const picture = await newPicture()
    const body = { ...stillFor(server, picture), data: picture.toString('base64') }
    return server.client(token).call('agent.cameraFrames.upload', { params: { id }, body })
  },
  side_view: async ({ id }) => {
    const token = await mintToken(server, { orgId: server.orgs[0].orgId, environment: 'sandbox' }, id, 'companion')
    const film = newFilm()
    const body = { ...beginFor(server, film), evidenceType: 'side_view_clip', contentType: 'video/mp4' } as const
    return server.client(token).call('agent.uploads.begin', { params: { id }, body })
  },
  signals: ({ id, agent }) =>
    server.client(agent).call('agent.events.ingest', { params: { id }, body: { events: [anEvent(server)] } }),
}
const lanesOfAgent = Object.keys(allLanes) as LaneName[]

/** The policy that switches one lane off. */
const off: Partial<Record<LaneName, object>> = {
  screen: { capture: { enabled: false } },
  microphone: { audio: { microphone: false } },
  system_audio: { audio: { systemAudio: false } },
  transcript: { audio: { transcript: false } },
  camera: { camera: { enabled: false } },
  signals: { signals: false },
}

describe('the consent gate', () => {
  for (const lane of Object.keys(deliveries) as LaneName[])
    it(`refuses ${lane} before consent is recorded`, async () => {
      const session = await scheduleSession(api)
      expect(await refusalOf(deliveries[lane](session))).toMatchObject({ code: 'forbidden', status: 403 })
    })

  for (const lane of lanesOfAgent) {
    it(`admits ${lane} with consent`, async () => {
      const session = await scheduleSession(api)
      await register(server, session)
      await deliveries[lane](session)
    })

    it(`refuses ${lane} when the candidate declined it, and nothing else`, async () => {
      const optional = { ...fullConfig, optionalLanes: [lane] }
      const session = await scheduleSession(api, { config: optional })
      await register(server, session, { ...allLanes, [lane]: false })
      expect((await get(session.id)).consent.status).toBe('partial')
      const refusal = await refusalOf(deliveries[lane](session))
      expect(refusal.code).toBe('forbidden')
      expect(refusal.message).toContain('did not consent')
      for (const other of lanesOfAgent.filter((candidate) => candidate !== lane)) await deliveries[other](session)
    })

    it(`refuses a registration that declines ${lane} where the policy requires it, and names it`, async () => {
      const session = await scheduleSession(api, { config: { ...fullConfig, optionalLanes: [] } })
      const body = await registration(server, session, { ...allLanes, [lane]: false })
      const refusal = await refusalOf(server.client(session.agent).call('agent.sessions.register', { body }))
      expect(refusal).toMatchObject({ status: 403, code: 'forbidden', details: [{ path: `consent.lanes.${lane}` }] })
      expect((await get(session.id)).state).toBe('scheduled')
    })

    it(`does not ask for ${lane} where the policy switches it off, and refuses it`, async () => {
      const config = { ...fullConfig, ...off[lane] }
      const session = await scheduleSession(api, { config })
      const { data } = await server.client(session.agent).call('agent.sessions.config', { params: { id: session.id } })
      expect(data.consentDocument.lanes.map((entry) => entry.lane)).not.toContain(lane)
      await register(server, session)
      expect((await get(session.id)).consent.lanes[lane]).toBeUndefined()
      expect((await refusalOf(deliveries[lane](session))).code).toBe('forbidden')
    })

    it(`stops ${lane} at once when it is withdrawn`, async () => {
      const session = await scheduleSession(api)
      await register(server, session)
      await deliveries[lane](session)
      const events = [anEvent(server, 'lane.withdrawn', { lane })]
      await server.client(session.agent).call('agent.events.ingest', { params: { id: session.id }, body: { events } })
      const { consent } = await get(session.id)
      expect(consent.status).toBe('partial')
      expect(consent.lanes[lane]).toMatchObject({ granted: true, withdrawnAt: nowIso(server) })
      const refusal = await refusalOf(deliveries[lane](session))
      expect(refusal.code).toBe('forbidden')
      expect(refusal.message).toContain('withdrew')
    })
  }

  it('refuses the phone and the room as long as they have no consent of their own', async () => {
    const session = await scheduleSession(api)
    await register(server, session)
    for (const lane of ['side_view', 'room_camera'] as const)
      expect((await refusalOf(deliveries[lane](session))).code).toBe('forbidden')
  })

  it('stops every lane that one batch withdraws, and says so in the audit chain', async () => {
    const session = await scheduleSession(api)
    await register(server, session)
    const events = (['microphone', 'camera', 'microphone'] as const).map((lane) =>
      anEvent(server, 'lane.withdrawn', { lane }),
    )
    await server.client(session.agent).call('agent.events.ingest', { params: { id: session.id }, body: { events } })
    const { consent } = await get(session.id)
    expect(consent.lanes.microphone?.withdrawnAt).toBe(nowIso(server))
    expect(consent.lanes.camera?.withdrawnAt).toBe(nowIso(server))
    expect(consent.lanes.screen?.withdrawnAt).toBeNull()
    const rows = await server.app.db.reader.all<{ action: string }>(
      "SELECT action FROM audit_log WHERE session_id = ? AND action = 'session.consent_changed'",
      [session.id],
    )
    expect(rows.length).toBe(2)
  })

  it('takes events about the recording itself without the signals lane', async () => {
    const session = await scheduleSession(api, { config: { optionalLanes: ['signals'] } })
    await register(server, session, { ...allLanes, signals: false })
    const [fromAt, toAt] = [nowIso(server), nowIso(server)]
    const read: Record<keyof typeof readKinds, Record<string, string | number>> = {
      'lane.health': { lane: 'screen', health: 'up' },
      'lane.gap': { lane: 'screen', fromAt, toAt, reason: 'paused' },
      'lane.coverage': { lane: 'screen', fromAt, toAt, expectedSeconds: 0, observedSeconds: 0 },
      'lane.clock': { lane: 'screen', offsetMs: 5 },
      'lane.withdrawn': { lane: 'microphone' },
      'permission.changed': { permission: 'camera', state: 'denied' },
    }
    const dataOf: Partial<Record<string, Record<string, string | number>>> = read
    const ingest = (batch: ReturnType<typeof anEvent>[]) =>
      server.client(session.agent).call('agent.events.ingest', { params: { id: session.id }, body: { events: batch } })
    const taken: string[] = []
    for (const kind of Object.keys(integrityEventKinds)) {
      const event = anEvent(server, kind, dataOf[kind])
      const refusal = await ingest([event]).then(
        () => undefined,
        (error: { code: string }) => error.code,
      )
      if (refusal === undefined) taken.push(kind)
      else expect(refusal, kind).toBe('forbidden')
    }
    expect(taken).toEqual(Object.keys(integrityEventKinds).filter(isAboutRecording))
    const together = taken.map((kind) => anEvent(server, kind, dataOf[kind]))
    expect((await refusalOf(ingest([...together, anEvent(server)]))).code).toBe('forbidden')
    const listed = { params: { id: session.id }, query: { category: 'bookkeeping' } } as const
    expect((await api.call('sessions.events.list', listed)).data.total).toBe(taken.length)
    expect((await get(session.id)).eventCount).toBe(0)
  })
})

describe('agent.sessions.register', () => {
  it('makes the session live, once, and answers the same again', async () => {
    const session = await scheduleSession(api)
    const body = await registration(server, session)
    const agent = server.client(session.agent)
    const first = await agent.call('agent.sessions.register', { body })
    expect(first.data).toMatchObject({ state: 'live', startedAt: nowIso(server), consent: { status: 'granted' } })
    expect(first.data.live).toMatchObject({ device: { name: 'Laptop' }, registeredAt: nowIso(server) })
    expect((await agent.call('agent.sessions.register', { body })).data).toEqual(first.data)
    const { device: _, ...bare } = body
    expect((await agent.call('agent.sessions.register', { body: bare })).data).toEqual(first.data)
    const { data } = await api.call('events.list', { query: { sessionId: session.id, types: 'session.started' } })
    expect(data.total).toBe(1)
    const consents = await server.app.db.reader.all('SELECT consent_id FROM consents WHERE session_id = ?', [
      session.id,
    ])
    expect(consents.length).toBe(1)
  })

  it('keeps a change of mind beside the first consent', async () => {
    const session = await scheduleSession(api)
    await register(server, session)
    await register(server, session, { ...allLanes, microphone: false })
    expect((await get(session.id)).consent.lanes.microphone?.granted).toBe(false)
    await register(server, session)
    await deliveries.microphone(session)
    const rows = await server.app.db.reader.all<{ lanes: string; document: string }>(
      'SELECT lanes, document FROM consents WHERE session_id = ? ORDER BY consent_id',
      [session.id],
    )
    expect(
      rows.map((row) => (JSON.parse(row.lanes) as { microphone: { granted: boolean } }).microphone.granted),
    ).toEqual([true, false, true])
    for (const row of rows)
      expect(JSON.parse(row.document)).toMatchObject({ lanes: expect.any(Array), hash: expect.any(String) })
  })

  it('is a conflict with the current document when the policy changed under the candidate', async () => {
    const session = await scheduleSession(api)
    const body = await registration(server, session)
    await api.call('sessions.patch', { params: { id: session.id }, body: { retentionDays: 7 } })
    const refusal = await refusalOf(server.client(session.agent).call('agent.sessions.register', { body }))
    expect(refusal).toMatchObject({ status: 409, code: 'conflict', details: [{ path: 'consent.documentHash' }] })
    const { data } = await server.client(session.agent).call('agent.sessions.config', { params: { id: session.id } })
    expect(refusal.extra['consentDocument']).toEqual(data.consentDocument)
    await register(server, session)
  })

  it('counts a lane that is not named as declined, and one that was not asked for as nothing', async () => {
    const session = await scheduleSession(api)
    await register(server, session, { screen: true, signals: true, side_view: true })
    const { consent } = await get(session.id)
    expect(consent.lanes).toMatchObject({
      screen: { granted: true },
      microphone: { granted: false },
      camera: { granted: false },
    })
    expect(consent.lanes.side_view).toBeUndefined()
  })

  it('does not cover a film that the policy asks for only afterwards, until the candidate has agreed again', async () => {
    const session = await scheduleSession(api, {})
    await register(server, session)
    await api.call('sessions.patch', { params: { id: session.id }, body: { camera: { clips: true } } })
    const upload = () => {
      const film = newFilm()
      const body = { ...clipFor(server, film), data: film.toString('base64') }
      return server.client(session.agent).call('agent.cameraClips.upload', { params: { id: session.id }, body })
    }
    expect((await refusalOf(upload())).code).toBe('forbidden')
    expect((await get(session.id)).consent.evidenceTypes).not.toContain('camera_clip')
    await register(server, session)
    expect((await upload()).status).toBe(201)
    expect((await get(session.id)).consent.evidenceTypes).toContain('camera_clip')
  })

  it('what was captured while a lane was on may follow after the policy switched it off', async () => {
    const session = await scheduleSession(api)
    await register(server, session)
    const before = anEvent(server)
    server.clock.advance(1000)
    await api.call('sessions.patch', { params: { id: session.id }, body: { signals: false } })
    const ingest = (event: typeof before) =>
      server
        .client(session.agent)
        .call('agent.events.ingest', { params: { id: session.id }, body: { events: [event] } })
    expect((await ingest(before)).data.accepted).toBe(1)
    expect((await refusalOf(ingest(anEvent(server)))).code).toBe('forbidden')
  })
})

it('every lane of the default policy that a delivery is for can be switched off', () => {
  for (const [lane, patch] of Object.entries(off))
    expect(laneEnabled(sessionConfig.parse({ ...fullConfig, ...patch }), lane as LaneName)).toBe(false)
})
