import { setTimeout as delay } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { describeEachDatabase } from '../../../test/test-support/databases.ts'
import { createManualClock } from '../../platform/manual-clock.test-support.ts'
import { holding, lease, type RunOfTest, scope, useQueue } from './jobs.test-support.ts'

describeEachDatabase('jobs', (open) => {
  const queue = useQueue(open)
  const { add, build, rows } = queue

  it('lets several processes share the work, each job run once', async () => {
    const seen = new Map<unknown, number>()
    const handler: RunOfTest = async ({ payload }) => {
      seen.set(payload, (seen.get(payload) ?? 0) + 1)
      await new Promise(setImmediate)
    }
    const all = [
      build({ count: handler }),
      build({ count: handler }, { db: queue.other }),
      build({ count: handler }, { db: queue.other }),
    ]
    await queue.db.transact(async (tx) => {
      for (let n = 0; n < 40; n++) await all[0]?.enqueue({ tx, scope }, { kind: 'count', payload: n })
    })
    await Promise.all(all.map((jobs) => jobs.processAll()))
    for (const jobs of all) await jobs.processAll()
    expect(seen.size).toBe(40)
    expect(new Set(seen.values())).toEqual(new Set([1]))
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
      { clock: createManualClock(queue.clock.now()) },
    )
    await add(dead, 'work')
    const ending = dead.processAll()
    await began.promise
    const attempts: number[] = []
    const heir = build({ work: async ({ attempt }) => void attempts.push(attempt) }, { db: queue.other })
    queue.clock.advance(lease - 1)
    await heir.processAll()
    expect(attempts).toEqual([])
    queue.clock.advance(1)
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
    const late = build({ work: holding(firstBegan, first) }, { clock: createManualClock(queue.clock.now()) })
    const heir = build({ work: holding(secondBegan, second) }, { db: queue.other })
    await add(late, 'work')
    const lateEnd = late.processAll()
    await firstBegan.promise
    queue.clock.advance(lease)
    const heirEnd = heir.processAll()
    await secondBegan.promise
    first.resolve()
    await lateEnd
    expect(await rows()).toMatchObject([{ state: 'queued' }])
    second.reject(new Error('not this time'))
    await heirEnd
    expect(await rows()).toMatchObject([{ state: 'queued', last_error: 'Error: not this time', lease_owner: null }])
  })

  it('begins no job that was lost between its claim and its beginning', async () => {
    let runs = 0
    const count: RunOfTest = async () => void runs++
    const heir = build({ work: count }, { db: queue.other })
    let stands = true
    // A process that stops for longer than its lease right after its claim.
    const transact: typeof queue.db.transact = async (work) => {
      const result = await queue.db.transact(work)
      if (stands) {
        stands = false
        queue.clock.advance(lease)
        await heir.processAll()
      }
      return result
    }
    const late = build({ work: count }, { db: { ...queue.db, reader: queue.db.reader, transact } })
    await add(heir, 'work')
    await late.processAll()
    expect(runs).toBe(1)
    expect(await rows()).toMatchObject([{ state: 'done', attempts: 2 }])
  })

  it('begins a job late that nobody took meanwhile', async () => {
    const attempts: number[] = []
    let stands = true
    const transact: typeof queue.db.transact = async (work) => {
      const result = await queue.db.transact(work)
      if (stands) queue.clock.advance(lease)
      stands = false
      return result
    }
    const late = build(
      { work: async ({ attempt }) => void attempts.push(attempt) },
      { db: { ...queue.db, reader: queue.db.reader, transact } },
    )
    await add(late, 'work')
    await late.processAll()
    expect(attempts).toEqual([1])
    expect(await rows()).toMatchObject([{ state: 'done', attempts: 1 }])
  })

  it('extends the lease while the handler runs', async () => {
    const hold = Promise.withResolvers<void>()
    const jobs = build({ long: () => hold.promise })
    await add(jobs, 'long')
    const ending = jobs.processAll()
    let stolen = 0
    const thief = build({ long: async () => void stolen++ }, { db: queue.other })
    for (let n = 0; n < 9; n++) {
      await queue.clock.asleep(1)
      queue.clock.advance(lease / 3)
      await queue.clock.asleep(1)
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
    await queue.clock.asleep(1)
    await queue.db.transact((tx) => tx.run("UPDATE jobs SET lease_owner = 'another'"))
    queue.clock.advance(lease / 3)
    expect(await told.promise).toMatchObject({ message: 'the lease was lost' })
    await ending
    expect(await rows()).toMatchObject([{ lease_owner: 'another', state: 'queued' }])
  })

  it('gives up a job that ended its process every time', async () => {
    let runs = 0
    const jobs = build({ deadly: { attempts: 3, run: async () => void runs++ } })
    await add(jobs, 'deadly')
    await queue.db.transact((tx) =>
      tx.run("UPDATE jobs SET attempts = 3, lease_owner = 'dead', lease_until = ?", [queue.clock.now() - 1]),
    )
    await jobs.processAll()
    expect(runs).toBe(0)
    expect(await rows()).toMatchObject([{ state: 'failed' }])
  })

  it('runs a recurring job in one process at a time, on time, whatever its runs end in', async () => {
    let runs = 0
    const run: RunOfTest = async () => {
      runs += 1
      if (runs === 2) throw new Error('once')
    }
    const sweep = { everyMs: 60_000, run }
    const all = [build({ sweep }), build({ sweep }, { db: queue.other })]
    const everywhere = async () => {
      await Promise.all(all.map((jobs) => jobs.processAll()))
    }
    await everywhere()
    expect(runs).toBe(1)
    queue.clock.advance(59_999)
    await everywhere()
    expect(runs).toBe(1)
    for (let expected = 2; expected <= 4; expected++) {
      queue.clock.advance(60_000)
      await everywhere()
      expect(runs).toBe(expected)
    }
    expect(await rows()).toMatchObject([{ org_id: '', id: 'every:sweep', state: 'queued' }])
  })

  it('finds a job of another process at the next poll', async () => {
    const ran = Promise.withResolvers<unknown>()
    const jobs = build({ now: async ({ payload }) => ran.resolve(payload) })
    jobs.start()
    await queue.clock.asleep(1)
    const row = ['org_1', 'job_x', 'sandbox', 'now', '"found"', queue.clock.now(), 0, 3, 'queued', queue.clock.now()]
    await queue.other.transact((tx) =>
      tx.run(
        `INSERT INTO jobs (org_id, id, environment, kind, payload, run_at, attempts, max_attempts, state, created_at)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
        row,
      ),
    )
    let found: unknown
    // It may be looking at this very moment, and sleep only then.
    while (found === undefined) {
      queue.clock.advance(1000)
      found = await Promise.race([ran.promise, delay(50, undefined)])
    }
    expect(found).toBe('found')
  })
})
