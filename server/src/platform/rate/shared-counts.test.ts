import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { describeDatabase } from '../../../test/test-support/databases.ts'
import { hasRedis, type RedisServer, startRedis } from '../../../test/test-support/redis.ts'
import { migrations } from '../../migrations/index.ts'
import { createManualClock } from '../manual-clock.test-support.ts'
import { openRedis, type Redis } from '../redis/redis.ts'
import { windowMs } from './rate-counter.ts'
import { deleteWindowsBefore, rateWindows } from './rate-windows.store.ts'
import { redisCounts } from './redis-counts.ts'
import { grantOf, type SharedCounts } from './shared-counts.types.ts'
import { createSharedLink } from './shared-link.ts'
import { createSharedRateCounter } from './shared-rate-counter.ts'

const ask = (key: string, given: object = {}) => ({ key, limit: 100, cost: 1, least: 1, ahead: 3, ...given })

/** What every engine must do, and two processes that count in it. */
const suite = (counts: () => SharedCounts) => {
  it('grants what the rule says, and counts it', async () => {
    const asks = [{}, { cost: 95, least: 1 }, { cost: 9, least: 2.5 }, { cost: 0, least: 0 }, { cost: 1 }]
    let used = 0
    for (const given of asks) {
      const granted = grantOf(ask('rule', given), used)
      used += granted
      expect(await counts().reserve(1, [ask('rule', given)])).toEqual([{ used, granted }])
    }
    expect(used).toBeGreaterThanOrEqual(100)
    expect(await counts().reserve(1, [ask('rule')])).toEqual([{ used, granted: 0 }])
    expect(await counts().reserve(2, [ask('rule', { ahead: 0 })])).toEqual([{ used: 1, granted: 1 }])
  })

  it('answers many keys in the order in which they were asked, and none at all', async () => {
    await counts().reserve(3, [ask('b', { cost: 40, least: 40 })])
    const asked = ['c', 'a', 'b'].map((key) => ask(key, { cost: 0, least: 0 }))
    expect((await counts().reserve(3, asked)).map(({ used }) => used)).toEqual([0, 0, 40])
    expect(await counts().reserve(3, [])).toEqual([])
  })

  const processOn = (at = windowMs * 10) => {
    const clock = createManualClock(at)
    const link = createSharedLink({ clock, probe: async () => undefined, onAway: () => undefined })
    const counter = createSharedRateCounter({
      clock,
      link,
      counts: counts(),
      processes: () => 2,
      fingerprint: (key) => `${key} ${at}`,
    })
    return { clock, counter }
  }

  it('lets exactly the limit through in two processes that are called at once', async () => {
    const [one, two] = [processOn(), processOn()]
    const states = await Promise.all(
      Array.from({ length: 300 }, async (_, n) => (n % 2 ? one : two).counter.take('key', 120)),
    )
    expect(states.filter(({ allowed }) => allowed)).toHaveLength(120)
    expect(await one.counter.peek('key', 120)).toMatchObject({ allowed: false, remaining: 0 })
  })

  it('gives one process nearly everything when the other gets no calls any more', async () => {
    const [one, two] = [processOn(windowMs * 20), processOn(windowMs * 20)]
    await two.counter.take('key', 120)
    let allowed = 0
    while ((await one.counter.take('key', 120)).allowed) allowed += 1
    expect(allowed).toBeGreaterThanOrEqual(114)
  })

  it('tells one alone what is left after each call, and begins anew with the minute', async () => {
    const { clock, counter } = processOn(windowMs * 30)
    const remaining: number[] = []
    for (let n = 0; n < 200; n++) remaining.push((await counter.take('key', 200)).remaining)
    expect(remaining).toEqual(Array.from({ length: 200 }, (_, n) => 199 - n))
    expect(await counter.take('key', 200)).toMatchObject({ allowed: false, resetSeconds: 60 })
    clock.advance(windowMs)
    expect(await counter.take('key', 200)).toMatchObject({ allowed: true, remaining: 199 })
  })

  it('tells the other process what was added without asking', async () => {
    const [one, two] = [processOn(windowMs * 40), processOn(windowMs * 40)]
    await one.counter.add('reading', 1200.5)
    expect(await one.counter.peek('reading', 1000)).toMatchObject({ allowed: false })
    expect(await two.counter.peek('reading', 1000)).toMatchObject({ allowed: false })
  })
}

describeDatabase('postgres', 'counts that processes share in a table', (open) => {
  let counts: SharedCounts
  beforeAll(async () => {
    counts = rateWindows(await open(migrations))
  })
  suite(() => counts)

  it('are in no log, and gone with the minute', async () => {
    const db = await open(migrations)
    const sql = `SELECT relpersistence::text AS "kept" FROM pg_class WHERE relname IN ('rate_windows', 'server_processes')`
    expect(await db.reader.all(sql)).toEqual([{ kept: 'u' }, { kept: 'u' }])
    await counts.reserve(77, [ask('old')])
    expect(await db.transact((tx) => deleteWindowsBefore(tx, 78))).toBeGreaterThan(0)
    expect(await counts.reserve(77, [ask('old', { cost: 0, least: 0 })])).toEqual([{ used: 0, granted: 0 }])
  })
})

describe.skipIf(!hasRedis)('counts that processes share in Redis', () => {
  let server: RedisServer
  let redis: Redis
  beforeAll(async () => {
    server = await startRedis()
    redis = openRedis({ url: server.url }, 'test:', { warn: () => undefined })
    const ready = async () =>
      redis.run('return {}', [], []).then(
        () => true,
        () => false,
      )
    while (!(await ready())) await new Promise((resolve) => setImmediate(resolve))
  })
  afterAll(async () => {
    redis.close()
    await server.kill()
  })
  suite(() => redisCounts(redis))

  it('keeps a text as it is, and forgets it in time', async () => {
    await redis.keep('still', 'v1.é', 60_000)
    expect(await redis.get('still')).toBe('v1.é')
    const left = await redis.run("return {tostring(redis.call('PTTL', KEYS[1]))}", ['still'], [])
    expect(Number(left[0])).toBeGreaterThan(0)
    await redis.forget('still')
    expect(await redis.get('still')).toBeUndefined()
  })
})
