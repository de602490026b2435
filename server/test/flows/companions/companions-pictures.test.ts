import { readFile } from 'node:fs/promises'
import type { Client } from '@integrity/client/every-endpoint'
import { type BuiltInRole, builtInRoles, placementSteps } from '@integrity/protocol'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { getSession } from '../../../src/domains/interviews/sessions/sessions.read.service.ts'
import { updateSession } from '../../../src/domains/interviews/sessions/sessions.store.ts'
import { updateCompanion } from '../../../src/domains/recording/companions/companions.store.ts'
import { filesBelow } from '../../test-support/capture-session.ts'
import { enginesInTurn } from '../../test-support/engines.ts'
import { portalCookie } from '../../test-support/portal.ts'
import { refusalOf } from '../../test-support/refusal.ts'
import { startServer, type TestServer } from '../../test-support/server.ts'
import { newPicture, nowIso, sha256 } from '../../test-support/world.ts'
import { pairedPhone, toldOfPhone } from './companions.test-support.ts'

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

for (const engine of enginesInTurn(import.meta.filename))
  describe(`the phone beside the candidate (${engine})`, () => {
    let server: TestServer
    let api: Client

    beforeAll(async () => {
      server = await startServer({ engine })
      api = server.client(server.orgs[0].sandboxKey)
    })
    afterAll(() => server.stop())

    const paired = () => pairedPhone(server, api)
    const told = (sessionId: string) => toldOfPhone(api, sessionId)

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
      const look = async (sessionId: string, role: BuiltInRole = 'reviewer') =>
        fetch(`${server.url}/v1/sessions/${sessionId}/companion/preview`, {
          headers: await portalCookie(server, role),
        })

      it('is there for members of every role', async () => {
        const p = await paired()
        const picture = await push(p)
        for (const role of builtInRoles)
          expect(Buffer.from(await (await look(p.sessionId, role)).arrayBuffer()).equals(picture), role).toBe(true)
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
        const session = await getSession({ reader: server.app.db.reader, scope }, declined.sessionId)
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
  })
