import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hasRedisCluster, type RedisCluster, startRedisCluster } from '../../../test/test-support/redis-cluster.ts'
import { until } from '../../../test/test-support/until.ts'
import { createManualClock } from '../manual-clock.test-support.ts'
import { openRedis, type Redis } from '../redis/redis.ts'
import { windowMs } from './rate-counter.ts'
import { keyOnOneNode, redisCounts } from './redis-counts.ts'
import { createSharedLink } from './shared-link.ts'
import { createSharedRateCounter } from './shared-rate-counter.ts'

/** CRC16 (XModem), as the specification of Redis Cluster has it. */
const slotOf = (key: string): number => {
  const [, tag = key] = /\{([^}]+)\}/.exec(key) ?? []
  let crc = 0
  for (const byte of Buffer.from(tag)) {
    crc ^= byte << 8
    for (let bit = 0; bit < 8; bit += 1) crc = ((crc & 0x80_00 ? (crc << 1) ^ 0x10_21 : crc << 1) & 0xff_ff) >>> 0
  }
  return crc % 16_384
}

const fingerprint = (text: string): string => createHash('sha256').update(text).digest('base64url').slice(0, 22)
const counted = ['org', 'reading', 'refused bodies', 'answered of'] as const
const orgs = Array.from({ length: 20 }, (_, n) => `org_${n}`)

it('all counts of one organisation lie in one slot, and organisations in many', () => {
  const slots = orgs.map((org) => new Set(counted.map((what) => slotOf(keyOnOneNode(`${what} ${org}`, fingerprint)))))
  expect(slots.map(({ size }) => size)).toEqual(orgs.map(() => 1))
  expect(new Set(slots.flatMap((some) => [...some])).size).toBeGreaterThan(10)
  // The specification's own example.
  expect(slotOf('123456789')).toBe(0x31_c3 % 16_384)
})

describe.skipIf(!hasRedisCluster)('a Redis cluster', { timeout: 60_000 }, () => {
  let cluster: RedisCluster
  let redis: Redis
  const scripts: (readonly string[])[] = []
  beforeAll(async () => {
    cluster = await startRedisCluster()
    const address = { url: cluster.urls.slice(0, 2).join(','), isCluster: true }
    const real = openRedis(address, 'test:', { warn: () => undefined })
    const run: Redis['run'] = (script, keys, values) => {
      scripts.push(keys)
      return real.run(script, keys, values)
    }
    redis = { ...real, run }
    await until(() =>
      real.get('up').then(
        () => true,
        () => false,
      ),
    )
  }, 60_000)
  afterAll(async () => {
    redis?.close()
    await cluster?.stop()
  })

  const counter = () => {
    const clock = createManualClock(windowMs * 10)
    const counts = redisCounts(redis)
    const link = createSharedLink({
      clock,
      probe: () => counts.reserve(0, []),
      onAway: (error) => expect.fail(String(error)),
    })
    return createSharedRateCounter({
      clock,
      link,
      counts,
      processes: () => 2,
      fingerprint: (key) => keyOnOneNode(key, fingerprint),
    })
  }

  it('counts for two processes at once, and no script touches two slots', async () => {
    const processes = [counter(), counter()]
    const keys = orgs.flatMap((org) => counted.map((what) => `${what} ${org}`))
    const takes = keys.flatMap((key) =>
      Array.from({ length: 40 }, async (_, n) => await processes[n % 2]!.take(key, 30)),
    )
    const states = await Promise.all(takes)
    expect(states.filter(({ allowed }) => allowed)).toHaveLength(keys.length * 30)
    expect(scripts.length).toBeGreaterThan(orgs.length)
    expect(scripts.some((some) => some.length === counted.length)).toBe(true)
    for (const some of scripts) expect(new Set(some.map((key) => slotOf(`test:${key}`))).size).toBeLessThanOrEqual(1)
    const stored = cluster.keys()
    expect(stored).toHaveLength(keys.length)
    for (const { key, slot } of stored) expect(slotOf(key)).toBe(slot)
  })

  it('keeps texts, answers a question about nothing, and refuses what crosses nodes', async () => {
    await redis.keep('blob:a', 'sealed', 60_000)
    expect(await redis.get('blob:a')).toBe('sealed')
    await redis.forget('blob:a')
    expect(await redis.get('blob:a')).toBeUndefined()
    expect(await redisCounts(redis).reserve(0, [])).toEqual([])
    await expect(redis.run('return {}', ['{a}1', '{b}1'], [])).rejects.toThrow(/CROSSSLOT|slot/)
  })
})
