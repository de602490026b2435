import type { Client } from '@integrity/client/every-endpoint'
import { placementSteps } from '@integrity/protocol'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { agreeOnDevice, claimPhone } from '../../test-support/devices.ts'
import { enginesInTurn } from '../../test-support/engines.ts'
import { refusalOf } from '../../test-support/refusal.ts'
import { startServer, type TestServer } from '../../test-support/server.ts'
import { newClientId, newPicture, nowIso, register, scheduleSession, sha256 } from '../../test-support/world.ts'

/** As nobody guesses it who does not hold it. */
const unknownCode = 'ZZZZ-ZZZZ'

for (const engine of enginesInTurn(import.meta.filename))
  describe(`what a phone may not send (${engine})`, () => {
    let server: TestServer
    let api: Client
    beforeAll(async () => {
      server = await startServer({ engine, limits: { failuresPerAddress: 5 } })
      api = server.client(server.orgs[0].sandboxKey)
    })
    afterAll(() => server.stop())

    const pairedPhone = async () => {
      const session = await scheduleSession(api)
      await register(server, session)
      const { token } = await claimPhone(server, api, session.id)
      await agreeOnDevice(server, api, session.id, token, 'companion')
      return { id: session.id, phone: server.client(token) }
    }
    const nothingKept = async (id: string) =>
      expect((await api.call('sessions.evidence.list', { params: { id } })).data.total).toBe(0)

    const drawing = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><script/></svg>')
    it.each([
      ['a drawing that calls itself WebP', 'image/webp', drawing],
      ['a drawing', 'image/svg+xml', drawing],
      ['a text that calls itself JPEG', 'image/jpeg', Buffer.from('a text and no picture')],
      ['a text that begins like a JPEG', 'image/jpeg', Buffer.from([0xff, 0xd8, 0xff, 0xe0, 1, 2, 3])],
      ['20 MB', 'image/jpeg', Buffer.alloc(20_000_000, 1)],
    ])('companion.preview.push refuses %s, and shows nothing', async (_what, contentType, bytes) => {
      const { id, phone } = await pairedPhone()
      const body = {
        capturedAt: nowIso(server),
        contentType: contentType as 'image/jpeg',
        data: bytes.toString('base64'),
      }
      const refusal = await refusalOf(phone.call('companion.preview.push', { params: { id }, body }))
      expect([400, 413]).toContain(refusal.status)
      await nothingKept(id)
    })

    it('companion.placement takes no photo above the ceiling of one, though its body may be larger', async () => {
      const { id, phone } = await pairedPhone()
      const bytes = Buffer.alloc(Math.ceil(8.1 * 1024 * 1024))
      const photo = { contentType: 'image/jpeg', sha256: sha256(bytes), data: bytes.toString('base64') } as const
      const body = { steps: placementSteps.map((step) => ({ step, confirmed: true })), photo }
      const refusal = await refusalOf(phone.call('companion.placement', { params: { id }, body }))
      expect(refusal).toMatchObject({ status: 413, code: 'invalid_request' })
      await nothingKept(id)
    })

    it('companion.placement wants a photo and every step, and keeps neither without the other', async () => {
      const { id, phone } = await pairedPhone()
      const picture = await newPicture()
      const photo = { contentType: 'image/webp', sha256: sha256(picture), data: picture.toString('base64') }
      const steps = placementSteps.map((step) => ({ step, confirmed: true }))
      const place = (body: object) =>
        refusalOf(phone.call('companion.placement', { params: { id }, body: body as never }))
      expect((await place({ steps })).details[0]?.path).toBe('photo')
      expect((await place({ steps: steps.slice(1), photo })).details[0]?.path).toBe('steps')
      expect((await place({ steps: [], photo })).details[0]?.path).toBe('steps')
      expect((await place({ photo })).details[0]?.path).toBe('steps')
      await nothingKept(id)
      const status = await phone.call('companion.get', { params: { id } })
      expect(status.data.placement).toMatchObject({ confirmedAt: null, steps: [], photoEvidenceId: null })
    })

    it('pairings.presence names a beat from long before the phone was paired, and takes none of the batch', async () => {
      const { id, phone } = await pairedPhone()
      const beat = (secondsAgo: number) => {
        const at = new Date(server.clock.now() - secondsAgo * 1000).toISOString()
        return { clientId: newClientId(), at, recording: 'on' as const }
      }
      const body = { beats: [beat(1), beat(365 * 86_400)] }
      const refusal = await refusalOf(phone.call('pairings.presence', { params: { sessionId: id }, body }))
      expect(refusal).toMatchObject({ code: 'invalid_request', details: [{ path: 'beats.1.at' }] })
      expect((await phone.call('companion.get', { params: { id } })).data.lastBeatAt).toBeNull()
    })

    it('pairings.claim lets one address try a few wrong codes a minute, and then not even the right one', async () => {
      const session = await scheduleSession(api)
      const link = { params: { id: session.id }, body: { role: 'companion' } } as const
      const { joinCode } = (await api.call('sessions.joinLinks.create', link)).data
      const claim = (code: string) => server.client().call('pairings.claim', { params: { joinCode: code } })
      for (let n = 0; n < 5; n++) expect((await refusalOf(claim(unknownCode))).code).toBe('not_found')
      expect(await refusalOf(claim(unknownCode))).toMatchObject({ code: 'rate_limited', status: 429 })
      expect((await refusalOf(claim(joinCode))).code).toBe('rate_limited')
      server.clock.advance(60_000)
      expect((await claim(joinCode)).data.session.id).toBe(session.id)
    })
  })
