import { createClient } from '@integrity/client/every-endpoint'
import { afterEach, describe, expect, it } from 'vitest'
import { type Running, startServer as startProcess } from '../../../src/app/server.ts'
import { type FreshDatabase, freshDatabase } from '../../test-support/databases.ts'
import { hasEngine } from '../../test-support/engines.ts'
import { inTerminal, useProcesses } from '../../test-support/processes.ts'
import { hasRedis, type RedisServer, startRedis } from '../../test-support/redis.ts'
import { startServer, type TestServer } from '../../test-support/server.ts'
import { until } from '../../test-support/until.ts'

const asked = async (url: string, token: string): Promise<number> => {
  const answer = await fetch(`${url}/v1/api/me`, { headers: { authorization: `Bearer ${token}` } })
  await answer.body?.cancel()
  return answer.status
}
const ready = async (baseUrl: string) => (await createClient({ baseUrl }).call('health.ready')).data
/** So many requests, to each of the addresses in turn, some at once; how many were answered with which status. */
const askedOf = async (urls: readonly string[], token: string, times: number): Promise<Record<number, number>> => {
  const counts: Record<number, number> = {}
  for (let n = 0; n < times; n += 20) {
    const statuses = await Promise.all(Array.from({ length: 20 }, (_, i) => asked(urls[(n + i) % urls.length]!, token)))
    for (const status of statuses) counts[status] = (counts[status] ?? 0) + 1
  }
  return counts
}
/** A minute may end in the middle; then all is asked once more. */
const inOneMinute = async <T>(work: () => Promise<T>): Promise<T> => {
  for (;;) {
    const before = Math.floor(Date.now() / 60_000)
    const result = await work()
    if (Math.floor(Date.now() / 60_000) === before) return result
  }
}

for (const memory of ['Postgres', 'Redis'] as const)
  describe.skipIf(!hasEngine('postgres') || (memory === 'Redis' && !hasRedis))(
    `two server processes that count in ${memory}`,
    () => {
      const { start } = useProcesses()
      let database: FreshDatabase | undefined
      let redis: RedisServer | undefined
      afterEach(async () => {
        await redis?.kill()
        await database?.drop()
      })

      it('keep one ceiling: 120 of a key in all, and 20 wrong secrets of an address in all', async () => {
        database = await freshDatabase('postgres')
        if (memory === 'Redis') redis = await startRedis()
        const env = { DATABASE_URL: database.databaseUrl!, METRICS_PORT: '0', ...(redis && { REDIS_URL: redis.url }) }
        const first = await start({ ...inTerminal, ...env })
        const key = await first.child.printed(/sandbox key +(sk_test_\S+)/)
        const second = await start(env)
        const urls = [first.url, second.url]
        for (const url of urls) await until(async () => (await ready(url)).sharedState === 'shared')
        expect(await inOneMinute(() => askedOf(urls, key, 300))).toEqual({ 200: 120, 429: 180 })
        expect(await inOneMinute(() => askedOf(urls, 'sk_test_wrong', 80))).toEqual({ 401: 20, 429: 60 })
      })
    },
  )

describe.skipIf(!hasRedis || !hasEngine('postgres'))('while Redis is away', () => {
  let server: TestServer
  let other: Running
  let redis: RedisServer
  afterEach(async () => {
    await other.stop()
    await server.stop()
    await redis.kill()
  })
  const gauge = async (): Promise<string | undefined> =>
    /^shared_state_up (\S+)$/m.exec((await server.app.metrics.render()).text)?.[1]

  it('each process goes on with its share and says so; together they count again when it is back', async () => {
    redis = await startRedis()
    const limits = { perKey: 120, perOrg: 600 }
    server = await startServer({ engine: 'postgres', limits, env: { REDIS_URL: redis.url } })
    const { config, log } = server.app
    other = await startProcess(
      { ...config, port: 0 },
      { overrides: { clock: server.clock, log, sharesFolder: true }, background: false },
    )
    const apps = [server.app, other.built.app]
    const all = (state: string) => until(() => apps.every(({ shared }) => shared.state() === state))
    for (const { shared } of [...apps, ...apps]) await shared.presence.processAll()
    const urls = [server.url, other.listening.url]
    const key = server.orgs[0].sandboxKey

    server.clock.advance(60_000)
    await askedOf(urls, key, 40)
    await all('shared')
    expect(await gauge()).toBe('1')

    await redis.kill()
    const alone = await askedOf(urls, key, 200)
    expect(alone).toEqual({ 200: 80, 429: 120 })
    await all('away')
    expect(await gauge()).toBe('0')
    expect(await ready(server.url)).toMatchObject({ status: 'ready', sharedState: 'away' })
    expect(server.logLines.join('')).toContain('goes on alone')

    await redis.startAgain()
    server.clock.advance(60_000)
    await until(() => {
      server.clock.advance(1)
      return apps.every(({ shared }) => shared.state() === 'shared')
    })
    expect(await gauge()).toBe('1')
    server.clock.advance(60_000)
    expect(await askedOf(urls, key, 200)).toEqual({ 200: 120, 429: 80 })
  })
})
