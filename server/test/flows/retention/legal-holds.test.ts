import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { SessionEraser } from '../../../src/kernel/session-eraser.ts'
import { sentRequest } from '../../test-support/candidate-requests.ts'
import { auditOf, buildCaptureSession, type CaptureSession, iso } from '../../test-support/capture-session.ts'
import { enginesInTurn } from '../../test-support/engines.ts'
import { portalCookie } from '../../test-support/portal.ts'
import { refusalOf } from '../../test-support/refusal.ts'
import { startServer, type TestServer } from '../../test-support/server.ts'
import { asMember, pageOf, verb } from '../candidate-requests/candidate-requests.test-support.ts'
import { dayMs, endedSession, keptObjects, retentionOf } from './retention.test-support.ts'

for (const engine of enginesInTurn(import.meta.filename))
  describe(`legal holds (${engine})`, () => {
    let server: TestServer
    let retention: ReturnType<typeof retentionOf>

    beforeAll(async () => {
      server = await startServer({ engine })
      retention = retentionOf(server)
    })
    beforeEach(() => server.clock.advance(60_000))
    afterAll(() => server.stop())

    const scopeOf = ({ orgId, environment }: CaptureSession) => ({ orgId, environment })
    const erase = ({ api, id }: CaptureSession) => api.call('sessions.erase', { params: { id } })
    const shown = async ({ api, id }: CaptureSession) => (await api.call('sessions.get', { params: { id } })).data
    const historyOf = (sessionId: string) =>
      server.app.db.reader.all(
        'SELECT placed, reason FROM legal_holds WHERE org_id = ? AND session_id = ? ORDER BY position',
        [server.orgs[0].orgId, sessionId],
      )

    describe('portal.retention.hold', () => {
      it('tells the second of two who change what both have seen', async () => {
        const { version: expectedVersion } = await retention.get()
        const params = { orgId: server.orgs[0].orgId }
        const hold = (body: { on: boolean; reason?: string; expectedVersion?: number }) =>
          asMember(server, 'portal.retention.hold', { params, body })
        const placed = await hold({ on: true, reason: 'A dispute.', expectedVersion })
        expect(placed).toMatchObject({ version: expectedVersion + 1, legalHold: { reason: 'A dispute.' } })
        for (const body of [{ on: false }, { on: true, reason: 'A lawsuit.' }])
          expect(await refusalOf(hold({ ...body, expectedVersion }))).toMatchObject({
            status: 409,
            message: expect.stringMatching(/changed meanwhile by .*@/),
          })
        expect(await retention.get()).toEqual(placed)
        const { version } = placed
        expect(await hold({ on: false, expectedVersion: version })).toMatchObject({
          version: version + 1,
          legalHold: null,
        })
      })
    })

    describe('portal.retention.sessions.holdOf', () => {
      it('says how the hold is and its version, and a writer who has seen an older one is told', async () => {
        const { id: sessionId } = await endedSession(server)
        const params = { orgId: server.orgs[0].orgId, sessionId }
        const read = () => asMember(server, 'portal.retention.sessions.holdOf', { params })
        const hold = (body: { on: boolean; reason?: string; expectedVersion?: number }) =>
          asMember(server, 'portal.retention.sessions.hold', { params, body })
        expect(await read()).toEqual({ sessionId, legalHold: null, version: 0 })
        const placed = await hold({ on: true, reason: 'A dispute.', expectedVersion: 0 })
        expect(placed).toMatchObject({ version: 1, legalHold: { reason: 'A dispute.' } })
        for (const body of [{ on: false }, { on: true, reason: 'A lawsuit.' }])
          expect(await refusalOf(hold({ ...body, expectedVersion: 0 }))).toMatchObject({
            status: 409,
            extra: { reason: 'changed' },
          })
        expect(await read()).toEqual(placed)
        const foreign = await buildCaptureSession(server, { org: 1 })
        for (const other of [foreign.id, 'ses_none'])
          expect(
            await refusalOf(
              asMember(server, 'portal.retention.sessions.holdOf', { params: { ...params, sessionId: other } }),
            ),
          ).toMatchObject({ status: 404 })
      })
    })

    describe('portal.retention.sessions.hold', () => {
      it('says why, since when and by whom, and keeps its history', async () => {
        const session = await endedSession(server)
        const since = iso(server.clock.now())
        const by = { kind: 'user', id: expect.stringMatching(/^usr_/), label: expect.stringContaining('@') }
        const first = { sessionId: session.id, legalHold: { reason: 'A dispute.', since, by }, version: 1 }
        expect(await retention.hold(session.id, true, 'A dispute.')).toEqual(first)
        server.clock.advance(1000)
        expect(await retention.hold(session.id, true, 'A dispute.')).toEqual(first)
        expect(await retention.hold(session.id, true, 'A lawsuit.')).toEqual({
          ...first,
          legalHold: { reason: 'A lawsuit.', since, by },
          version: 2,
        })
        expect((await shown(session)).legalHold).toBe(true)
        const released = { sessionId: session.id, legalHold: null, version: 3 }
        expect(await retention.hold(session.id, false)).toEqual(released)
        expect(await retention.hold(session.id, false, 'Again.')).toEqual(released)
        expect((await shown(session)).legalHold).toBe(false)
        expect(await historyOf(session.id)).toEqual([
          { placed: 1, reason: 'A dispute.' },
          { placed: 1, reason: 'A lawsuit.' },
          { placed: 0, reason: null },
        ])
        const trail = (await auditOf(server, session)).filter(({ action }) => action.startsWith('legal_hold.'))
        expect(trail.map(({ action, payload }) => [action, (payload as { changed: boolean }).changed])).toEqual([
          ['legal_hold.placed', true],
          ['legal_hold.placed', false],
          ['legal_hold.placed', true],
          ['legal_hold.released', true],
          ['legal_hold.released', false],
        ])
      })

      it('changes no row of its history, not by SQL either', async () => {
        const session = await endedSession(server)
        await retention.hold(session.id, true, 'Kept.')
        for (const sql of ["UPDATE legal_holds SET reason = 'x'", 'DELETE FROM legal_holds'])
          await expect(server.app.db.transact((tx) => tx.run(sql))).rejects.toThrow(/append-only/)
      })

      it('needs a reason, and a session of the organisation that is there', async () => {
        const session = await endedSession(server)
        expect(await refusalOf(retention.hold(session.id, true))).toMatchObject({
          status: 400,
          details: [{ path: 'reason' }],
        })
        for (const reason of ['', '  ', 'a\nb', 'x'.repeat(1001)])
          expect(await refusalOf(retention.hold(session.id, true, reason))).toMatchObject({ status: 400 })
        const foreign = await buildCaptureSession(server, { org: 1 })
        for (const id of [foreign.id, 'ses_none'])
          expect(await refusalOf(retention.hold(id, true, 'Mine?'))).toMatchObject({ status: 404 })
        await erase(session)
        expect(await refusalOf(retention.hold(session.id, true, 'Late.'))).toMatchObject({ status: 409 })
      })
    })

    describe('a hold', () => {
      const kinds = [
        [
          'of the session',
          (id: string, on: boolean) => retention.hold(id, on, 'A dispute.'),
          'due is under legal hold',
        ],
        [
          'of the organisation',
          (_: string, on: boolean) => retention.holdOrg(on, 'An investigation.'),
          'the organisation is under legal hold',
        ],
      ] as const
      for (const [name, place, note] of kinds)
        it(`${name} stops erasing, the sweep and the approval of an erasure, in words; releasing deletes nothing`, async () => {
          const session = await endedSession(server, { retentionDays: 1 })
          const { id } = await sentRequest(server, scopeOf(session), session.id, 'erasure')
          await place(session.id, true)
          server.clock.advance(2 * dayMs)
          expect(await refusalOf(erase(session))).toMatchObject({
            status: 409,
            message: expect.stringContaining('legal hold'),
          })
          expect(await refusalOf(verb(server, 'approve', id))).toMatchObject({
            status: 409,
            message: expect.stringContaining('legal hold'),
          })
          expect((await verb(server, 'get', id)).status).toBe('received')
          const at = { scope: scopeOf(session), sessionId: session.id, agent: '', key: '' }
          expect((await pageOf(server, at)).session).toMatchObject({ legalHold: true })
          const preview = await retention.preview({ limit: 100 })
          expect(preview.items.find(({ sessionId }) => sessionId === session.id)).toMatchObject({ held: true })
          expect(preview.totals.held.sessions).toBeGreaterThan(0)
          expect(preview.total).toBe(preview.totals.sessions + preview.totals.held.sessions)
          const run = await retention.run()
          expect(run).toMatchObject({ note: expect.stringContaining(note), remaining: 0 })
          expect(run.heldSessions).toBeGreaterThan(0)
          expect(await keptObjects(server, session.id)).toBe(1)
          await place(session.id, false)
          await server.processAll()
          expect(await keptObjects(server, session.id)).toBe(1)
          expect((await verb(server, 'approve', id)).status).toBe('approved')
          expect(await keptObjects(server, session.id)).toBe(0)
        })

      for (const [name, place, forget] of [
        ['of the session', kinds[0][1], ['UPDATE sessions SET legal_hold = 0', 'DELETE FROM legal_holds']],
        ['of the organisation', kinds[1][1], ['UPDATE retention_rules SET held = 0', 'DELETE FROM legal_holds']],
      ] as const)
        it(`${name} that only the rows have forgotten still stops erasing, the sweep and an approval`, async () => {
          const session = await endedSession(server, { retentionDays: 1 })
          const { id } = await sentRequest(server, scopeOf(session), session.id, 'erasure')
          await place(session.id, true)
          const run = (sql: string) => server.app.db.transact((tx) => tx.run(sql))
          if (engine === 'postgres') await run('ALTER TABLE legal_holds DISABLE TRIGGER USER')
          else await run('DROP TRIGGER IF EXISTS legal_holds_no_delete')
          for (const sql of forget) await run(sql)
          server.clock.advance(2 * dayMs)
          const refused = { status: 409, message: expect.stringContaining('the audit trail says') }
          expect(await refusalOf(erase(session))).toMatchObject(refused)
          expect(await refusalOf(verb(server, 'approve', id))).toMatchObject(refused)
          expect(await retention.run()).toMatchObject({ note: expect.stringContaining('legal hold') })
          expect(await keptObjects(server, session.id)).toBe(1)
          await place(session.id, false)
          expect((await verb(server, 'approve', id)).status).toBe('approved')
          expect(await keptObjects(server, session.id)).toBe(0)
        })

      it('of the organisation shows with it, and on each of its sessions', async () => {
        const session = await endedSession(server, { environment: 'sandbox' })
        const { orgId } = server.orgs[0]
        const headers = await portalCookie(server)
        const held = async () =>
          (await server.client().call('portal.orgs.get', { params: { orgId }, headers })).data.legalHold
        expect(await held()).toBe(false)
        expect(await refusalOf(retention.holdOrg(true))).toMatchObject({ status: 400, details: [{ path: 'reason' }] })
        const placed = await retention.holdOrg(true, 'An investigation.')
        expect(placed.legalHold).toMatchObject({ reason: 'An investigation.', since: iso(server.clock.now()) })
        expect(await held()).toBe(true)
        expect((await shown(session)).legalHold).toBe(true)
        const other = await buildCaptureSession(server, { org: 1 })
        expect((await shown(other)).legalHold).toBe(false)
        expect((await retention.holdOrg(false)).legalHold).toBeNull()
        expect((await shown(session)).legalHold).toBe(false)
      })

      // On SQLite nobody writes while an erasure does.
      if (engine === 'postgres')
        it('placed after an erasure has looked, and before its commit, undoes it', async () => {
          const session = await endedSession(server)
          const erasers = server.app.erasers as SessionEraser[]
          erasers.unshift({
            async erase() {
              await retention.holdOrg(true, 'In between.')
              return undefined
            },
          })
          try {
            expect(await refusalOf(erase(session))).toMatchObject({
              status: 409,
              message: expect.stringContaining('legal hold'),
            })
          } finally {
            erasers.shift()
          }
          expect(await keptObjects(server, session.id)).toBe(1)
          await retention.holdOrg(false)
        })

      it('placed while an erasure runs is on before it or after it, never in between', async () => {
        for (let round = 0; round < 10; round++) {
          const session = await endedSession(server)
          const whole = round % 2 === 0
          const hold = whole ? retention.holdOrg(true, 'Now.') : retention.hold(session.id, true, 'Now.')
          const [erased, held] = await Promise.allSettled([erase(session), hold])
          const rows = await server.app.db.reader.all<{ action: string }>(
            `SELECT action FROM audit_log WHERE org_id = ? AND action IN ('session.erased', 'legal_hold.placed')
             AND target IN (?, ?) ORDER BY seq DESC LIMIT 2`,
            [session.orgId, session.id, whole ? session.orgId : session.id],
          )
          if (erased.status === 'fulfilled' && held.status === 'fulfilled')
            expect(rows.map(({ action }) => action)).toEqual(['legal_hold.placed', 'session.erased'])
          else if (erased.status === 'rejected') expect(await keptObjects(server, session.id)).toBe(1)
          if (whole) await retention.holdOrg(false)
        }
      })
    })
  })
