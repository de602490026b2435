import { placementSteps } from '@integrity/protocol'
import type { Client } from '@integrity/protocol/client'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { updateCompanion } from '../../src/domains/companions/companions.store.ts'
import { getSession } from '../../src/domains/sessions/sessions.service.ts'
import { updateSession } from '../../src/domains/sessions/sessions.store.ts'
import { hasEngine } from '../support/databases.ts'
import { agreeOnDevice, claimPhone, deviceAnswer, type Phone } from '../support/devices.ts'
import { portalCookie } from '../support/portal.ts'
import { refusalOf } from '../support/refusal.ts'
import { startServer, type TestServer } from '../support/server.ts'
import { fullConfig, newClientId, newPicture, nowIso, register, scheduleSession, sha256 } from '../support/world.ts'
import { filesBelow } from './capture-session.ts'

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

/** Every row of every table of a Postgres database, as text; bytes are in hex. */
const everyRow = async (server: TestServer): Promise<string[]> => {
  const { reader } = server.app.db
  const tables = await reader.all<{ name: string }>(
    "SELECT table_name::text AS name FROM information_schema.tables WHERE table_schema = 'public'",
    [],
  )
  const rows: string[] = []
  for (const { name } of tables)
    rows.push(
      ...(await reader.all<{ row: string }>(`SELECT t::text AS row FROM "${name}" t`, [])).map(({ row }) => row),
    )
  return rows
}

for (const engine of ['sqlite', 'postgres'] as const)
  describe.skipIf(!hasEngine(engine))(`the phone beside the candidate (${engine})`, () => {
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
    /** A live session with a phone; agreed unless told otherwise. */
    const paired = async (agreed = true): Promise<Phone & { agent: string; phone: Client }> => {
      const session = await scheduleSession(api)
      await register(server, session)
      const made = await claimPhone(server, api, session.id)
      if (agreed) await agreeOnDevice(server, api, session.id, made.token, 'companion')
      return { ...made, agent: session.agent, phone: server.client(made.token) }
    }
    const presence = ({ phone, sessionId }: { phone: Client; sessionId: string }, beats: ReturnType<typeof beat>[]) =>
      phone.call('pairings.presence', { params: { sessionId }, body: { beats } }).then(({ data }) => data)
    const status = (p: { phone: Client; sessionId: string }) =>
      p.phone.call('companion.get', { params: { id: p.sessionId } }).then(({ data }) => data)
    const told = async (sessionId: string) => {
      const { data } = await api.call('events.list', { query: { sessionId, limit: 100 } })
      return data.items
        .map(({ type }) => type)
        .filter((type) => type.startsWith('companion.'))
        .reverse()
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
        expect(JSON.stringify(refusal.body)).toContain(p.documentHash)
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
        server.clock.advance(600_000)
        await server.processAll()
        expect((await told(p.sessionId)).filter((type) => type === 'companion.interrupted')).toHaveLength(1)
        expect((await status(p)).recording).toBe('on')
        expect((await status(p)).interruptedSince).not.toBeNull()
        // The queue of the silent time comes first, then life goes on.
        await presence(p, [beat(server, 300), beat(server, 200)])
        await presence(p, [beat(server, 0)])
        expect((await told(p.sessionId)).filter((type) => type === 'companion.resumed')).toHaveLength(1)
        for (let i = 0; i < 4; i++) {
          server.clock.advance(10_000)
          await presence(p, [beat(server, 0)])
          await server.processAll()
        }
        expect((await told(p.sessionId)).slice(-2)).toEqual(['companion.interrupted', 'companion.resumed'])
      })

      it('leaves out what is from after the end, says that it is over, and takes what is from before', async () => {
        const p = await paired()
        await api.call('sessions.end', { params: { id: p.sessionId } })
        server.clock.advance(20_000)
        const answer = await presence(p, [beat(server, 5), beat(server, 25)])
        expect(answer).toMatchObject({ accepted: 1, ignored: 1, session: { state: 'ended' } })
        server.clock.advance(60_000)
        await server.processAll()
        expect(await told(p.sessionId)).not.toContain('companion.interrupted')
      })

      it('refuses a clock that runs ahead, naming the beat, and an empty or too large batch', async () => {
        const p = await paired()
        const ahead = await refusalOf(presence(p, [beat(server, 0), beat(server, -3600)]))
        expect(ahead).toMatchObject({ code: 'invalid_request', details: [{ path: 'beats.1.at' }] })
        expect((await refusalOf(presence(p, []))).code).toBe('invalid_request')
        const many = Array.from({ length: 501 }, () => beat(server, 1))
        expect((await refusalOf(presence(p, many))).code).toBe('invalid_request')
      })
    })

    describe('companion.placement', () => {
      const photoOf = (picture: Buffer) => ({
        contentType: 'image/webp' as const,
        sha256: sha256(picture),
        data: picture.toString('base64'),
      })
      const steps = (confirmed: boolean[]) =>
        placementSteps.map((step, i) => ({ step, confirmed: confirmed[i] ?? true }))

      it('keeps the steps as rows and the photo as evidence, and tells of it once', async () => {
        const p = await paired()
        const params = { id: p.sessionId }
        const body = { steps: steps([]), photo: photoOf(await newPicture()) }
        const first = (await p.phone.call('companion.placement', { params, body })).data
        expect(first.placement.confirmedAt).not.toBeNull()
        expect((await p.phone.call('companion.placement', { params, body })).data).toEqual(first)
        expect(await told(p.sessionId)).toEqual(['companion.paired', 'companion.placement_confirmed'])
        const { data } = await api.call('sessions.evidence.list', { params })
        expect(data.items.map(({ evidenceType, id }) => [evidenceType, id])).toEqual([
          ['placement_photo', first.placement.photoEvidenceId],
        ])
      })

      it('keeps a step that cannot be done as it is, without calling the place confirmed', async () => {
        const p = await paired()
        const body = { steps: steps([true, false]), photo: photoOf(await newPicture()) }
        const { data } = await p.phone.call('companion.placement', { params: { id: p.sessionId }, body })
        expect(data.placement).toMatchObject({ confirmedAt: null })
        expect(data.placement.steps).toContainEqual({ step: 'angle', confirmed: false })
        expect(await told(p.sessionId)).toEqual(['companion.paired'])
      })

      it('refuses a step twice, a picture that is none, and other bytes than were declared', async () => {
        const p = await paired()
        const params = { id: p.sessionId }
        const photo = photoOf(await newPicture())
        const twice = placementSteps.map(() => ({ step: 'height' as const, confirmed: true }))
        const send = (body: object) => refusalOf(p.phone.call('companion.placement', { params, body: body as never }))
        expect((await send({ steps: twice, photo })).details[0]?.path).toBe('steps')
        const text = Buffer.from('not a picture')
        expect((await send({ steps: steps([]), photo: photoOf(text) })).code).toBe('invalid_request')
        expect((await send({ steps: steps([]), photo: { ...photo, sha256: '0'.repeat(64) } })).code).toBe(
          'invalid_request',
        )
      })
    })

    describe('companion.preview', () => {
      const push = async (p: { phone: Client; sessionId: string }, secondsAgo = 0) => {
        const picture = await newPicture()
        const capturedAt = new Date(server.clock.now() - secondsAgo * 1000).toISOString()
        const body = { capturedAt, contentType: 'image/webp' as const, data: picture.toString('base64') }
        await p.phone.call('companion.preview.push', { params: { id: p.sessionId }, body })
        return picture
      }
      const look = async (sessionId: string) =>
        fetch(`${server.url}/v1/sessions/${sessionId}/companion/preview`, {
          headers: await portalCookie(server, 'reviewer'),
        })

      it('shows the newest still by capture time to members, and none of them reaches disk or database', async () => {
        const p = await paired()
        expect((await look(p.sessionId)).status).toBe(404)
        await push(p, 20)
        const newest = await push(p, 0)
        await push(p, 10)
        const answer = await look(p.sessionId)
        expect(answer.headers.get('content-type')).toBe('image/webp')
        expect(answer.headers.get('cache-control')).toBe('no-store')
        expect(Buffer.from(await answer.arrayBuffer()).equals(newest)).toBe(true)
        const files = await filesBelow(server.app.config.dataDir)
        const { readFile } = await import('node:fs/promises')
        // On SQLite the database is among the files, its log too.
        for (const file of files)
          for (const form of [newest, newest.toString('base64'), newest.toString('hex')])
            expect((await readFile(file)).includes(form), file).toBe(false)
        const rows = engine === 'postgres' ? await everyRow(server) : []
        for (const row of rows)
          for (const form of ['base64', 'hex'] as const) expect(row).not.toContain(newest.toString(form))
        if (engine === 'postgres') expect(rows.some((row) => row.includes(p.sessionId))).toBe(true)
        expect((await api.call('sessions.evidence.list', { params: { id: p.sessionId } })).data.total).toBe(0)
      })

      it('is gone at the end of the session, with the phone, after a restart, and after five minutes', async () => {
        const ended = await paired()
        await push(ended)
        await api.call('sessions.end', { params: { id: ended.sessionId } })
        expect((await look(ended.sessionId)).status).toBe(404)
        expect((await refusalOf(push(ended))).code).toBe('conflict')
        const gone = await paired()
        await push(gone)
        await gone.phone.call('pairings.unpair', { params: { sessionId: gone.sessionId } })
        expect((await look(gone.sessionId)).status).toBe(404)
        const old = await paired()
        await push(old)
        server.clock.advance(5 * 60_000)
        expect((await look(old.sessionId)).status).toBe(404)
      })

      it('is gone when policy asks for it no more, and when another process has let the phone go or heard a no', async () => {
        const off = await paired()
        await push(off)
        const unwanted = { params: { id: off.sessionId }, body: { sideView: { enabled: false } } }
        await api.call('sessions.patch', unwanted)
        expect((await look(off.sessionId)).status).toBe(404)
        const gone = await paired()
        await push(gone)
        const scope = { orgId: server.orgs[0].orgId, environment: 'sandbox' } as const
        await server.app.db.transact((tx) =>
          updateCompanion(tx, scope, gone.companionId, { endedAt: server.clock.now(), endReason: 'unpaired' }),
        )
        expect((await look(gone.sessionId)).status).toBe(404)
        const declined = await paired()
        await push(declined)
        const session = await getSession(server.app.db.reader, scope, declined.sessionId)
        const lanes = {
          ...session.consent?.lanes,
          side_view: { granted: false, at: nowIso(server), withdrawnAt: null },
        }
        await server.app.db.transact((tx) =>
          updateSession(tx, scope, declined.sessionId, { consent: JSON.stringify({ ...session.consent, lanes }) }),
        )
        expect((await look(declined.sessionId)).status).toBe(404)
      })

      it('is not one from the future, which would stay the newest', async () => {
        const p = await paired()
        const refusal = await refusalOf(push(p, -3600))
        expect(refusal).toMatchObject({ code: 'invalid_request', details: [{ path: 'capturedAt' }] })
        expect((await look(p.sessionId)).status).toBe(404)
      })

      it('refuses what is no picture and what is too large', async () => {
        const p = await paired()
        const body = { capturedAt: nowIso(server), contentType: 'image/webp' as const, data: 'bm9uZQ==' }
        const params = { id: p.sessionId }
        expect((await refusalOf(p.phone.call('companion.preview.push', { params, body }))).code).toBe('invalid_request')
        const huge = { ...body, data: Buffer.alloc(512 * 1024 + 1).toString('base64') }
        const refusal = await refusalOf(p.phone.call('companion.preview.push', { params, body: huge }))
        expect(refusal.details[0]?.path).toBe('data')
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

    describe('pairings.unpair', () => {
      it('ends the token, answers the same again, and tells that recording stopped', async () => {
        const p = await paired()
        await presence(p, [beat(server, 1)])
        const params = { sessionId: p.sessionId }
        const first = (await p.phone.call('pairings.unpair', { params })).data
        server.clock.advance(5000)
        expect((await p.phone.call('pairings.unpair', { params })).data).toEqual(first)
        expect((await refusalOf(status(p))).code).toBe('unauthorized')
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
