import { catalogVersion, eventCatalog } from '@integrity/protocol'
import { beforeAll, expect, it } from 'vitest'
import { describeEachDatabase } from '../../../test/test-support/databases.ts'
import { migrations } from '../../migrations/index.ts'
import type { MigratableDb } from '../../platform/db/dialect.ts'
import type { Tx } from '../../platform/db/types.ts'
import { createIds } from '../../platform/ids.ts'
import { createManualClock } from '../../platform/manual-clock.test-support.ts'
import { noTraces } from '../../platform/traces/traces.ts'
import { addOrg } from '../audit/audit.test-support.ts'
import type { Scope } from '../identity/scope.ts'
import { lastSequence } from './outbox.store.ts'
import { createOutbox, eventsChannel, type FanOut } from './outbox.ts'

const session = { id: 'ses_1', externalId: null, state: 'scheduled' } as const
const scheduled = { type: 'session.scheduled', sessionId: 'ses_1', data: { session } } as const
const none: FanOut = async () => undefined

describeEachDatabase('the outbox', (open) => {
  let db: MigratableDb
  let other: MigratableDb
  const clock = createManualClock()
  const newId = createIds(() => clock.now())
  let orgs = 0

  beforeAll(async () => {
    db = await open(migrations)
    other = await open(migrations)
  })

  const newScope = async (): Promise<Scope> => {
    const orgId = `org_${++orgs}`
    await addOrg(db, orgId)
    return { orgId, environment: 'live' }
  }
  const outboxOf = (of: MigratableDb, fanOut = none) => createOutbox({ db: of, clock, newId, traces: noTraces, fanOut })
  const stored = (scope: Scope) =>
    db.reader.all<{ seq: number; event_id: string; envelope: string }>(
      'SELECT seq, event_id, envelope FROM events WHERE org_id = ? AND environment = ? ORDER BY seq',
      [scope.orgId, scope.environment],
    )

  it('gives sequences without a gap to publishers of two processes at once', async () => {
    const scope = await newScope()
    const publish = (n: number) => {
      const of = n % 2 ? db : other
      return of.transact((tx) => outboxOf(of).publish({ tx, scope }, scheduled))
    }
    const published = await Promise.all(Array.from({ length: 40 }, (_, n) => publish(n)))
    const rows = await stored(scope)
    expect(rows.map((row) => row.seq)).toEqual(Array.from({ length: 40 }, (_, n) => n + 1))
    const bySeq = [...published].sort((a, b) => a.seq - b.seq)
    expect(rows.map((row) => row.event_id)).toEqual(bySeq.map((event) => event.id))
    expect(await lastSequence(db.reader, scope)).toBe(40)
  })

  it('never shows a reader a sequence while a smaller one can still appear', async () => {
    const scope = await newScope()
    let publishing = true
    const seen: number[][] = []
    const reading = (async () => {
      while (publishing) {
        seen.push((await stored(scope)).map((row) => row.seq))
        await new Promise((resolve) => setImmediate(resolve))
      }
    })()
    const work = Array.from({ length: 40 }, (_, n) => {
      const of = n % 2 ? db : other
      return of.transact(async (tx) => {
        await outboxOf(of).publish({ tx, scope }, scheduled)
        // Statements after it, more for some than for others, so that commits could come in another order.
        for (let i = 0; i < n % 5; i++) await tx.get('SELECT 1 AS one')
      })
    })
    await Promise.all(work)
    publishing = false
    await reading
    expect(seen.length).toBeGreaterThan(0)
    for (const seqs of seen) expect(seqs).toEqual(seqs.map((_, index) => index + 1))
  })

  it('leaves no gap where a transaction was rolled back', async () => {
    const scope = await newScope()
    const work = Array.from({ length: 12 }, (_, n) =>
      db.transact(async (tx) => {
        await outboxOf(db).publish({ tx, scope }, scheduled)
        if (n % 3 === 1) throw new Error('refused')
      }),
    )
    await Promise.allSettled(work)
    expect((await stored(scope)).map((row) => row.seq)).toEqual([1, 2, 3, 4, 5, 6, 7, 8])
    expect(await lastSequence(db.reader, scope)).toBe(8)
  })

  it('counts live and sandbox, and every organisation, by itself', async () => {
    const [live, another] = [await newScope(), await newScope()]
    const sandbox: Scope = { ...live, environment: 'sandbox' }
    const seqs = await db.transact(async (tx) => {
      const all: number[] = []
      for (const scope of [live, sandbox, live, another])
        all.push((await outboxOf(db).publish({ tx, scope }, scheduled)).seq)
      return all
    })
    expect(seqs).toEqual([1, 1, 2, 1])
    expect(await stored(sandbox)).toHaveLength(1)
  })

  it('wakes listeners after the commit, and not after a rollback', async () => {
    const scope = await newScope()
    const woken: string[] = []
    const outbox = outboxOf(recording(db, woken))
    await db.transact(async (tx) => {
      await outbox.publish({ tx, scope }, scheduled)
      expect(woken).toEqual([])
    })
    expect(woken).toEqual([eventsChannel])
    const failing = db.transact(async (tx) => {
      await outbox.publish({ tx, scope }, scheduled)
      throw new Error('no')
    })
    await expect(failing).rejects.toThrow('no')
    expect(woken).toHaveLength(1)
  })

  it('wakes a listener that then finds the event', async () => {
    const scope = await newScope()
    const found = Promise.withResolvers<number>()
    const stop = other.listen(eventsChannel, () => {
      void lastSequence(other.reader, scope).then((seq) => seq > 0 && found.resolve(seq), found.reject)
    })
    // On SQLite a wake-up stays within its process, so the listener's own Db publishes there.
    const of = db.dialect.engine === 'sqlite' ? other : db
    await of.transact((tx) => outboxOf(of).publish({ tx, scope }, scheduled))
    expect(await found.promise).toBe(1)
    stop()
  })

  it('hands the fan-out the same bytes as the row, in the same transaction', async () => {
    const scope = await newScope()
    const seen: unknown[] = []
    const fanOut: FanOut = async (tx: Tx, given, event, onlyEndpoint) => {
      const sql = 'SELECT envelope FROM events WHERE org_id = ? AND environment = ? AND seq = ?'
      const row = await tx.get<{ envelope: string }>(sql, [given.orgId, given.environment, event.seq])
      seen.push([row?.envelope === event.envelope, onlyEndpoint])
    }
    const published = await db.transact((tx) =>
      outboxOf(db, fanOut).publish({ tx, scope }, { ...scheduled, onlyEndpoint: 'whk_1' }),
    )
    expect(seen).toEqual([[true, 'whk_1']])
    const [row] = await stored(scope)
    expect(Buffer.from(row!.envelope)).toEqual(Buffer.from(published.envelope))
    expect(JSON.parse(row!.envelope)).toEqual({
      id: published.id,
      type: 'session.scheduled',
      sessionId: 'ses_1',
      createdAt: new Date(clock.now()).toISOString(),
      apiVersion: 'v1',
      catalogVersion,
      data: { session },
    })
    const declared = eventCatalog.find((event) => event.type === 'session.scheduled')!
    expect(declared.data.parse(JSON.parse(row!.envelope).data)).toEqual({ session })
  })

  it('publishes nothing when the fan-out fails', async () => {
    const scope = await newScope()
    const fanOut: FanOut = async () => {
      throw new Error('no deliveries')
    }
    await expect(db.transact((tx) => outboxOf(db, fanOut).publish({ tx, scope }, scheduled))).rejects.toThrow(
      'no deliveries',
    )
    expect(await stored(scope)).toEqual([])
    expect(await lastSequence(db.reader, scope)).toBe(0)
  })

  it('leaves out the session where an event is about none', async () => {
    const scope = await newScope()
    const event = { type: 'webhook.test', data: { webhook: { id: 'whk_1' } } } as const
    const published = await db.transact((tx) => outboxOf(db).publish({ tx, scope }, event))
    expect(published.sessionId).toBeNull()
    expect(JSON.parse(published.envelope)).not.toHaveProperty('sessionId')
  })

  it('refuses an organisation that does not exist', async () => {
    const scope: Scope = { orgId: 'org_nobody', environment: 'live' }
    await expect(db.transact((tx) => outboxOf(db).publish({ tx, scope }, scheduled))).rejects.toThrow('org_nobody')
  })
})

/** The same database, with a record of its wake-ups. */
const recording = (db: MigratableDb, woken: string[]): MigratableDb =>
  new Proxy(db, {
    get: (target, name) => {
      if (name === 'notify') return (channel: string) => woken.push(channel)
      const value: unknown = Reflect.get(target, name, target)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
