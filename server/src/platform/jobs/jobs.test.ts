import { afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import { describeEachDatabase } from '../../../test/support/databases.ts'
import type { MigratableDb } from '../db/dialect.ts'
import type { Migration } from '../db/migrate.ts'
import { createIds } from '../ids.ts'
import { createLog } from '../log/log.ts'
import type { Scope } from '../scope.ts'
import { createJobsTable, dropJobsTable, type JobRow } from './jobs.store.ts'
import { createJobs, type Job, type JobHandler, type Jobs } from './jobs.ts'
import { createManualClock, type ManualClock } from './manual-clock.test-support.ts'

const table: Migration = {
  name: '0010-jobs',
  up: (m) => m.schema(createJobsTable),
  down: (m) => m.schema(dropJobsTable),
}
const scope: Scope = { orgId: 'org_1', environment: 'sandbox' }
const log = createLog({ level: 'silent' })
const newId = createIds(Date.now)
const LEASE = 60_000

/** A handler that says when it begins and ends when it is told. */
const holding =
  (began: PromiseWithResolvers<void>, hold: PromiseWithResolvers<void>): JobHandler =>
  () => {
    began.resolve()
    return hold.promise
  }

describeEachDatabase('jobs', (open) => {
  let db: MigratableDb
  let other: MigratableDb
  let clock: ManualClock
  let processes = 0
  const started: Jobs[] = []

  beforeAll(async () => {
    db = await open([table])
    other = await open([table])
  })
  beforeEach(async () => {
    clock = createManualClock()
    await db.transact((tx) => tx.run('DELETE FROM jobs'))
  })
  afterEach(async () => {
    for (const jobs of started.splice(0)) await jobs.stop(AbortSignal.abort(new Error('the test is over')))
  })

  const build = (
    handlers: Record<string, JobHandler>,
    overrides: {
      db?: MigratableDb
      clock?: ManualClock
      concurrency?: number
      limits?: Record<string, number>
      onRun?: (...run: unknown[]) => void
    } = {},
  ) => {
    processes += 1
    const jobs = createJobs({
      db,
      clock,
      log,
      newId,
      handlers,
      processId: `p${processes}`,
      leaseMs: LEASE,
      ...overrides,
    })
    started.push(jobs)
    return jobs
  }
  const add = (jobs: Jobs, kind: string, options: Partial<Parameters<Jobs['enqueue']>[2]> = {}, of = scope) =>
    db.transact((tx) => jobs.enqueue(tx, of, { kind, payload: {}, ...options }))
  const rows = () => db.reader.all<JobRow>('SELECT * FROM jobs ORDER BY created_at, id')

  it('runs a job with its payload and scope, once', async () => {
    const seen: Job[] = []
    const jobs = build({ greet: async (job) => void seen.push(job) })
    const id = await add(jobs, 'greet', { payload: { name: 'grün', list: [1, null] } })
    await jobs.processAll()
    await jobs.processAll()
    expect(seen).toMatchObject([{ id, kind: 'greet', scope, payload: { name: 'grün', list: [1, null] }, attempt: 1 }])
    expect(await rows()).toMatchObject([
      { state: 'done', finished_at: clock.now(), lease_owner: null, last_error: null },
    ])
  })

  it('knows nothing of a job whose transaction was rolled back', async () => {
    const jobs = build({ greet: async () => undefined })
    const work = db.transact(async (tx) => {
      await jobs.enqueue(tx, scope, { kind: 'greet', payload: {} })
      throw new Error('no')
    })
    await expect(work).rejects.toThrow('no')
    expect(await rows()).toEqual([])
  })

  it('does not run a job before its time', async () => {
    let runs = 0
    const jobs = build({ later: async () => void runs++ })
    await add(jobs, 'later', { runAt: clock.now() + 1000 })
    clock.advance(999)
    await jobs.processAll()
    expect(runs).toBe(0)
    clock.advance(1)
    await jobs.processAll()
    expect(runs).toBe(1)
  })

  it('runs what a job adds while it runs, until nothing is due', async () => {
    const order: unknown[] = []
    const jobs: Jobs = build({
      chain: async ({ payload }) => {
        order.push(payload)
        if (Number(payload) > 0) await add(jobs, 'chain', { payload: Number(payload) - 1 })
      },
    })
    await add(jobs, 'chain', { payload: 3 })
    await jobs.processAll()
    expect(order).toEqual([3, 2, 1, 0])
  })

  it('leaves a job of a kind it has no handler for to others', async () => {
    await add(build({ a: async () => undefined }), 'b')
    await build({ a: async () => undefined }).processAll()
    expect(await rows()).toMatchObject([{ state: 'queued', attempts: 0 }])
  })

  it('holds waiting jobs with the same dedupe key apart by scope and kind, and lets one follow a run', async () => {
    const other: Scope = { orgId: 'org_2', environment: 'sandbox' }
    const jobs = build({ a: async () => undefined, b: async () => undefined })
    expect(await add(jobs, 'a', { dedupeKey: 'k' })).toBeTypeOf('string')
    expect(await add(jobs, 'a', { dedupeKey: 'k' })).toBeNull()
    expect(await add(jobs, 'b', { dedupeKey: 'k' })).toBeTypeOf('string')
    expect(await add(jobs, 'a', { dedupeKey: 'k' }, other)).toBeTypeOf('string')
    expect(await add(jobs, 'a', { dedupeKey: 'k' }, { ...scope, environment: 'live' })).toBeTypeOf('string')
    expect(await rows()).toHaveLength(4)
    await jobs.processAll()
    expect(await add(jobs, 'a', { dedupeKey: 'k' })).toBeTypeOf('string')
  })

  it('accepts a job with the key of one that is running: the running one may have read before the change', async () => {
    let second: string | null = null
    const jobs: Jobs = build({
      a: async ({ attempt, payload }) => {
        if (attempt === 1 && payload === 1) second = await add(jobs, 'a', { dedupeKey: 'k', payload: 2 })
      },
    })
    await add(jobs, 'a', { dedupeKey: 'k', payload: 1 })
    await jobs.processAll()
    expect(second).toBeTypeOf('string')
  })

  it('retries a failure after 1, 2, 4 … seconds and gives up after the last attempt', async () => {
    const at: number[] = []
    const outcomes: unknown[] = []
    const begin = clock.now()
    const jobs = build(
      {
        broken: async () => {
          at.push(clock.now() - begin)
          throw new RangeError('too far')
        },
      },
      { onRun: (_kind, outcome) => outcomes.push(outcome) },
    )
    await add(jobs, 'broken', { maxAttempts: 4 })
    for (let second = 0; second <= 20; second++) {
      await jobs.processAll()
      clock.advance(1000)
    }
    expect(at).toEqual([0, 1000, 3000, 7000])
    expect(outcomes).toEqual(['retry', 'retry', 'retry', 'failed'])
    expect(await rows()).toMatchObject([{ state: 'failed', attempts: 4, last_error: 'RangeError: too far' }])
  })

  it('lets several processes share the work, each job run once', async () => {
    const seen = new Map<unknown, number>()
    const handler: JobHandler = async ({ payload }) => {
      seen.set(payload, (seen.get(payload) ?? 0) + 1)
      await new Promise(setImmediate)
    }
    const all = [
      build({ count: handler }),
      build({ count: handler }, { db: other }),
      build({ count: handler }, { db: other }),
    ]
    await db.transact(async (tx) => {
      for (let n = 0; n < 40; n++) await all[0]?.enqueue(tx, scope, { kind: 'count', payload: n })
    })
    await Promise.all(all.map((jobs) => jobs.processAll()))
    for (const jobs of all) await jobs.processAll()
    expect(seen.size).toBe(40)
    expect(new Set(seen.values())).toEqual(new Set([1]))
  })

  it('runs no more at a time than its concurrency', async () => {
    let running = 0
    let most = 0
    const jobs = build(
      {
        slow: async () => {
          most = Math.max(most, ++running)
          await new Promise(setImmediate)
          running -= 1
        },
      },
      { concurrency: 2 },
    )
    for (let n = 0; n < 8; n++) await add(jobs, 'slow')
    await jobs.processAll()
    expect(most).toBe(2)
  })

  it('runs no more of a limited kind at a time than its limit, and others beside it meanwhile', async () => {
    const began = Promise.withResolvers<void>()
    const hold = Promise.withResolvers<void>()
    const fourth = Promise.withResolvers<void>()
    const quick: number[] = []
    let heavy = 0
    const jobs = build(
      {
        heavy: async () => {
          heavy += 1
          began.resolve()
          await hold.promise
        },
        quick: async () => {
          if (quick.push(heavy) === 4) fourth.resolve()
        },
      },
      { concurrency: 3, limits: { heavy: 1 } },
    )
    for (let n = 0; n < 3; n++) await add(jobs, 'heavy')
    for (let n = 0; n < 4; n++) await add(jobs, 'quick')
    const done = jobs.processAll()
    await began.promise
    await fourth.promise
    expect(quick).toEqual([1, 1, 1, 1])
    hold.resolve()
    await done
    expect(heavy).toBe(3)
    expect((await rows()).every(({ state, attempts }) => state === 'done' && attempts === 1)).toBe(true)
  })

  it('takes over the job of a process that died, after its lease and not before', async () => {
    const began = Promise.withResolvers<void>()
    const hang = Promise.withResolvers<void>()
    // A dead process: its clock stands still, so it never extends the lease.
    const dead = build(
      {
        work: async () => {
          began.resolve()
          await hang.promise
        },
      },
      { clock: createManualClock(clock.now()) },
    )
    await add(dead, 'work')
    const ending = dead.processAll()
    await began.promise
    const attempts: number[] = []
    const heir = build({ work: async ({ attempt }) => void attempts.push(attempt) }, { db: other })
    clock.advance(LEASE - 1)
    await heir.processAll()
    expect(attempts).toEqual([])
    clock.advance(1)
    await heir.processAll()
    expect(attempts).toEqual([2])
    hang.resolve()
    await ending
    expect(await rows()).toMatchObject([{ state: 'done', attempts: 2 }])
  })

  it('keeps a claim whose lease was lost from finishing the job of its successor', async () => {
    const first = Promise.withResolvers<void>()
    const second = Promise.withResolvers<void>()
    const [firstBegan, secondBegan] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const late = build({ work: holding(firstBegan, first) }, { clock: createManualClock(clock.now()) })
    const heir = build({ work: holding(secondBegan, second) }, { db: other })
    await add(late, 'work')
    const lateEnd = late.processAll()
    await firstBegan.promise
    clock.advance(LEASE)
    const heirEnd = heir.processAll()
    await secondBegan.promise
    first.resolve()
    await lateEnd
    expect(await rows()).toMatchObject([{ state: 'queued' }])
    second.reject(new Error('not this time'))
    await heirEnd
    expect(await rows()).toMatchObject([{ state: 'queued', last_error: 'Error: not this time', lease_owner: null }])
  })

  it('extends the lease while the handler runs', async () => {
    const hold = Promise.withResolvers<void>()
    const jobs = build({ long: () => hold.promise })
    await add(jobs, 'long')
    const ending = jobs.processAll()
    let stolen = 0
    const thief = build({ long: async () => void stolen++ }, { db: other })
    for (let n = 0; n < 9; n++) {
      await clock.asleep(1)
      clock.advance(LEASE / 3)
      await clock.asleep(1)
      await thief.processAll()
    }
    expect(stolen).toBe(0)
    hold.resolve()
    await ending
    expect(await rows()).toMatchObject([{ state: 'done', attempts: 1 }])
  })

  it('tells a handler whose lease another process has taken', async () => {
    const told = Promise.withResolvers<unknown>()
    const jobs = build({
      long: ({ signal }) =>
        new Promise((_resolve, reject) =>
          signal.addEventListener('abort', () => {
            told.resolve(signal.reason)
            reject(signal.reason as Error)
          }),
        ),
    })
    await add(jobs, 'long')
    const ending = jobs.processAll()
    await clock.asleep(1)
    await db.transact((tx) => tx.run("UPDATE jobs SET lease_owner = 'another'"))
    clock.advance(LEASE / 3)
    expect(await told.promise).toMatchObject({ message: 'the lease was lost' })
    await ending
    expect(await rows()).toMatchObject([{ lease_owner: 'another', state: 'queued' }])
  })

  it('gives up a job that ended its process every time', async () => {
    let runs = 0
    const jobs = build({ deadly: async () => void runs++ })
    await add(jobs, 'deadly', { maxAttempts: 3 })
    await db.transact((tx) =>
      tx.run("UPDATE jobs SET attempts = 3, lease_owner = 'dead', lease_until = ?", [clock.now() - 1]),
    )
    await jobs.processAll()
    expect(runs).toBe(0)
    expect(await rows()).toMatchObject([{ state: 'failed' }])
  })

  it('runs a recurring job in one process at a time, on time, whatever its runs end in', async () => {
    let runs = 0
    const handler: JobHandler = async () => {
      runs += 1
      if (runs === 2) throw new Error('once')
    }
    const all = [build({ sweep: handler }), build({ sweep: handler }, { db: other })]
    for (const jobs of all) jobs.every('sweep', 60_000)
    const everywhere = async () => {
      await Promise.all(all.map((jobs) => jobs.processAll()))
    }
    await everywhere()
    expect(runs).toBe(1)
    clock.advance(59_999)
    await everywhere()
    expect(runs).toBe(1)
    for (let expected = 2; expected <= 4; expected++) {
      clock.advance(60_000)
      await everywhere()
      expect(runs).toBe(expected)
    }
    expect(await rows()).toMatchObject([{ org_id: '', id: 'every:sweep', state: 'queued' }])
  })

  it('refuses a recurring job without a handler', () => {
    expect(() => build({}).every('nothing', 1000)).toThrow(TypeError)
  })

  it('begins a job as soon as it is added, without waiting for the poll', async () => {
    const ran = Promise.withResolvers<unknown>()
    const jobs = build({ now: async ({ payload }) => ran.resolve(payload) })
    jobs.start()
    await clock.asleep(1)
    await add(jobs, 'now', { payload: 'here' })
    expect(await ran.promise).toBe('here')
    await jobs.stop()
  })

  it('finds a job of another process at the next poll', async () => {
    const ran = Promise.withResolvers<unknown>()
    const jobs = build({ now: async ({ payload }) => ran.resolve(payload) })
    jobs.start()
    await clock.asleep(1)
    const row = ['org_1', 'job_x', 'sandbox', 'now', '"found"', clock.now(), 0, 3, 'queued', clock.now()]
    await other.transact((tx) =>
      tx.run(
        `INSERT INTO jobs (org_id, id, environment, kind, payload, run_at, attempts, max_attempts, state, created_at)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
        row,
      ),
    )
    clock.advance(1000)
    expect(await ran.promise).toBe('found')
  })

  it('begins a job at the moment it is due, before the next poll', async () => {
    const ran = Promise.withResolvers<number>()
    const jobs = build({ soon: async () => ran.resolve(clock.now()) })
    await add(jobs, 'soon', { runAt: clock.now() + 40 })
    jobs.start()
    await clock.asleep(1)
    const due = clock.now() + 40
    clock.advance(40)
    expect(await ran.promise).toBe(due)
    await jobs.stop()
  })

  it('waits for what runs when it stops, and begins nothing new', async () => {
    const [began, hold] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const jobs = build({ slow: holding(began, hold) }, { concurrency: 1 })
    await add(jobs, 'slow')
    await add(jobs, 'slow')
    jobs.start()
    await began.promise
    const stopped = jobs.stop()
    hold.resolve()
    await stopped
    expect((await rows()).map((row) => row.state).sort()).toEqual(['done', 'queued'])
  })

  it('gives its jobs back, with the attempt not counted, when it must stop now', async () => {
    const began = Promise.withResolvers<void>()
    const jobs = build({
      endless: ({ signal }) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => reject(signal.reason as Error))
          began.resolve()
        }),
    })
    await add(jobs, 'endless')
    jobs.start()
    await began.promise
    await jobs.stop(AbortSignal.abort(new Error('shutting down')))
    expect(await rows()).toMatchObject([{ state: 'queued', attempts: 0, lease_owner: null, run_at: clock.now() }])
  })

  it('forgets jobs that ended long ago and no others', async () => {
    const jobs = build({ quick: async () => undefined })
    await add(jobs, 'quick')
    await jobs.processAll()
    clock.advance(10_000)
    await add(jobs, 'quick')
    await jobs.processAll()
    await add(jobs, 'quick', { runAt: clock.now() + 1 })
    expect(await jobs.purge(5000)).toBe(1)
    expect((await rows()).map((row) => row.state)).toEqual(['done', 'queued'])
  })
})
