import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildCaptureSession, picture, sendStill } from '../../test-support/capture-session.ts'
import { everyEngine } from '../../test-support/engines.ts'
import { portalCookie } from '../../test-support/portal.ts'
import { refusalOf } from '../../test-support/refusal.ts'
import { startServer, type TestServer } from '../../test-support/server.ts'
import { asMember } from '../candidate-requests/candidate-requests.test-support.ts'
import { dayMs, endedSession, retentionOf } from '../retention/retention.test-support.ts'

for (const engine of everyEngine())
  describe(`portal.usage.get (${engine})`, () => {
    let server: TestServer
    beforeAll(async () => {
      server = await startServer({ engine })
    })
    afterAll(() => server.stop())

    const params = () => ({ orgId: server.orgs[0].orgId })
    const usage = (query: { from?: string; to?: string } = {}) =>
      asMember(server, 'portal.usage.get', { params: params(), query })
    const day = () => new Date(server.clock.now()).toISOString().slice(0, 10)
    /** What the rows themselves say, whatever was counted. */
    const scanned = () =>
      server.app.db.reader.all<{ evidenceType: string; objects: number; sizeBytes: number }>(
        `SELECT evidence_type AS "evidenceType", count(*) AS objects, SUM(size_bytes) AS "sizeBytes" FROM evidence
         WHERE org_id = ? AND erased_at IS NULL GROUP BY evidence_type ORDER BY evidence_type`,
        [params().orgId],
      )

    it('begins with nothing, on each of thirty days', async () => {
      const none = await usage()
      expect(none).toMatchObject({ totals: { objects: 0, sizeBytes: 0 }, byType: [], heaviest: [] })
      expect(none.daily).toHaveLength(30)
      expect(none.daily.at(-1)).toEqual({ date: day(), addedBytes: 0, erasedBytes: 0 })
    })

    it('counts what came and went on its day, of both environments and of that organisation alone', async () => {
      const first = day()
      const light = await endedSession(server, { environment: 'sandbox', retentionDays: 1 })
      const heavy = await buildCaptureSession(server, { environment: 'live', config: { retentionDays: 2 } })
      const bytes = await picture()
      // The same bytes twice are two observations, each with its bytes.
      for (let n = 0; n < 2; n++) await sendStill(server, heavy, { bytes })
      await sendStill(server, heavy)
      await sendStill(server, await buildCaptureSession(server, { org: 1 }))
      await heavy.api.call('sessions.end', { params: { id: heavy.id } })

      const now = await usage()
      const [stills] = await scanned()
      expect(now.byType).toEqual([stills])
      expect(now.totals).toEqual({ objects: 4, sizeBytes: stills?.sizeBytes })
      expect(now.daily.at(-1)).toEqual({ date: first, addedBytes: stills?.sizeBytes, erasedBytes: 0 })
      expect(now.heaviest.map(({ sessionId, environment }) => [sessionId, environment])).toEqual([
        [heavy.id, 'live'],
        [light.id, 'sandbox'],
      ])

      server.clock.advance(2 * dayMs)
      await light.api.call('sessions.erase', { params: { id: light.id } })
      // A sweep erases the other one bit by bit.
      await retentionOf(server).run({ maxObjects: 1 })
      const then = await usage()
      expect(then.byType).toEqual(await scanned())
      expect(then.totals.objects).toBe(2)
      expect(then.daily.at(-1)).toEqual({
        date: day(),
        addedBytes: 0,
        erasedBytes: now.totals.sizeBytes - then.totals.sizeBytes,
      })
      expect(then.daily.at(-3)).toEqual(now.daily.at(-1))
      expect(then.heaviest).toEqual([
        expect.objectContaining({ sessionId: heavy.id, sizeBytes: then.totals.sizeBytes }),
      ])
      // Erased again: counted once.
      await light.api.call('sessions.erase', { params: { id: light.id } })
      expect(await usage()).toEqual(then)
      while ((await retentionOf(server).run()).state === 'more');
      expect(await usage()).toMatchObject({ totals: { objects: 0, sizeBytes: 0 }, byType: [], heaviest: [] })
    })

    it('counts right whatever is stored and erased at the same time', async () => {
      const sessions = await Promise.all([1, 2, 3, 4].map(() => buildCaptureSession(server)))
      await Promise.all(sessions.flatMap((session) => [1, 2, 3].map(() => sendStill(server, session))))
      for (const { api, id } of sessions) await api.call('sessions.end', { params: { id } })
      const late = sessions.slice(2)
      const capturedAt = new Date(server.clock.now()).toISOString()
      await Promise.all([
        ...sessions.slice(0, 2).map(({ api, id }) => api.call('sessions.erase', { params: { id } })),
        ...late.flatMap((session) => [1, 2].map(() => sendStill(server, session, { capturedAt }))),
      ])
      const { byType, heaviest } = await usage()
      expect(byType).toEqual(await scanned())
      expect(heaviest.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)).toBe(byType[0]?.sizeBytes)
    })

    it('is of the days asked for, at most a year of them', async () => {
      const at = (days: number) => new Date(server.clock.now() - days * dayMs).toISOString()
      expect((await usage({ from: at(4) })).daily.map(({ date }) => date)).toEqual(
        [4, 3, 2, 1, 0].map((days) => at(days).slice(0, 10)),
      )
      const midnight = `${day()}T00:00:00.000Z`
      expect((await usage({ from: midnight, to: midnight })).daily).toEqual([])
      expect((await usage({ from: at(365), to: at(0) })).daily.length).toBeLessThanOrEqual(367)
      for (const query of [{ from: at(1), to: at(2) }, { from: at(400), to: at(0) }, { from: at(400) }, { from: 'x' }])
        expect(await refusalOf(usage(query))).toMatchObject({ status: 400, details: [{ path: 'from' }] })
    })

    it('is for whoever sees insights, and of their organisation', async () => {
      expect(
        await refusalOf(asMember(server, 'portal.usage.get', { params: params(), query: {} }, 'reviewer')),
      ).toMatchObject({ status: 403 })
      const { orgId } = server.orgs[1]
      const headers = await portalCookie(server, 'owner', orgId)
      const { data } = await server.client().call('portal.usage.get', { params: { orgId }, headers, query: {} })
      expect(data.totals.objects).toBe(1)
    })
  })
