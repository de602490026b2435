import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { integrityEventsRoutes } from '../../../src/domains/interviews/integrity-events/integrity-events.routes.ts'
import { verifyChain } from '../../../src/kernel/audit/audit.verify.ts'
import { settleMs } from '../../../src/kernel/time.ts'
import type { Engine, MigratableDb } from '../../../src/platform/db/dialect.ts'
import { openSqlite } from '../../../src/platform/db/sqlite/sqlite.db.ts'
import { type FreshDatabase, freshDatabase } from '../../test-support/databases.ts'
import { enginesInTurn } from '../../test-support/engines.ts'
import { startServer, type TestServer } from '../../test-support/server.ts'
import { until } from '../../test-support/until.ts'
import { anEvent, type LiveSession, liveSession } from '../../test-support/world.ts'

type Event = ReturnType<typeof anEvent>

/** What is the same in all rows of the audit chain that one transaction has written: it moves the head once. */
const transactionOf = {
  sqlite: `(SELECT min(m.seq) FROM head_moves m WHERE m.org_id = audit_log.org_id AND m.seq >= audit_log.seq)`,
  postgres: 'xmin::text',
}
const noteMoves = {
  sqlite: [
    'CREATE TABLE head_moves (org_id text, seq integer)',
    `CREATE TRIGGER note_moves AFTER UPDATE OF audit_seq ON org_heads
     BEGIN INSERT INTO head_moves VALUES (NEW.org_id, NEW.audit_seq); END`,
  ],
  postgres: [],
}
const refuseInserts = {
  sqlite: [
    `CREATE TRIGGER refuse_one BEFORE INSERT ON integrity_events WHEN NEW.kind = 'test.refused'
     BEGIN SELECT RAISE(ABORT, 'not this one'); END`,
  ],
  postgres: [
    `CREATE FUNCTION refuse_one() RETURNS trigger LANGUAGE plpgsql AS $$
     BEGIN RAISE EXCEPTION 'not this one'; END $$`,
    `CREATE TRIGGER refuse_one BEFORE INSERT ON integrity_events FOR EACH ROW
     WHEN (NEW.kind = 'test.refused') EXECUTE FUNCTION refuse_one()`,
  ],
}
const refuseCommits = {
  sqlite: [
    'CREATE TABLE parents (id integer PRIMARY KEY)',
    'CREATE TABLE orphans (parent integer NOT NULL REFERENCES parents (id) DEFERRABLE INITIALLY DEFERRED)',
    `CREATE TRIGGER refuse_commit AFTER INSERT ON integrity_events WHEN NEW.kind = 'test.uncommitted'
     BEGIN INSERT INTO orphans VALUES (1); END`,
  ],
  postgres: [
    `CREATE FUNCTION refuse_commit() RETURNS trigger LANGUAGE plpgsql AS $$
     BEGIN RAISE EXCEPTION 'not these'; END $$`,
    `CREATE CONSTRAINT TRIGGER refuse_commit AFTER INSERT ON integrity_events DEFERRABLE INITIALLY DEFERRED
     FOR EACH ROW WHEN (NEW.kind = 'test.uncommitted') EXECUTE FUNCTION refuse_commit()`,
  ],
}

for (const engine of enginesInTurn(import.meta.filename))
  describe(`batches of several sessions that wait together (${engine})`, () => {
    let fresh: FreshDatabase
    let db: MigratableDb
    let server: TestServer
    let sessions: LiveSession[]
    /** Groups that have asked for a transaction so far. */
    let asked = 0
    /** Events that SQLite's writer in this thread has inserted. */
    let insertedHere = 0
    const trace = (sql: string) => {
      if (sql.startsWith('INSERT INTO "integrity_events"')) insertedHere += 1
    }
    const arrived = vi.spyOn(integrityEventsRoutes['agent.events.ingest'].together, 'subject')

    beforeAll(async () => {
      fresh = await freshDatabase(engine)
      db = engine === 'sqlite' ? openSqlite({ file: fresh.file, trace }) : fresh.open()
      const counted: MigratableDb = {
        ...db,
        transact: (work) => {
          asked += 1
          return db.transact(work)
        },
      }
      server = await startServer({ overrides: { db: counted } })
      await change(noteMoves)
    })
    beforeEach(async () => {
      const { orgId, sandboxKey } = server.orgs[0]
      sessions = []
      for (let n = 0; n < 9; n += 1)
        sessions.push(await liveSession(server, { orgId, environment: 'sandbox' }, sandboxKey))
    })
    afterAll(async () => {
      await server.stop()
      await db.close()
      await fresh.drop()
    })

    const change = (statements: Readonly<Record<Engine, readonly string[]>>) =>
      db.transact(async (tx) => {
        for (const sql of statements[engine]) await tx.run(sql)
      })
    const ingest = async (session: LiveSession, events: Event[]) =>
      (await server.client(session.agent).call('agent.events.ingest', { params: { id: session.id }, body: { events } }))
        .data
    const list = async ({ id }: LiveSession) =>
      (await server.client(server.orgs[0].sandboxKey).call('sessions.events.list', { params: { id }, query: {} })).data
    const some = (count: number, kind?: string) => Array.from({ length: count }, () => anEvent(server, kind))

    /** Holds a row in a transaction of its own until it is told not to; on SQLite that holds the writer. */
    const hold = async (sql: string, id: string): Promise<() => Promise<void>> => {
      const done = Promise.withResolvers<void>()
      const held = Promise.withResolvers<void>()
      const holding = db.transact(async (tx) => {
        await tx.get(`${sql}${tx.forUpdate}`, [id])
        held.resolve()
        await done.promise
      })
      await held.promise
      return () => {
        done.resolve()
        return holding
      }
    }
    /** Sends a batch to each session but the first, while one of the first's waits. */
    const sendTogether = async (batchOf: (session: LiveSession, n: number) => Event[]) => {
      const [first, ...others] = sessions as [LiveSession, ...LiveSession[]]
      const release = await hold('SELECT 1 AS one FROM org_heads WHERE org_id = ?', server.orgs[0].orgId)
      const before = arrived.mock.calls.length
      const askedBefore = asked
      const alone = ingest(first, some(1))
      await until(() => asked > askedBefore)
      const sent = Promise.allSettled(others.map((session, n) => ingest(session, batchOf(session, n))))
      await until(() => arrived.mock.calls.length === before + sessions.length)
      await release()
      const [lone] = await Promise.allSettled([alone])
      const outcomes = await sent
      const rows = await received(others)
      return { lone, others, outcomes, rows, transactions: new Set(rows.map((row) => row.written)).size }
    }
    const received = async (others: readonly LiveSession[]) =>
      db.reader.all<{ session: string; target: string; written: string | number }>(
        `SELECT session_id AS session, target, ${transactionOf[engine]} AS written FROM audit_log
         WHERE action = 'session.events_received' AND session_id IN (${others.map(() => '?').join(', ')})`,
        others.map(({ id }) => id),
      )
    const chain = () => verifyChain(db.reader, server.orgs[0].orgId, { seal: server.app.seal, checkpointKeys: [] })

    it('are one transaction, with a row of the audit chain for each', async () => {
      insertedHere = 0
      const { lone, others, outcomes, rows, transactions } = await sendTogether((_session, n) => some(n + 1))
      expect(lone).toMatchObject({ value: { accepted: 1, duplicates: 0 } })
      expect(outcomes).toMatchObject(others.map((_, n) => ({ value: { accepted: n + 1, duplicates: 0 } })))
      expect(transactions).toBe(1)
      if (engine === 'sqlite') expect(insertedHere).toBe(1 + 36)
      expect(rows.map(({ target }) => target).sort()).toEqual(others.map(({ id }, n) => `${id}#1-${n + 1}`).sort())
      for (const [n, session] of others.entries()) {
        const { items, total, counts } = await list(session)
        expect(items.map(({ position }) => position)).toEqual(Array.from({ length: n + 1 }, (_, k) => k + 1))
        expect([total, counts]).toEqual([n + 1, { 'display.added': n + 1 }])
      }
      expect((await chain()).ok).toBe(true)
    })

    it('are refused each for itself', async () => {
      const [, ended, early] = sessions as [LiveSession, LiveSession, LiveSession]
      await server.client(server.orgs[0].sandboxKey).call('sessions.end', { params: { id: ended.id } })
      server.clock.advance(60_000)
      const old = { ...anEvent(server), observedAt: new Date(server.clock.now() - 3_600_000).toISOString() }
      const { others, outcomes, rows, transactions } = await sendTogether((session) =>
        session === early ? [anEvent(server), old] : some(2),
      )
      expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected', ...Array(6).fill('fulfilled')])
      expect(outcomes[1]).toMatchObject({ reason: { status: 400, details: [{ path: 'events.1.observedAt' }] } })
      expect(transactions).toBe(1)
      expect(rows.map(({ session }) => session).sort()).toEqual(
        others
          .slice(2)
          .map(({ id }) => id)
          .sort(),
      )
      expect((await list(early)).total).toBe(0)
      expect((await chain()).ok).toBe(true)
    })

    it('count what comes twice once, and keep their positions dense', async () => {
      const [, one, two] = sessions as [LiveSession, LiveSession, LiveSession]
      const before = some(2)
      await ingest(one, before)
      const repeated = anEvent(server)
      const { outcomes, rows } = await sendTogether((session) => {
        if (session === one) return [anEvent(server), ...before, anEvent(server)]
        return session === two ? [repeated, { ...repeated, kind: 'idle.ended' }] : some(1)
      })
      expect(outcomes.slice(0, 3)).toMatchObject([
        { value: { accepted: 2, duplicates: 2 } },
        { value: { accepted: 1, duplicates: 1 } },
        { value: { accepted: 1, duplicates: 0 } },
      ])
      expect((await list(one)).items.map(({ position }) => position)).toEqual([1, 2, 3, 4])
      expect((await list(two)).counts).toEqual({ 'display.added': 1 })
      const ranges = rows.filter(({ session }) => session === one.id).map(({ target }) => target)
      expect(ranges.sort()).toEqual([`${one.id}#1-2`, `${one.id}#3-4`])
      expect((await chain()).ok).toBe(true)
    })

    it('keep what their lanes say, to be published once it has settled', async () => {
      const up = () => anEvent(server, 'lane.health', { lane: 'screen', health: 'up' })
      const { others, transactions } = await sendTogether(() => [up(), ...some(1)])
      expect(transactions).toBe(1)
      const jobs = await db.reader.all<{ payload: string; run_at: number }>(
        "SELECT payload, run_at FROM jobs WHERE kind = 'lanes.settle' AND org_id = ?",
        [server.orgs[0].orgId],
      )
      expect(jobs.map(({ run_at }) => run_at)).toEqual(others.map(() => server.clock.now() + settleMs))
      const waiting = jobs.map(({ payload }) => (JSON.parse(payload) as { sessionId: string }).sessionId)
      expect(waiting.toSorted()).toEqual(others.map(({ id }) => id).toSorted())
      expect((await chain()).ok).toBe(true)
    })

    // On SQLite nobody holds a row: there is one writer.
    const whereRowsAreHeld = engine === 'sqlite' ? () => undefined : it
    whereRowsAreHeld('do not wait for a session that somebody else holds', async () => {
      const [first, second] = sessions as [LiveSession, LiveSession]
      const release = await hold('SELECT 1 AS one FROM sessions WHERE session_id = ?', first.id)
      const waiting = ingest(first, some(1))
      await until(async () => {
        const sql = "SELECT count(*) AS n FROM pg_stat_activity WHERE wait_event_type = 'Lock'"
        return (await db.reader.get<{ n: number }>(sql))?.n === 1
      })
      expect(await ingest(second, some(1))).toMatchObject({ accepted: 1 })
      await release()
      expect(await waiting).toMatchObject({ accepted: 1 })
    })

    it('are written each by itself when the shared transaction fails, and only the one at fault is refused', async () => {
      await change(refuseInserts)
      const { others, outcomes, transactions } = await sendTogether((_session, n) =>
        some(1, n === 4 ? 'test.refused' : undefined),
      )
      expect(outcomes.map(({ status }) => status)).toEqual(others.map((_, n) => (n === 4 ? 'rejected' : 'fulfilled')))
      expect(outcomes[4]).toMatchObject({ reason: { status: 500 } })
      expect(transactions).toBe(7)
      expect((await chain()).ok).toBe(true)
    })

    it('are refused all when their COMMIT fails, and nothing is left of them', async () => {
      await change(refuseCommits)
      const { others, outcomes, rows } = await sendTogether((_session, n) =>
        some(1, n === 4 ? 'test.uncommitted' : undefined),
      )
      expect(outcomes).toMatchObject(others.map(() => ({ status: 'rejected', reason: { status: 500 } })))
      expect(rows).toEqual([])
      expect(await ingest(others[0] as LiveSession, some(1))).toMatchObject({ accepted: 1 })
      expect((await chain()).ok).toBe(true)
    })
  })
