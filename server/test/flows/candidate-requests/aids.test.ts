import type { Client } from '@integrity/client/every-endpoint'
import { aidText, type SessionConfigPatch, type WantedAid } from '@integrity/protocol'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { requestLink } from '../../test-support/candidate-requests.ts'
import { enginesInTurn } from '../../test-support/engines.ts'
import { portalCookie } from '../../test-support/portal.ts'
import { refusalOf } from '../../test-support/refusal.ts'
import { startServer, type TestServer } from '../../test-support/server.ts'
import { allLanes, anEvent, register, scheduleSession, type WorldSession } from '../../test-support/world.ts'
import { day, verb } from './candidate-requests.test-support.ts'

for (const engine of enginesInTurn(import.meta.filename))
  describe(`aids that a candidate declares (${engine})`, () => {
    let server: TestServer
    let api: Client
    beforeAll(async () => {
      server = await startServer({ engine })
      api = server.client(server.orgs[0].sandboxKey)
    })
    afterAll(() => server.stop())

    const scope = () => ({ orgId: server.orgs[0].orgId, environment: 'sandbox' as const })
    const schedule = (config: SessionConfigPatch = {}) => scheduleSession(api, { config })
    const declare = async ({ id }: WorldSession, ...aids: WantedAid[]) => {
      const candidate = server.client(await requestLink(server, scope(), id))
      const { data, status } = await candidate.call('candidateRequests.aids', { body: { aids } })
      return { ...data, httpStatus: status }
    }
    const sessionOf = async ({ id }: WorldSession) => (await api.call('sessions.get', { params: { id } })).data
    const told = async ({ id, agent }: WorldSession) =>
      (await server.client(agent).call('agent.sessions.config', { params: { id } })).data
    const send = ({ id, agent }: WorldSession, ...events: ReturnType<typeof anEvent>[]) =>
      server.client(agent).call('agent.events.ingest', { params: { id }, body: { events } })
    const momentsOf = async ({ id }: WorldSession) => {
      const headers = await portalCookie(server, 'reviewer')
      return (await server.client().call('portal.coverage', { params: { id }, query: {}, headers })).data.items
    }
    const rowsOf = async ({ id }: WorldSession, kind: string) =>
      Number(
        (
          await server.app.db.reader.get<{ n: number }>(
            'SELECT count(*) AS n FROM integrity_events WHERE session_id = ? AND kind = ?',
            [id, kind],
          )
        )?.n,
      )

    it('are agreed at once where the policy offers them, and both sides read the same sentences', async () => {
      const session = await schedule({ aids: { offered: ['second_display', 'notes'] } })
      const page = server.client(await requestLink(server, scope(), session.id))
      const offer = (await page.call('candidateRequests.view', { body: {} })).data.aids
      expect(offer).toEqual({
        offered: [
          { aid: 'second_display', text: aidText('second_display') },
          { aid: 'notes', text: aidText('notes') },
        ],
        breaks: null,
        declared: [],
      })
      const sent = await declare(session, { aid: 'second_display' }, { aid: 'notes', detail: 'one sheet' })
      expect(sent).toMatchObject({ httpStatus: 201, kind: 'aids', status: 'approved' })
      expect(sent.messages[0]?.text).toContain(`${aidText('notes')} (one sheet)`)
      const aids = [
        { aid: 'second_display', state: 'agreed', detail: null, breaks: null, text: offer.offered[0]?.text },
        { aid: 'notes', state: 'agreed', detail: 'one sheet', breaks: null, text: offer.offered[1]?.text },
      ]
      expect((await sessionOf(session)).aids).toEqual(aids)
      expect((await told(session)).consentDocument.aids).toEqual(aids)
      await register(server, session, allLanes)
      server.clock.advance(60_000)
      await api.call('sessions.end', { params: { id: session.id } })
      const params = { id: session.id }
      expect((await api.call('sessions.report', { params })).data.aids).toEqual(aids)
      expect((await api.call('sessions.reelIndex.get', { params })).data?.aids).toEqual(aids)
    })

    it('has nothing collected that an agreed aid makes meaningless, not even of an agent that sends it', async () => {
      const session = await schedule({ aids: { offered: ['second_display'] } })
      await declare(session, { aid: 'second_display' })
      expect((await told(session)).config.observersOff).toEqual(['displays'])
      await register(server, session, allLanes)
      server.clock.advance(60_000)
      await send(session, anEvent(server, 'display.added'), anEvent(server, 'vm.hint'))
      expect(await rowsOf(session, 'display.added')).toBe(0)
      expect(await rowsOf(session, 'vm.hint')).toBe(1)
      expect((await momentsOf(session)).map(({ rule }) => rule)).not.toContain('display_connected')
      const other = await schedule()
      await register(server, other, allLanes)
      await send(other, anEvent(server, 'display.added'))
      expect(await rowsOf(other, 'display.added')).toBe(1)
    })

    it('wait for an answer where the policy does not offer them', async () => {
      const session = await schedule({ aids: { offered: ['notes'] } })
      const sent = await declare(session, { aid: 'no_camera' }, { aid: 'notes' })
      expect(sent).toMatchObject({ httpStatus: 201, status: 'received' })
      expect(Date.parse(sent.answerDueAt ?? '') - Date.parse(sent.createdAt)).toBe(5 * day)
      expect((await told(session)).config.camera.enabled).toBe(true)
      // A further one is added to the request that is open.
      const more = await declare(session, { aid: 'helper' })
      expect(more).toMatchObject({ httpStatus: 200, id: sent.id, status: 'received' })
      expect(more.messages).toHaveLength(2)
      const refusal = await refusalOf(verb(server, 'complete', sent.id))
      expect(refusal).toMatchObject({ status: 409, code: 'conflict' })
      await verb(server, 'approve', sent.id)
      const { config, aids } = await sessionOf(session)
      expect(aids.map(({ aid, state }) => [aid, state])).toEqual([
        ['no_camera', 'agreed'],
        ['notes', 'agreed'],
        ['helper', 'agreed'],
      ])
      expect(config.camera.enabled).toBe(false)
      expect(config.observersOff).toContain('picture_unchanged')
      expect((await told(session)).consentDocument.lanes.map(({ lane }) => lane)).not.toContain('camera')
    })

    it('change nothing once they are declined, and say so', async () => {
      const session = await schedule()
      const { config: before } = await sessionOf(session)
      const { id } = await declare(session, { aid: 'ai_tool', detail: 'Helper 2' })
      await verb(server, 'decline', id, { text: 'Not in this interview.' })
      const { config, aids } = await sessionOf(session)
      expect(aids).toMatchObject([{ aid: 'ai_tool', state: 'refused', detail: 'Helper 2' }])
      const { aids: _, ...rest } = config
      const { aids: __, ...restBefore } = before
      expect(rest).toEqual(restBefore)
    })

    it('of reduced data or sound alone change what the agent sends, and no observer', async () => {
      const offered = ['reduced_data', 'sound_only'] as const
      const session = await schedule({ aids: { offered: [...offered] }, capture: { recording: true, quality: 90 } })
      await declare(session, { aid: 'reduced_data' })
      const { config } = await told(session)
      expect(config).toMatchObject({ observersOff: [], audio: { microphone: true } })
      expect(config.capture).toMatchObject({ enabled: true, recording: false, quality: 50 })
      await declare(session, { aid: 'sound_only' })
      const { consentDocument, config: sound } = await told(session)
      expect(sound).toMatchObject({ observersOff: [], capture: { enabled: false }, camera: { enabled: false } })
      const lanes = consentDocument.lanes.map(({ lane }) => lane)
      expect(lanes).toContain('microphone')
      expect(lanes).not.toContain('screen')
    })

    it('are refused once the interview has begun, and are known without words once it is erased', async () => {
      const session = await schedule({ aids: { offered: ['notes'] } })
      await declare(session, { aid: 'notes', detail: 'a yellow quokka' })
      await register(server, session, allLanes)
      expect(await refusalOf(declare(session, { aid: 'helper' }))).toMatchObject({ status: 409, code: 'conflict' })
      await api.call('sessions.end', { params: { id: session.id } })
      await api.call('sessions.erase', { params: { id: session.id } })
      expect((await sessionOf(session)).aids).toMatchObject([{ aid: 'notes', state: 'agreed', detail: null }])
      const [row] = await server.app.db.reader.all('SELECT * FROM sessions WHERE session_id = ?', [session.id])
      expect(JSON.stringify(row)).not.toContain('quokka')
    })

    it('names what is wrong: breaks without their length, an AI tool without its name, an aid twice', async () => {
      const session = await schedule()
      for (const aids of [
        [{ aid: 'breaks' }],
        [{ aid: 'notes', breaks: { count: 1, minutes: 5 } }],
        [{ aid: 'ai_tool' }],
        [{ aid: 'notes' }, { aid: 'notes' }],
      ] as const)
        expect(await refusalOf(declare(session, ...(aids as readonly WantedAid[])))).toMatchObject({ status: 400 })
    })
  })
