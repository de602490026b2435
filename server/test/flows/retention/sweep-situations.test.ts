import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildCaptureSession, iso, sendStill, storedFiles } from '../../test-support/capture-session.ts'
import { everyEngine } from '../../test-support/engines.ts'
import { proofSize } from '../../test-support/proof.ts'
import { startServer, type TestServer } from '../../test-support/server.ts'
import { killSweep } from '../../test-support/sweep-process.ts'
import { dayMs, retentionOf, setCeiling } from './retention.test-support.ts'
import { dueOf, type Known, type Planned, type PlannedRules, type Situation, situations } from './sweep.test-support.ts'

const all = situations(proofSize({ small: 40, large: 200 }))
const perTest = 20

for (const engine of everyEngine())
  describe(`a sweep deletes what its preview lists, and nothing else (${engine})`, () => {
    let server: TestServer
    let retention: ReturnType<typeof retentionOf>
    const known: Known[] = []
    let rules: PlannedRules = { defaultDays: null, ceilingDays: null }
    let killed = 0

    beforeAll(async () => {
      server = await startServer({ engine })
      retention = retentionOf(server)
    })
    afterAll(() => server.stop())

    const setRules = async (next: PlannedRules) => {
      if (next.defaultDays !== null) await retention.put(next.defaultDays)
      await setCeiling(server, next.ceilingDays)
      rules = { defaultDays: next.defaultDays ?? rules.defaultDays, ceilingDays: next.ceilingDays }
    }

    const build = async (plan: Planned): Promise<void> => {
      const { environment, retentionDays, state } = plan
      const session = await buildCaptureSession(server, {
        environment,
        config: { retentionDays },
        registered: state !== 'scheduled',
      })
      const params = { id: session.id }
      const toldDays = Math.min(retentionDays, rules.defaultDays ?? 100_000, rules.ceilingDays ?? 100_000)
      const one = { id: session.id, environment, toldDays, held: false, erased: false, objects: 0 }
      const capturedAt = iso(server.clock.now())
      const stills = state === 'scheduled' ? 0 : plan.stills
      for (let n = 0; n < stills; n++) await sendStill(server, session, { capturedAt })
      if (state === 'live' || state === 'scheduled') known.push({ ...one, endedAt: null, objects: stills })
      else {
        const endedAt = server.clock.now()
        await session.api.call('sessions.end', { params })
        server.clock.advance(60_000)
        for (let n = 0; n < plan.lateStills; n++) await sendStill(server, session, { capturedAt })
        if (state === 'erased') await session.api.call('sessions.erase', { params })
        const erased = state === 'erased'
        known.push({ ...one, endedAt, erased, objects: erased ? 0 : stills + plan.lateStills })
      }
      if (plan.held) await turnHold(known.at(-1))
    }
    const turnHold = async (session: Known | undefined): Promise<void> => {
      if (!session || session.erased) return
      session.held = !session.held
      await retention.hold(session.id, session.held, 'A dispute.')
    }

    const listed = async () => {
      const items: Awaited<ReturnType<typeof retention.preview>>['items'] = []
      for (let cursor: string | undefined; ; ) {
        const page = await retention.preview({ days: 0, limit: 100, ...(cursor !== undefined && { cursor }) })
        items.push(...page.items)
        if (page.nextCursor === null) return { items, totals: page.totals }
        cursor = page.nextCursor
      }
    }

    /** Calls until there is nothing more to do, several at a time; what they say they erased together. */
    const sweep = async ({ callers, maxObjects }: Situation) => {
      const erased = { objects: 0, sessions: 0 }
      for (let more = true; more; ) {
        const answers = await Promise.all(Array.from({ length: callers }, () => retention.run({ maxObjects })))
        for (const answer of answers) {
          expect(answer.erasedObjects).toBeLessThanOrEqual(maxObjects)
          erased.objects += answer.erasedObjects
          erased.sessions += answer.erasedSessions
        }
        more = answers.every(({ state }) => state === 'more')
      }
      return erased
    }
    const sweptSoFar = async () => {
      const sql = 'SELECT sum(erased_objects) AS objects, sum(erased_sessions) AS sessions FROM retention_sweeps'
      const row = await server.app.db.reader.get<{ objects: number | null; sessions: number | null }>(sql)
      return { objects: row?.objects ?? 0, sessions: row?.sessions ?? 0 }
    }

    /** At one of the steps of erasing so many sessions and objects: before each domain's part, at the commit, at each file. */
    const killOne = async (chosen: number, sessions: number, objects: number): Promise<void> => {
      const stopAt = 1 + (chosen % (server.app.erasers.length * sessions + 2 + 2 * objects))
      const { dataDir, databaseUrl } = server.app.config
      const { orgId, userId } = server.orgs[0]
      const now = server.clock.now()
      if (await killSweep({ dataDir, databaseUrl, now, orgId, userId, maxObjects: 500, stopAt })) killed += 1
      // What time would do: the lease of a process that is dead runs out.
      await server.app.db.transact((tx) => tx.run('UPDATE jobs SET lease_until = 0 WHERE lease_until IS NOT NULL'))
    }

    /** The rows of every session that was ever made here. */
    const rows = () =>
      server.app.db.reader.all<{ id: string; erased: number; kept: number; open: number }>(
        `SELECT s.session_id AS id, CASE WHEN s.erased_at IS NULL THEN 0 ELSE 1 END AS erased,
           (SELECT count(*) FROM evidence e WHERE e.org_id = s.org_id AND e.session_id = s.session_id
             AND e.erased_at IS NULL) AS kept,
           (SELECT count(*) FROM evidence e JOIN objects o ON o.org_id = e.org_id AND o.object_id = e.object_id
             WHERE e.org_id = s.org_id AND e.session_id = s.session_id AND o.header IS NOT NULL) AS open
         FROM sessions s ORDER BY s.session_id`,
      )

    const play = async (situation: Situation): Promise<void> => {
      await setRules(situation.rulesBefore)
      for (const plan of situation.sessions) await build(plan)
      await setRules(situation.rulesAfter)
      server.clock.advance(situation.days * dayMs)
      await turnHold(known[situation.turned % known.length])
      if (situation.orgHeld) await retention.holdOrg(true, 'An investigation.')

      const due = dueOf(known, rules, server.clock.now())
      const isHeld = (session: Known) => session.held || situation.orgHeld
      const { items, totals } = await listed()
      const shown = items.map(({ sessionId, environment, dueAt, objects, held }) => [
        ...[sessionId, environment, dueAt, objects, held],
      ])
      const wanted = due.map(({ session, dueAt }) => [
        ...[session.id, session.environment, iso(dueAt), session.objects, isHeld(session)],
      ])
      const byId = (a: unknown[], b: unknown[]) => (String(a[0]) < String(b[0]) ? -1 : 1)
      expect(shown.toSorted(byId)).toEqual(wanted.toSorted(byId))
      expect(items.map(({ dueAt }) => dueAt)).toEqual(items.map(({ dueAt }) => dueAt).toSorted())
      const free = items.filter(({ held }) => !held)
      const objects = free.reduce((sum, item) => sum + item.objects, 0)
      expect(totals).toMatchObject({ sessions: free.length, objects, held: { sessions: items.length - free.length } })

      const before = await sweptSoFar()
      if (situation.killed !== undefined) await killOne(situation.killed, free.length, objects)
      const erased = await sweep(situation)
      const after = await sweptSoFar()
      const together = { objects: after.objects - before.objects, sessions: after.sessions - before.sessions }
      expect(together).toEqual({ objects, sessions: free.length })
      if (situation.killed === undefined) expect(erased).toEqual(together)

      const gone = new Set(free.map(({ sessionId }) => sessionId))
      for (const session of known.filter(({ id }) => gone.has(id))) Object.assign(session, { erased: true, objects: 0 })
      const expected = known.map(({ id, erased: isErased, objects: kept }) => ({
        id,
        erased: Number(isErased),
        kept,
        open: kept,
      }))
      expect(await rows()).toEqual(expected.toSorted((a, b) => (a.id < b.id ? -1 : 1)))
      expect((await listed()).items.every(({ held }) => held)).toBe(true)
      await server.processAll()
      expect(await storedFiles(server, 'objects')).toHaveLength(known.reduce((sum, one) => sum + one.objects, 0))
      if (situation.orgHeld) await retention.holdOrg(false)
    }

    for (let first = 0; first < all.length; first += perTest)
      it(`in situations ${first + 1} to ${first + perTest}`, async () => {
        for (const [n, situation] of all.slice(first, first + perTest).entries())
          await play(situation).catch((cause: unknown) => {
            throw new Error(`situation ${first + n + 1}: ${JSON.stringify(situation)}`, { cause })
          })
      }, 240_000)

    it('had processes killed on the way', () => expect(killed).toBeGreaterThan(all.length / 20))
  })
