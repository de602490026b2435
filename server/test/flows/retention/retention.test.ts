import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { auditRowsOf } from '../../test-support/audit-rows.ts'
import { buildCaptureSession, iso } from '../../test-support/capture-session.ts'
import { enginesInTurn } from '../../test-support/engines.ts'
import { portalCookie } from '../../test-support/portal.ts'
import { refusalOf } from '../../test-support/refusal.ts'
import { startServer, type TestServer } from '../../test-support/server.ts'
import { asMember } from '../candidate-requests/candidate-requests.test-support.ts'
import { dayMs, endedSession, retentionOf, setCeiling } from './retention.test-support.ts'

for (const engine of enginesInTurn(import.meta.filename))
  describe(`retention (${engine})`, () => {
    let server: TestServer
    let retention: ReturnType<typeof retentionOf>

    beforeAll(async () => {
      server = await startServer({ engine })
      retention = retentionOf(server)
    })
    beforeEach(() => server.clock.advance(60_000))
    afterAll(() => server.stop())

    const forget = async () => {
      await setCeiling(server, null)
      await server.app.db.transact((tx) => tx.run('DELETE FROM retention_rules'))
    }
    const documentDays = async (body: object) => {
      const api = server.client(server.orgs[0].sandboxKey)
      const { data } = await api.call('sessions.create', { body })
      const agent = server.client(data.agentJoinToken)
      const config = await agent.call('agent.sessions.config', { params: { id: data.id } })
      return [data.config.retentionDays, config.data.config.retentionDays, config.data.consentDocument.retentionDays]
    }

    describe('portal.retention.get and put', () => {
      it('show the usual window where nobody has set one', async () => {
        expect(await retention.get()).toEqual({
          defaultDays: 90,
          setAt: null,
          windowVersion: 0,
          inForceDays: 90,
          ceilingDays: null,
          capped: false,
          legalHold: null,
          version: 0,
        })
      })

      it('store a window above the ceiling as it is, and show that it is capped', async () => {
        await setCeiling(server, 30)
        const setAt = iso(server.clock.now())
        const stored = {
          defaultDays: 400,
          setAt,
          windowVersion: Date.parse(setAt),
          inForceDays: 30,
          ceilingDays: 30,
          capped: true,
          legalHold: null,
          version: 0,
        }
        expect(await retention.put(400)).toEqual(stored)
        expect(await retention.get()).toEqual(stored)
        await setCeiling(server, null)
        expect(await retention.get()).toMatchObject({ defaultDays: 400, inForceDays: 400, capped: false })
        await retention.put(50)
        const changes = await auditRowsOf(server, 'retention.changed')
        expect(changes.at(-1)?.payload).toEqual({ from: 400, to: 50 })
        await forget()
      })

      it('refuse windows that are none', async () => {
        for (const days of [0, -1, 3651, 36_500, 1.5, '30', null])
          expect(await refusalOf(retention.put(days as number)), String(days)).toMatchObject({
            status: 400,
            details: [{ path: 'defaultDays' }],
          })
      })

      it('are for owners and admins', async () => {
        const params = { orgId: server.orgs[0].orgId }
        for (const role of ['interviewer', 'reviewer'] as const)
          expect(await refusalOf(asMember(server, 'portal.retention.get', { params }, role))).toMatchObject({
            status: 403,
          })
        expect((await asMember(server, 'portal.retention.get', { params }, 'admin')).defaultDays).toBe(90)
      })
    })

    describe('the window in force', () => {
      it('is what new sessions get that name none, and the most that candidates are told', async () => {
        expect(await documentDays({})).toEqual([90, 90, 90])
        // Nobody has set anything: what a session names is what holds.
        expect(await documentDays({ config: { retentionDays: 365 } })).toEqual([365, 365, 365])
        await retention.put(120)
        expect(await documentDays({})).toEqual([120, 120, 120])
        expect(await documentDays({ config: { retentionDays: 365 } })).toEqual([365, 120, 120])
        expect(await documentDays({ config: { retentionDays: 7 } })).toEqual([7, 7, 7])
        await setCeiling(server, 30)
        expect(await documentDays({})).toEqual([120, 30, 30])
        await forget()
      })

      it('is never longer than the candidate was told, whatever is set later', async () => {
        await retention.put(10)
        const session = await buildCaptureSession(server, { config: { retentionDays: 50 } })
        await retention.put(3650)
        await session.api.call('sessions.patch', { params: { id: session.id }, body: { retentionDays: 300 } })
        const params = { id: session.id }
        const { data } = await session.agent.call('agent.sessions.config', { params })
        expect(data.consentDocument.retentionDays).toBe(10)
        await session.api.call('sessions.end', { params })
        const due = iso(server.clock.now() + 10 * dayMs)
        const { items } = await retention.preview({ days: 3650, limit: 100 })
        expect(items.find(({ sessionId }) => sessionId === session.id)).toMatchObject({ dueAt: due })
        await forget()
      })

      it('is told to a waiting agent when it becomes another', async () => {
        const session = await buildCaptureSession(server, { registered: false })
        const params = { id: session.id }
        const before = await session.agent.call('agent.sessions.config', { params })
        await retention.put(5)
        const after = await session.agent.call('agent.sessions.config', { params })
        expect(after.data.config.retentionDays).toBe(5)
        expect(after.headers.get('etag')).not.toBe(before.headers.get('etag'))
        await forget()
      })

      it('is the organisation’s where that is shorter than what was told, and what was told where it is longer', async () => {
        const session = await endedSession(server, { retentionDays: 40 })
        const endedAt = server.clock.now()
        const dueAt = async () => {
          const { items } = await retention.preview({ days: 3650, limit: 100 })
          return items.find(({ sessionId }) => sessionId === session.id)?.dueAt
        }
        expect(await dueAt()).toBe(iso(endedAt + 40 * dayMs))
        await retention.put(20)
        expect(await dueAt()).toBe(iso(endedAt + 20 * dayMs))
        await setCeiling(server, 3)
        expect(await dueAt()).toBe(iso(endedAt + 3 * dayMs))
        await setCeiling(server, null)
        await retention.put(3650)
        expect(await dueAt()).toBe(iso(endedAt + 40 * dayMs))
        await forget()
      })
    })

    describe('portal.retention.preview', () => {
      it('lists what is due within the days, first due first, with what it amounts to', async () => {
        const before = await retention.preview({ days: 3650 })
        const made = [
          await endedSession(server, { retentionDays: 9, stills: 2 }),
          await endedSession(server, { retentionDays: 5, environment: 'sandbox', stills: 0 }),
          await endedSession(server, { retentionDays: 7 }),
        ]
        await buildCaptureSession(server)
        const all = await retention.preview({ days: 3650, limit: 100 })
        expect(all.total).toBe(before.total + 3)
        expect(all.totals.objects).toBe(before.totals.objects + 3)
        const at = (days: number) => retention.preview({ days })
        const ids = async (days: number) => (await at(days)).items.map(({ sessionId }) => sessionId)
        expect(await ids(4)).toEqual([])
        expect(await ids(7)).toEqual([made[1]?.id, made[2]?.id])
        const { items, total, totals } = await at(9)
        expect(items.map(({ sessionId }) => sessionId)).toEqual([made[1]?.id, made[2]?.id, made[0]?.id])
        expect(items.map(({ environment, objects }) => [environment, objects])).toEqual([
          ['sandbox', 0],
          ['live', 1],
          ['live', 2],
        ])
        expect(total).toBe(3)
        const sizeBytes = items.reduce((sum, item) => sum + item.sizeBytes, 0)
        const held = { sessions: 0, objects: 0, sizeBytes: 0 }
        expect(totals).toEqual({ sessions: 3, objects: 3, sizeBytes, held })
      })

      it('pages by cursor and by offset, also where some were told more than is in force', async () => {
        for (const days of [11, 13, 12, 30, 31]) await endedSession(server, { retentionDays: days, stills: 0 })
        await retention.put(12)
        const whole = await retention.preview({ days: 12, limit: 100 })
        expect(whole.items.length).toBeGreaterThanOrEqual(5)
        const seen: string[] = []
        for (let cursor: string | undefined; ; ) {
          const page = await retention.preview({ days: 12, limit: 2, ...(cursor !== undefined && { cursor }) })
          seen.push(...page.items.map(({ sessionId }) => sessionId))
          if (page.nextCursor === null) break
          cursor = page.nextCursor
        }
        expect(seen).toEqual(whole.items.map(({ sessionId }) => sessionId))
        const second = await retention.preview({ days: 12, limit: 2, offset: 2 })
        expect(second.items.map(({ sessionId }) => sessionId)).toEqual(seen.slice(2, 4))
        const dues = whole.items.map(({ dueAt }) => dueAt)
        expect(dues).toEqual(dues.toSorted())
        await forget()
      })

      it('refuses days that are none', async () => {
        for (const days of [-1, 3651, 36_500, 1.5])
          expect(await refusalOf(retention.preview({ days }))).toMatchObject({
            status: 400,
            details: [{ path: 'days' }],
          })
      })

      it('shows nothing of another organisation', async () => {
        await endedSession(server, {})
        const { orgId } = server.orgs[1]
        const headers = await portalCookie(server, 'owner', orgId)
        const query = { days: 3650 }
        const { data } = await server.client().call('portal.retention.preview', { params: { orgId }, headers, query })
        expect(data).toMatchObject({ items: [], total: 0 })
      })
    })
  })
