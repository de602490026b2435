import type { Client } from '@integrity/client/every-endpoint'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { credentialLifetimeMs } from '../../../src/domains/interviews/sessions/joining/credentials.store.ts'
import { deviceAnswer } from '../../test-support/devices.ts'
import { enginesInTurn } from '../../test-support/engines.ts'
import { refusalOf } from '../../test-support/refusal.ts'
import { startServer, type TestServer } from '../../test-support/server.ts'
import { newPicture, register, scheduleSession, stillFor } from '../../test-support/world.ts'

for (const engine of enginesInTurn(import.meta.filename))
  describe(`the browser in the room (${engine})`, () => {
    let server: TestServer
    let api: Client

    beforeAll(async () => {
      server = await startServer({ engine })
      api = server.client(server.orgs[0].sandboxKey)
    })
    afterAll(() => server.stop())

    const room = async () => {
      const session = await scheduleSession(api)
      await register(server, session)
      const { data } = await api.call('sessions.roomDevices.create', {
        params: { id: session.id },
        body: { label: 'Room 4' },
      })
      return {
        id: session.id,
        params: { sessionId: session.id },
        browser: server.client(data.roomToken),
        device: data.id,
      }
    }
    const answer = async (r: Awaited<ReturnType<typeof room>>, accepted = true) => {
      const { data } = await r.browser.call('rooms.get', { params: r.params })
      const body = deviceAnswer(server, data.consentDocument.hash, accepted)
      return (await r.browser.call('rooms.consent', { params: r.params, body })).data
    }
    const still = async (r: Awaited<ReturnType<typeof room>>) => {
      const picture = await newPicture()
      const body = { ...stillFor(server, picture), data: picture.toString('base64') }
      return r.browser.call('agent.cameraFrames.upload', { params: { id: r.id }, body })
    }

    it('rooms.get says who asks, what for, and that nothing was answered yet', async () => {
      const r = await room()
      const { data } = await r.browser.call('rooms.get', { params: r.params })
      expect(data).toMatchObject({ session: { id: r.id, state: 'live' }, consent: null })
      expect(data.device).toEqual({ id: r.device, label: 'Room 4' })
      expect(data.consentDocument.lanes.map(({ lane }) => lane)).toEqual(['room_camera'])
    })

    it('rooms.consent comes before any picture, and declining is an answer', async () => {
      const r = await room()
      expect((await refusalOf(still(r))).code).toBe('forbidden')
      expect((await answer(r)).consent).toMatchObject({ granted: true })
      expect((await still(r)).status).toBe(201)
      expect((await answer(r, false)).consent).toMatchObject({ granted: false })
      expect((await refusalOf(still(r))).code).toBe('forbidden')
    })

    it('rooms.consent of the room opens nothing for anybody else', async () => {
      const session = await scheduleSession(api)
      const { data } = await api.call('sessions.roomDevices.create', { params: { id: session.id } })
      const browser = server.client(data.roomToken)
      const shown = await browser.call('rooms.get', { params: { sessionId: session.id } })
      const body = deviceAnswer(server, shown.data.consentDocument.hash)
      await browser.call('rooms.consent', { params: { sessionId: session.id }, body })
      const picture = await newPicture()
      const upload = server.client(session.agent).call('agent.screenshots.upload', {
        params: { id: session.id },
        body: { ...stillFor(server, picture), data: picture.toString('base64') },
      })
      expect((await refusalOf(upload)).code).toBe('forbidden')
    })

    it('rooms.consent is a conflict with the current document when another was shown', async () => {
      const r = await room()
      const body = deviceAnswer(server, 'b'.repeat(64))
      const refusal = await refusalOf(r.browser.call('rooms.consent', { params: r.params, body }))
      expect(refusal.code).toBe('conflict')
      const shown = (await r.browser.call('rooms.get', { params: r.params })).data
      expect(JSON.stringify(refusal.extra)).toContain(shown.consentDocument.hash)
      expect(shown.consent).toBeNull()
    })

    it('rooms.release ends the token and answers the same again', async () => {
      const r = await room()
      await answer(r)
      const first = (await r.browser.call('rooms.release', { params: r.params })).data
      expect(first.id).toBe(r.device)
      server.clock.advance(1000)
      expect((await r.browser.call('rooms.release', { params: r.params })).data).toEqual(first)
      expect((await refusalOf(r.browser.call('rooms.get', { params: r.params }))).code).toBe('unauthorized')
      expect((await refusalOf(still(r))).code).toBe('unauthorized')
    })

    it('a token that opens nothing any more says why, to nobody but who holds it', async () => {
      const reasonOf = async (token: string, sessionId: string): Promise<unknown> => {
        const refusal = await refusalOf(server.client(token).call('rooms.get', { params: { sessionId } }))
        expect(refusal).toMatchObject({ status: 401, code: 'unauthorized' })
        return refusal.extra['reason']
      }
      const make = async () => {
        const session = await scheduleSession(api)
        const device = await api.call('sessions.roomDevices.create', { params: { id: session.id } })
        return [device.data.roomToken, session.id] as const
      }
      const [released, ended, old] = [await make(), await make(), await make()]
      await server.client(released[0]).call('rooms.release', { params: { sessionId: released[1] } })
      await api.call('sessions.end', { params: { id: ended[1] } })
      expect(await reasonOf(...released)).toBe('released')
      expect(await reasonOf(...ended)).toBe('session_ended')
      expect(await reasonOf(`${old[0].slice(0, -4)}0000`, old[1])).toBeUndefined()
      server.clock.advance(credentialLifetimeMs)
      expect(await reasonOf(...old)).toBe('expired')
    })

    it('a token of the room ends with its session', async () => {
      const r = await room()
      await api.call('sessions.end', { params: { id: r.id } })
      expect((await refusalOf(r.browser.call('rooms.get', { params: r.params }))).code).toBe('unauthorized')
    })
  })
