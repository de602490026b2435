import { expect, it } from 'vitest'
import { describeEachDatabase } from '../../../test/test-support/databases.ts'
import { GiveUp } from '../../platform/give-up.ts'
import type { Scope } from '../identity/scope.ts'
import { holding, type SeenRun, scope, type TestJobs, useQueue } from './jobs.test-support.ts'

describeEachDatabase('jobs', (open) => {
  const queue = useQueue(open)
  const { add, build, rows } = queue

  it('runs a job with its payload and scope, once', async () => {
    const seen: SeenRun[] = []
    const jobs = build({ greet: async (job) => void seen.push(job) })
    const id = await add(jobs, 'greet', { payload: { name: 'grün', list: [1, null] } })
    await jobs.processAll()
    await jobs.processAll()
    expect(seen).toMatchObject([{ id, scope, payload: { name: 'grün', list: [1, null] }, attempt: 1 }])
    expect(await rows()).toMatchObject([
      { state: 'done', finished_at: queue.clock.now(), lease_owner: null, last_error: null },
    ])
  })

  it('knows nothing of a job whose transaction was rolled back', async () => {
    const jobs = build({ greet: async () => undefined })
    const work = queue.db.transact(async (tx) => {
      await jobs.enqueue({ tx, scope }, { kind: 'greet', payload: {} })
      throw new Error('no')
    })
    await expect(work).rejects.toThrow('no')
    expect(await rows()).toEqual([])
  })

  it('does not run a job before its time', async () => {
    let runs = 0
    const jobs = build({ later: async () => void runs++ })
    await add(jobs, 'later', { runAt: queue.clock.now() + 1000 })
    queue.clock.advance(999)
    await jobs.processAll()
    expect(runs).toBe(0)
    queue.clock.advance(1)
    await jobs.processAll()
    expect(runs).toBe(1)
  })

  it('runs what a job adds while it runs, until nothing is due', async () => {
    const order: unknown[] = []
    const jobs: TestJobs = build({
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
    await add(build({ b: async () => undefined }), 'b')
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
    const jobs: TestJobs = build({
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
    const begin = queue.clock.now()
    const jobs = build(
      {
        broken: {
          attempts: 4,
          run: async () => {
            at.push(queue.clock.now() - begin)
            throw new RangeError('too far')
          },
        },
      },
      { onRun: (_kind, outcome) => outcomes.push(outcome) },
    )
    await add(jobs, 'broken')
    for (let second = 0; second <= 20; second++) {
      await jobs.processAll()
      queue.clock.advance(1000)
    }
    expect(at).toEqual([0, 1000, 3000, 7000])
    expect(outcomes).toEqual(['retry', 'retry', 'retry', 'failed'])
    expect(await rows()).toMatchObject([{ state: 'failed', attempts: 4, last_error: 'RangeError: too far' }])
  })

  it('waits an hour at most between two tries', async () => {
    const jobs = build({ broken: { attempts: 20, run: () => Promise.reject(new Error('away')) } })
    await add(jobs, 'broken')
    await queue.db.transact((tx) => tx.run('UPDATE jobs SET attempts = 15'))
    await jobs.processAll()
    expect((await rows())[0]?.run_at).toBe(queue.clock.now() + 3_600_000)
  })

  it('begins with what has been due for longest', async () => {
    const order: unknown[] = []
    const jobs = build({ a: async ({ payload }) => void order.push(payload) }, { concurrency: 1 })
    const now = queue.clock.now()
    for (const late of [1, 3, 2]) await add(jobs, 'a', { payload: late, runAt: now - late * 1000 })
    await jobs.processAll()
    expect(order).toEqual([3, 2, 1])
  })

  it('does not retry what no further try will mend', async () => {
    const outcomes: unknown[] = []
    const jobs = build(
      { hopeless: () => Promise.reject(new GiveUp('there is nobody')) },
      { onRun: (_kind, outcome) => outcomes.push(outcome) },
    )
    await add(jobs, 'hopeless')
    await jobs.processAll()
    queue.clock.advance(3_600_000)
    await jobs.processAll()
    expect(outcomes).toEqual(['failed'])
    expect(await rows()).toMatchObject([{ state: 'failed', attempts: 1, last_error: 'GiveUp: there is nobody' }])
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
        heavy: {
          limit: 1,
          run: async () => {
            heavy += 1
            began.resolve()
            await hold.promise
          },
        },
        quick: async () => {
          if (quick.push(heavy) === 4) fourth.resolve()
        },
      },
      { concurrency: 3 },
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

  it('refuses a job of a kind that nobody has defined', async () => {
    await expect(add(build({}), 'nothing')).rejects.toThrow('no job is called nothing')
    expect(await rows()).toEqual([])
  })

  it('begins a job as soon as it is added, without waiting for the poll', async () => {
    const ran = Promise.withResolvers<unknown>()
    const jobs = build({ now: async ({ payload }) => ran.resolve(payload) })
    jobs.start()
    await queue.clock.asleep(1)
    await add(jobs, 'now', { payload: 'here' })
    expect(await ran.promise).toBe('here')
    await jobs.stop()
  })

  it('begins a job at the moment it is due, before the next poll', async () => {
    const ran = Promise.withResolvers<number>()
    const jobs = build({ soon: async () => ran.resolve(queue.clock.now()) })
    await add(jobs, 'soon', { runAt: queue.clock.now() + 40 })
    jobs.start()
    await queue.clock.asleep(1)
    const due = queue.clock.now() + 40
    queue.clock.advance(40)
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
    expect(await rows()).toMatchObject([{ state: 'queued', attempts: 0, lease_owner: null, run_at: queue.clock.now() }])
  })

  it('forgets jobs that ended long ago and no others', async () => {
    const jobs = build({ quick: async () => undefined })
    await add(jobs, 'quick')
    await jobs.processAll()
    queue.clock.advance(10_000)
    await add(jobs, 'quick')
    await jobs.processAll()
    await add(jobs, 'quick', { runAt: queue.clock.now() + 1 })
    await jobs.purge(5000)
    expect((await rows()).map((row) => row.state)).toEqual(['done', 'queued'])
  })
})
