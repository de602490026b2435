import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { listDeletable } from '../../../src/domains/administration/retention/due.store.ts'
import type { Tx } from '../../../src/platform/db/types.ts'
import { auditRowsOf } from '../../test-support/audit-rows.ts'
import { everyEngine } from '../../test-support/engines.ts'
import { startServer, type TestServer } from '../../test-support/server.ts'
import { dayMs, endedSession, keptObjects, retentionOf } from './retention.test-support.ts'

for (const engine of everyEngine())
  describe(`a sweep at its edges (${engine})`, () => {
    let server: TestServer
    let retention: ReturnType<typeof retentionOf>
    beforeAll(async () => {
      server = await startServer({ engine })
      retention = retentionOf(server)
    })
    afterAll(() => server.stop())

    const listed = async (id: string) =>
      (await retention.preview({ days: 0, limit: 100 })).items.some(({ sessionId }) => sessionId === id)

    it('has a session due whose candidate was told just what the organisation keeps, from that instant on', async () => {
      await retention.put(30)
      const { id } = await endedSession(server, { retentionDays: 30 })
      server.clock.advance(30 * dayMs - 1)
      expect(await listed(id)).toBe(false)
      server.clock.advance(1)
      expect(await listed(id)).toBe(true)
      expect(await retention.run()).toMatchObject({ state: 'completed', erasedSessions: 1 })
      expect(await keptObjects(server, id)).toBe(0)
    })

    it('has a session due by the bound of the organisation, where that is shorter, from that instant on', async () => {
      await retention.put(90)
      const { id } = await endedSession(server, { retentionDays: 60 })
      // Shorter than what was told to the candidate since.
      await retention.put(20)
      server.clock.advance(20 * dayMs - 1)
      expect(await listed(id)).toBe(false)
      server.clock.advance(1)
      expect(await listed(id)).toBe(true)
      expect(await retention.run()).toMatchObject({ state: 'completed', erasedSessions: 1 })
      await retention.put(30)
    })

    it('is kept from no session by those before it that a hold keeps, however many', async () => {
      const held = await endedSession(server, { retentionDays: 1 })
      const due = await endedSession(server, { retentionDays: 1 })
      server.clock.advance(2 * dayMs)
      const { db } = server.app
      const setHold = (value: 0 | 1) =>
        db.transact((tx) => tx.run('UPDATE sessions SET legal_hold = ? WHERE session_id = ?', [value, held.id]))
      await setHold(1)
      const horizon = { orgId: server.orgs[0].orgId, at: server.clock.now(), boundDays: Number.POSITIVE_INFINITY }
      expect((await listDeletable(db.reader, horizon, 1)).map(({ sessionId }) => sessionId)).toEqual([due.id])
      await setHold(0)
      expect(await retention.run()).toMatchObject({ state: 'completed', erasedSessions: 2 })
    })

    it('erases a session whole that has just as many objects as a call may erase', async () => {
      await endedSession(server, { retentionDays: 1, stills: 2 })
      server.clock.advance(dayMs)
      await endedSession(server, { retentionDays: 1 })
      server.clock.advance(dayMs)
      expect(await retention.run({ maxObjects: 2 })).toMatchObject({
        state: 'more',
        erasedSessions: 1,
        erasedObjects: 2,
        remaining: 1,
      })
      // Of the next nothing was erased, so nothing says so.
      expect(await auditRowsOf(server, 'session.partly_erased')).toEqual([])
      expect(await retention.sweep()).toMatchObject({ state: 'more', completedAt: null })
      expect(await retention.run({ maxObjects: 2 })).toMatchObject({ state: 'completed', erasedSessions: 1 })
      // Both calls are of one sweep, and what comes after its end is another.
      const swept = await retention.sweep()
      expect(swept).toMatchObject({ calls: 2, erasedSessions: 2, erasedObjects: 3 })
      await retention.run()
      expect(await retention.sweep()).toMatchObject({ calls: 1, erasedSessions: 0, erasedObjects: 0 })
      expect((await retention.sweep()).sweepId).not.toBe(swept.sweepId)
    })

    it('erases no more than a call may, over several sessions, and each call has its row in the trail', async () => {
      const [first, second] = [
        await endedSession(server, { retentionDays: 1 }),
        await endedSession(server, { retentionDays: 2, stills: 3 }),
      ]
      server.clock.advance(2 * dayMs)
      const { sweepId, ...done } = await retention.run({ maxObjects: 2 })
      expect(done).toMatchObject({ state: 'more', erasedSessions: 1, erasedObjects: 2, remaining: 2 })
      expect([await keptObjects(server, first.id), await keptObjects(server, second.id)]).toEqual([0, 2])
      const { erasedSessions, erasedObjects, erasedBytes } = done
      expect((await auditRowsOf(server, 'retention.swept')).at(-1)).toEqual({
        target: sweepId,
        payload: { erasedSessions, erasedObjects, erasedBytes, state: 'more', heldSessions: 0, remaining: 2 },
      })
      const partly = await auditRowsOf(server, 'session.partly_erased')
      expect(partly).toEqual([{ target: second.id, payload: { objects: 1, bytes: expect.any(Number) } }])
      expect(await retention.run()).toMatchObject({ state: 'completed', erasedObjects: 2 })
      expect(await retention.sweep()).toMatchObject({ state: 'completed', completedAt: expect.any(String) })
    })

    it('leaves alone what somebody erased or held while it waited for its lock', async () => {
      const [erased, held, due] = [
        await endedSession(server, { retentionDays: 1 }),
        await endedSession(server, { retentionDays: 1 }),
        await endedSession(server, { retentionDays: 1 }),
      ]
      server.clock.advance(2 * dayMs)
      const { db } = server.app
      const transact = db.transact.bind(db)
      /** As whoever held the two sessions commits it: after the sweep has chosen, and before it has them. */
      const others = async (tx: Tx) => {
        await tx.run('DELETE FROM session_windows WHERE session_id = ?', [erased.id])
        await tx.run('UPDATE sessions SET legal_hold = 1 WHERE session_id = ?', [held.id])
      }
      let chosen = false
      const watched = (tx: Tx): Tx =>
        new Proxy(tx, {
          get: (target, name) => {
            const value: unknown = Reflect.get(target, name, target)
            if (typeof value !== 'function') return value
            if (name !== 'all') return value.bind(target) as unknown
            return async (sql: string, params: never) => {
              const rows = await target.all(sql, params)
              if (!chosen && sql.includes('FROM session_windows')) {
                chosen = true
                await others(target)
              }
              return rows
            }
          },
        })
      Object.assign(db, { transact: (work: (tx: Tx) => Promise<unknown>) => transact((tx) => work(watched(tx))) })
      try {
        expect(await retention.run()).toMatchObject({ erasedSessions: 1, heldSessions: 1 })
      } finally {
        Object.assign(db, { transact })
      }
      expect(chosen).toBe(true)
      const kept = []
      for (const { id } of [erased, held, due]) kept.push(await keptObjects(server, id))
      expect(kept).toEqual([1, 1, 0])
    })
  })
