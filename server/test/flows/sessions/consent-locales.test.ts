import type { Client } from '@integrity/client/every-endpoint'
import { consentTexts } from '@integrity/protocol'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { deviceAnswer } from '../../test-support/devices.ts'
import { enginesInTurn } from '../../test-support/engines.ts'
import { refusalOf } from '../../test-support/refusal.ts'
import { startServer, type TestServer } from '../../test-support/server.ts'
import { allLanes, nowIso, scheduleSession, type WorldSession } from '../../test-support/world.ts'

interface Shown {
  readonly version: string
  readonly locale: string
  readonly hash: string
  readonly lanes: readonly { readonly lane: string; readonly title: string }[]
}

for (const engine of enginesInTurn(import.meta.filename))
  describe(`the language of the consent document (${engine})`, () => {
    let server: TestServer
    let api: Client

    beforeAll(async () => {
      server = await startServer({ engine })
      api = server.client(server.orgs[0].sandboxKey)
    })
    afterAll(() => server.stop())

    const titles = (document: Shown) => document.lanes.map(({ title }) => title)
    const configOf = async ({ id, agent }: WorldSession, locale?: string) =>
      server.client(agent).call('agent.sessions.config', { params: { id }, ...(locale ? { query: { locale } } : {}) })
    const documentOf = async (session: WorldSession, locale?: string): Promise<Shown> =>
      (await configOf(session, locale)).data.consentDocument
    const answerTo = ({ version, hash }: Shown, locale: string) => ({
      consent: { version, locale, documentHash: hash, acceptedAt: nowIso(server), lanes: allLanes },
    })
    const register = ({ agent }: WorldSession, body: ReturnType<typeof answerTo>) =>
      server.client(agent).call('agent.sessions.register', { body })
    const consentOf = async (id: string) => (await api.call('sessions.get', { params: { id } })).data.consent
    const rowsOf = (id: string) =>
      server.app.db.reader.all<{ kind: string; locale: string; document: string }>(
        'SELECT kind, locale, document FROM consents WHERE session_id = ? ORDER BY recorded_at, consent_id',
        [id],
      )
    const link = async (id: string, role: 'candidate' | 'companion') =>
      (await api.call('sessions.joinLinks.create', { params: { id }, body: { role } })).data.joinCode
    const claim = async (id: string, locale?: string) => {
      const params = { joinCode: await link(id, 'companion') }
      return (await server.client().call('pairings.claim', { params, body: { locale } })).data
    }
    const conflictOf = async (call: Promise<unknown>): Promise<Shown> => {
      const refusal = await refusalOf(call)
      expect(refusal).toMatchObject({ status: 409, code: 'conflict' })
      return refusal.extra['consentDocument'] as Shown
    }

    it('agent.sessions.join gives the document in the language that is asked for, and in English for any other', async () => {
      const join = async (locale?: string) => {
        const { id } = await scheduleSession(api, {})
        const body = { joinCode: await link(id, 'candidate'), ...(locale ? { locale } : {}) }
        return (await server.client().call('agent.sessions.join', { body })).data.consentDocument
      }
      const [hindi, british, tamil, none] = [await join('hi-IN'), await join('en-GB'), await join('ta'), await join()]
      expect(hindi).toMatchObject({ locale: 'hi' })
      expect(titles(hindi)).toContain(consentTexts.hi.lanes.screen.title)
      for (const document of [british, tamil]) expect(document).toEqual(none)
      expect(none).toMatchObject({ locale: 'en' })
      expect(titles(none)).toContain(consentTexts.en.lanes.screen.title)
    })

    it('agent.sessions.config gives it so too, and its ETag is of one language', async () => {
      const session = await scheduleSession(api, {})
      const [english, hindi] = [await configOf(session), await configOf(session, 'hi')]
      expect(hindi.data.consentDocument.locale).toBe('hi')
      expect(hindi.data.consentDocument.hash).not.toBe(english.data.consentDocument.hash)
      expect({ ...hindi.data, consentDocument: null, serverTime: '' }).toEqual({
        ...english.data,
        consentDocument: null,
        serverTime: '',
      })
      const again = (locale: string, etag: string | null) =>
        server.client(session.agent).call('agent.sessions.config', {
          params: { id: session.id },
          query: { locale },
          headers: { 'if-none-match': etag ?? '' },
        })
      expect((await again('hi', hindi.headers.get('etag'))).status).toBe(304)
      expect((await again('en', english.headers.get('etag'))).status).toBe(304)
      expect((await again('hi', english.headers.get('etag'))).status).toBe(200)
    })

    it('agent.sessions.register takes the answer to either document, and records the one that was answered', async () => {
      for (const locale of ['en', 'hi']) {
        const session = await scheduleSession(api, {})
        const document = await documentOf(session, locale)
        // What language the answer says it is in changes nothing: the hash tells what was read.
        await register(session, answerTo(document, 'en-GB'))
        expect(await consentOf(session.id)).toMatchObject({ locale, documentHash: document.hash, status: 'granted' })
        const [row] = await rowsOf(session.id)
        expect(row).toMatchObject({ kind: 'agent', locale })
        expect(JSON.parse(row?.document ?? '')).toEqual(document)
      }
    })

    it('agent.sessions.register is a conflict with the current document in the language of the answer', async () => {
      const session = await scheduleSession(api, {})
      const before = await documentOf(session, 'hi')
      await api.call('sessions.patch', { params: { id: session.id }, body: { retentionDays: 7 } })
      const current = await documentOf(session, 'hi')
      expect(current.hash).not.toBe(before.hash)
      expect(await conflictOf(register(session, answerTo(before, 'hi-IN')))).toEqual(current)
      expect(await conflictOf(register(session, answerTo(before, 'de')))).toEqual(await documentOf(session))
      const wrong = { ...before, hash: 'f'.repeat(64) }
      expect(await conflictOf(register(session, answerTo(wrong, 'hi')))).toEqual(current)
      await register(session, answerTo(current, 'hi'))
    })

    it('is each device’s own: one session holds answers in both', async () => {
      const session = await scheduleSession(api, { config: { sideView: { enabled: true } } })
      await register(session, answerTo(await documentOf(session, 'hi'), 'hi'))
      const claimed = await claim(session.id, 'en-IN')
      expect(claimed.consentDocument).toMatchObject({ locale: 'en' })
      const phone = server.client(claimed.companionToken)
      const params = { sessionId: session.id }
      server.clock.advance(1000)
      await phone.call('pairings.consent', { params, body: deviceAnswer(server, claimed.consentDocument.hash) })
      const device = await api.call('sessions.roomDevices.create', { params: { id: session.id } })
      const room = server.client(device.data.roomToken)
      const shown = (await room.call('rooms.get', { params, query: { locale: 'hi' } })).data.consentDocument
      server.clock.advance(1000)
      await room.call('rooms.consent', { params, body: { ...deviceAnswer(server, shown.hash), locale: 'hi' } })
      expect((await rowsOf(session.id)).map(({ kind, locale }) => [kind, locale])).toEqual([
        ['agent', 'hi'],
        ['companion', 'en'],
        ['room', 'hi'],
      ])
      expect(await consentOf(session.id)).toMatchObject({
        locale: 'hi',
        lanes: { screen: { granted: true }, side_view: { granted: true }, room_camera: { granted: true } },
      })
    })

    it('pairings.claim and pairings.consent speak the language of the phone', async () => {
      const session = await scheduleSession(api, { config: { sideView: { enabled: true } } })
      const claimed = await claim(session.id, 'hi')
      expect(titles(claimed.consentDocument)).toEqual([consentTexts.hi.lanes.side_view.title])
      const phone = server.client(claimed.companionToken)
      const answer = (hash: string, locale: string) =>
        phone.call('pairings.consent', {
          params: { sessionId: session.id },
          body: { ...deviceAnswer(server, hash), locale },
        })
      const [hindi, other] = [
        await conflictOf(answer('b'.repeat(64), 'hi-IN')),
        await conflictOf(answer('b'.repeat(64), 'fr')),
      ]
      expect(hindi).toEqual(claimed.consentDocument)
      expect(other.locale).toBe('en')
      await answer(claimed.consentDocument.hash, 'en')
      expect((await rowsOf(session.id)).map(({ locale }) => locale)).toEqual(['hi'])
    })

    it('rooms.get and rooms.consent speak the language of the page, and of no other', async () => {
      const session = await scheduleSession(api, {})
      const device = await api.call('sessions.roomDevices.create', { params: { id: session.id } })
      const room = server.client(device.data.roomToken)
      const params = { sessionId: session.id }
      const shown = async (locale?: string) =>
        (await room.call('rooms.get', { params, ...(locale ? { query: { locale } } : {}) })).data.consentDocument
      const [hindi, english] = [await shown('hi'), await shown()]
      expect(titles(hindi)).toEqual([consentTexts.hi.lanes.room_camera.title])
      expect(await shown('xx')).toEqual(english)
      const answer = (hash: string) =>
        room.call('rooms.consent', { params, body: { ...deviceAnswer(server, hash), locale: 'hi' } })
      expect(await conflictOf(answer('c'.repeat(64)))).toEqual(hindi)
      expect((await answer(english.hash)).data.consentDocument.locale).toBe('hi')
      expect((await rowsOf(session.id)).map(({ locale }) => locale)).toEqual(['en'])
    })
  })
