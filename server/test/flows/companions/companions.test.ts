import type { Client } from '@integrity/client/every-endpoint'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { settleMs } from '../../../src/kernel/time.ts'
import { agreeOnDevice, claimPhone, deviceAnswer } from '../../test-support/devices.ts'
import { everyEngine } from '../../test-support/engines.ts'
import { refusalOf } from '../../test-support/refusal.ts'
import { startServer, type TestServer } from '../../test-support/server.ts'
import { fullConfig, newClientId, nowIso, register, scheduleSession } from '../../test-support/world.ts'
import { pairedPhone, toldOfPhone } from './companions.test-support.ts'

const beat = (server: TestServer, secondsAgo: number, recording: 'on' | 'off' | 'interrupted' = 'on') => ({
  clientId: newClientId(),
  at: new Date(server.clock.now() - secondsAgo * 1000).toISOString(),
  battery: 0.5,
  charging: false,
  network: 'wifi',
  orientation: 'landscape',
  foreground: true,
  recording,
})

for (const engine of everyEngine())
  describe(`the phone beside the candidate (${engine})`, () => {
    let server: TestServer
    let api: Client

    beforeAll(async () => {
      server = await startServer({ engine })
      api = server.client(server.orgs[0].sandboxKey)
    })
    afterAll(() => server.stop())

    const link = async (id: string) =>
      (await api.call('sessions.joinLinks.create', { params: { id }, body: { role: 'companion' } })).data.joinCode
    const claim = (joinCode: string) =>
      server.client().call('pairings.claim', { params: { joinCode }, body: { device: { name: 'Phone' } } })
    const paired = (agreed?: boolean) => pairedPhone(server, api, agreed)
    const presence = ({ phone, sessionId }: { phone: Client; sessionId: string }, beats: ReturnType<typeof beat>[]) =>
      phone.call('pairings.presence', { params: { sessionId }, body: { beats } }).then(({ data }) => data)
    const status = (p: { phone: Client; sessionId: string }) =>
      p.phone.call('companion.get', { params: { id: p.sessionId } }).then(({ data }) => data)
    const told = (sessionId: string) => toldOfPhone(api, sessionId)
    const settle = () => {
      server.clock.advance(settleMs)
      return server.processAll()
    }

    describe('pairings.claim', () => {
      it('pairs a phone by its code, however it is typed, and says what would be collected', async () => {
        const session = await scheduleSession(api)
        const code = await link(session.id)
        const { data } = await claim(` ${code.toLowerCase().replace('-', '')} `)
        expect(data.companionToken).toMatch(/^cmt_/)
        expect(data.session).toMatchObject({ id: session.id, state: 'scheduled' })
        expect(data.config.sideView).toMatchObject({ enabled: true })
        expect(data.consentDocument.lanes.map(({ lane }) => lane)).toEqual(['side_view'])
        const seen = await server.client(session.agent).call('companion.get', { params: { id: session.id } })
        expect(seen.data).toMatchObject({ paired: true, companionId: data.companionId, consent: 'pending' })
        expect(await told(session.id)).toEqual(['companion.paired'])
      })

      it('takes a code once, not after it expired, and not one for a candidate', async () => {
        const session = await scheduleSession(api)
        const used = await link(session.id)
        await claim(used)
        expect((await refusalOf(claim(used))).code).toBe('not_found')
        const other = await scheduleSession(api)
        const body = { role: 'candidate' } as const
        const candidate = await api.call('sessions.joinLinks.create', { params: { id: other.id }, body })
        expect((await refusalOf(claim(candidate.data.joinCode))).code).toBe('not_found')
        const late = await link(other.id)
        server.clock.advance(15 * 60_000)
        expect((await refusalOf(claim(late))).code).toBe('not_found')
      })

      it('lets one of many at once have the code', async () => {
        const code = await link((await scheduleSession(api)).id)
        const answers = await Promise.allSettled(Array.from({ length: 8 }, () => claim(code)))
        expect(answers.filter(({ status: how }) => how === 'fulfilled')).toHaveLength(1)
      })

      it('replaces a phone only by a code that was issued after it was paired', async () => {
        const session = await scheduleSession(api)
        const [first, second] = [await link(session.id), await link(session.id)]
        const before = (await claim(first)).data
        expect((await refusalOf(claim(second))).code).toBe('conflict')
        server.clock.advance(1000)
        const after = (await claim(await link(session.id))).data
        expect(after.companionId).not.toBe(before.companionId)
        const old = server.client(before.companionToken).call('companion.get', { params: { id: session.id } })
        expect((await refusalOf(old)).code).toBe('unauthorized')
      })

      it('is refused where the side view is not part of the interview, and once it has ended', async () => {
        const plain = await scheduleSession(api, {})
        expect((await refusalOf(claim(await link(plain.id)))).code).toBe('conflict')
        const session = await scheduleSession(api)
        const code = await link(session.id)
        await api.call('sessions.end', { params: { id: session.id } })
        expect((await refusalOf(claim(code))).code).toBe('conflict')
      })
    })

    describe('pairings.consent', () => {
      it('opens the way for the phone, beside what the agent was granted, whichever comes first', async () => {
        const session = await scheduleSession(api)
        const phone = await claimPhone(server, api, session.id)
        await agreeOnDevice(server, api, session.id, phone.token, 'companion')
        const early = (await api.call('sessions.get', { params: { id: session.id } })).data
        expect(early.consent).toMatchObject({ status: 'pending', lanes: { side_view: { granted: true } } })
        await register(server, session)
        const { consent } = (await api.call('sessions.get', { params: { id: session.id } })).data
        expect(consent.status).toBe('granted')
        expect(consent.lanes).toMatchObject({ side_view: { granted: true }, screen: { granted: true } })
        expect(consent.evidenceTypes).toEqual(expect.arrayContaining(['screenshot', 'side_view_clip']))
        // Registering again is no change of mind of the phone.
        await register(server, session)
        const again = (await api.call('sessions.get', { params: { id: session.id } })).data.consent
        expect(again.lanes.side_view?.granted).toBe(true)
      })

      it('may be declined, and then nothing of the phone is taken', async () => {
        const p = await paired(false)
        const params = { sessionId: p.sessionId }
        const body = deviceAnswer(server, p.documentHash, false)
        expect((await p.phone.call('pairings.consent', { params, body })).data.consent).toBe('declined')
        expect((await refusalOf(presence(p, [beat(server, 0)]))).code).toBe('forbidden')
        const preview = { capturedAt: nowIso(server), contentType: 'image/webp', data: 'AAAA' } as const
        const push = p.phone.call('companion.preview.push', { params: { id: p.sessionId }, body: preview })
        expect((await refusalOf(push)).code).toBe('forbidden')
      })

      it('is a conflict with the current document when another was shown', async () => {
        const p = await paired(false)
        const body = deviceAnswer(server, 'a'.repeat(64))
        const refusal = await refusalOf(p.phone.call('pairings.consent', { params: { sessionId: p.sessionId }, body }))
        expect(refusal.code).toBe('conflict')
        expect(JSON.stringify(refusal.extra)).toContain(p.documentHash)
      })

      it('comes before everything else of the phone', async () => {
        const p = await paired(false)
        expect((await refusalOf(presence(p, [beat(server, 0)]))).code).toBe('forbidden')
      })
    })

    describe('pairings.presence', () => {
      it('takes each beat once, in any order, and tells of what changed once', async () => {
        const p = await paired()
        const beats = [beat(server, 40), beat(server, 30, 'interrupted'), beat(server, 20), beat(server, 10, 'off')]
        const shuffled = [beats[2], beats[0], beats[3], beats[1]] as typeof beats
        expect(await presence(p, shuffled)).toMatchObject({ accepted: 4, duplicates: 0, ignored: 0 })
        expect(await presence(p, [...beats, ...beats])).toMatchObject({ accepted: 0, duplicates: 8 })
        // Late, from before what is known: kept, and nothing new is told.
        expect(await presence(p, [beat(server, 35, 'interrupted')])).toMatchObject({ accepted: 1 })
        expect(await told(p.sessionId)).toEqual(['companion.paired'])
        await settle()
        expect(await told(p.sessionId)).toEqual([
          'companion.paired',
          'companion.recording_started',
          'companion.interrupted',
          'companion.resumed',
          'companion.recording_stopped',
        ])
        expect(await status(p)).toMatchObject({
          recording: 'off',
          battery: 0.5,
          charging: false,
          network: 'wifi',
          orientation: 'landscape',
          foreground: true,
          interruptedSince: null,
        })
      })

      it('tells of one interruption when three intervals pass in silence, and of one return', async () => {
        const p = await paired()
        await presence(p, [beat(server, 0)])
        server.clock.advance(29_000)
        await server.processAll()
        expect(await told(p.sessionId)).not.toContain('companion.interrupted')
        server.clock.advance(1000)
        await server.processAll()
        expect(await told(p.sessionId)).toContain('companion.interrupted')
        server.clock.advance(600_000)
        await server.processAll()
        expect((await told(p.sessionId)).filter((type) => type === 'companion.interrupted')).toHaveLength(1)
        expect((await status(p)).recording).toBe('on')
        expect((await status(p)).interruptedSince).not.toBeNull()
        // The queue of the silent time comes first, then life goes on.
        await presence(p, [beat(server, 300), beat(server, 200)])
        await presence(p, [beat(server, 0)])
        await settle()
        expect((await told(p.sessionId)).filter((type) => type === 'companion.resumed')).toHaveLength(1)
        for (let i = 0; i < 4; i++) {
          server.clock.advance(10_000)
          await presence(p, [beat(server, 0)])
          await server.processAll()
        }
        expect((await told(p.sessionId)).slice(-2)).toEqual(['companion.interrupted', 'companion.resumed'])
      })

      it('tells of what changes again and again once it has settled, over however many requests, and of the last', async () => {
        const p = await paired()
        for (let n = 60; n > 0; n -= 1) await presence(p, [beat(server, n, n % 2 === 0 ? 'interrupted' : 'on')])
        await presence(p, [beat(server, 0, 'off')])
        await settle()
        expect((await told(p.sessionId)).slice(1)).toEqual([
          'companion.recording_started',
          'companion.interrupted',
          'companion.resumed',
          'companion.recording_stopped',
        ])
        await presence(p, [beat(server, -1, 'interrupted')])
        await presence(p, [beat(server, -2, 'off')])
        await presence(p, [beat(server, -3, 'interrupted')])
        await settle()
        expect((await told(p.sessionId)).slice(5)).toEqual(['companion.interrupted'])
      })

      it('leaves out what is from after the end, says that it is over, and takes what is from before', async () => {
        const p = await paired()
        await api.call('sessions.end', { params: { id: p.sessionId } })
        server.clock.advance(20_000)
        const answer = await presence(p, [beat(server, 19.999), beat(server, 20), beat(server, 25)])
        expect(answer).toMatchObject({ accepted: 2, ignored: 1, session: { state: 'ended' } })
        server.clock.advance(60_000)
        await server.processAll()
        expect(await told(p.sessionId)).not.toContain('companion.interrupted')
      })

      it('refuses a clock that runs ahead, naming the beat, and an empty or too large batch', async () => {
        const p = await paired()
        const ahead = await refusalOf(presence(p, [beat(server, 0), beat(server, -3600)]))
        expect(ahead).toMatchObject({ code: 'invalid_request', details: [{ path: 'beats.1.at' }] })
        expect(await presence(p, [beat(server, -300)])).toMatchObject({ accepted: 1 })
        expect(await refusalOf(presence(p, [beat(server, -300.001)]))).toMatchObject({ code: 'invalid_request' })
        expect((await refusalOf(presence(p, []))).code).toBe('invalid_request')
        const many = Array.from({ length: 501 }, () => beat(server, 1))
        expect((await refusalOf(presence(p, many))).code).toBe('invalid_request')
      })
    })

    it('what the phone said of itself goes when the session is erased', async () => {
      const p = await paired()
      await presence(p, [beat(server, 1)])
      await api.call('sessions.end', { params: { id: p.sessionId } })
      await api.call('sessions.erase', { params: { id: p.sessionId } })
      const rows = await server.app.db.reader.all('SELECT 1 AS one FROM presence_beats WHERE companion_id = ?', [
        p.companionId,
      ])
      expect(rows).toEqual([])
      expect(await status(p)).toMatchObject({ device: null, battery: null })
    })

    it('pairings.presence takes beats from five minutes before the phone was paired, and none before that', async () => {
      const p = await paired()
      expect(await presence(p, [beat(server, 300)])).toMatchObject({ accepted: 1 })
      expect((await refusalOf(presence(p, [beat(server, 300.001)]))).code).toBe('invalid_request')
    })

    describe('pairings.unpair', () => {
      it('ends the token, answers the same again, and tells that recording stopped', async () => {
        const p = await paired()
        await presence(p, [beat(server, 1)])
        const params = { sessionId: p.sessionId }
        const first = (await p.phone.call('pairings.unpair', { params })).data
        server.clock.advance(5000)
        expect((await p.phone.call('pairings.unpair', { params })).data).toEqual(first)
        expect((await refusalOf(status(p))).code).toBe('unauthorized')
        await settle()
        expect((await told(p.sessionId)).at(-1)).toBe('companion.recording_stopped')
        const seen = await server.client(p.agent).call('companion.get', { params: { id: p.sessionId } })
        expect(seen.data).toMatchObject({ paired: false, companionId: null })
      })

      it('makes room for another phone with any code', async () => {
        const session = await scheduleSession(api, { config: fullConfig })
        const [first, second] = [await link(session.id), await link(session.id)]
        const { companionToken } = (await claim(first)).data
        await server.client(companionToken).call('pairings.unpair', { params: { sessionId: session.id } })
        expect((await claim(second)).data.session.id).toBe(session.id)
      })
    })
  })
