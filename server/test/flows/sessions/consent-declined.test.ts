import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { agreeOnDevice, claimPhone, deviceAnswer, mintToken } from '../../test-support/devices.ts'
import { enginesInTurn } from '../../test-support/engines.ts'
import { refusalOf } from '../../test-support/refusal.ts'
import { startServer, type TestServer } from '../../test-support/server.ts'
import {
  fullConfig,
  nowIso,
  register,
  registration,
  scheduleSession,
  type WorldSession,
} from '../../test-support/world.ts'

for (const engine of enginesInTurn(import.meta.filename))
  describe(`a refusal of consent (${engine})`, () => {
    let server: TestServer

    beforeAll(async () => {
      server = await startServer({ engine })
    })
    afterAll(() => server.stop())

    const api = () => server.client(server.orgs[0].sandboxKey)
    const get = async (id: string) => (await api().call('sessions.get', { params: { id } })).data
    const told = async (sessionId: string) => {
      const { data } = await api().call('events.list', { query: { types: 'consent.declined', limit: 100 } })
      return data.items.filter((item) => item.sessionId === sessionId).map((item) => item.data)
    }
    const decline = async (session: WorldSession) => {
      const { version, locale, documentHash } = (await registration(server, session)).consent
      const body = { version, locale, documentHash, declinedAt: nowIso(server) }
      return server.client(session.agent).call('agent.sessions.decline', { params: { id: session.id }, body })
    }

    it('is recorded and told once; the session is not live and takes nothing', async () => {
      const session = await scheduleSession(api(), { externalId: 'REQ-1', config: fullConfig })
      await decline(session)
      await decline(session)
      const { state, consent } = await get(session.id)
      expect({ state, status: consent.status }).toEqual({ state: 'scheduled', status: 'declined' })
      expect(Object.values(consent.lanes).map(({ granted }) => granted)).not.toContain(true)
      expect(await told(session.id)).toEqual([
        {
          session: { id: session.id, externalId: 'REQ-1', state: 'scheduled' },
          device: 'agent',
          lanes: Object.keys(consent.lanes),
          at: nowIso(server),
        },
      ])
    })

    it('can be followed by a yes, and not by a no to what is live', async () => {
      const session = await scheduleSession(api())
      await decline(session)
      await register(server, session)
      expect((await get(session.id)).state).toBe('live')
      expect(await refusalOf(decline(session))).toMatchObject({ code: 'conflict' })
      expect((await told(session.id)).length).toBe(1)
    })

    it('of an ended session, or to another document, is a conflict', async () => {
      const session = await scheduleSession(api())
      const body = { version: '1', locale: 'en', documentHash: 'a'.repeat(64), declinedAt: nowIso(server) }
      const other = server.client(session.agent).call('agent.sessions.decline', { params: { id: session.id }, body })
      expect(await refusalOf(other)).toMatchObject({ code: 'conflict' })
      await api().call('sessions.end', { params: { id: session.id } })
      expect(await refusalOf(decline(session))).toMatchObject({ code: 'conflict' })
      expect(await told(session.id)).toEqual([])
    })

    it('on the phone and in the room is told, too, and a yes is not', async () => {
      const { id } = await scheduleSession(api(), { config: fullConfig })
      const phone = await claimPhone(server, api(), id)
      await agreeOnDevice(server, api(), id, phone.token, 'companion')
      expect(await told(id)).toEqual([])
      const params = { sessionId: id }
      const no = deviceAnswer(server, phone.documentHash, false)
      await server.client(phone.token).call('pairings.consent', { params, body: no })
      await server.client(phone.token).call('pairings.consent', { params, body: no })
      const scope = { orgId: server.orgs[0].orgId, environment: 'sandbox' } as const
      const room = await mintToken(server, scope, id, 'room')
      const { data } = await server.client(room).call('rooms.get', { params })
      const body = deviceAnswer(server, data.consentDocument.hash, false)
      await server.client(room).call('rooms.consent', { params, body })
      const devices = (await told(id)).map((said) => ({ device: said['device'], lanes: said['lanes'] }))
      expect(devices).toEqual(
        expect.arrayContaining([
          { device: 'companion', lanes: ['side_view'] },
          { device: 'room', lanes: ['room_camera'] },
        ]),
      )
      expect(devices.length).toBe(2)
    })
  })
