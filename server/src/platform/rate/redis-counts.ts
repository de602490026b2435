import type { Redis } from '../redis/redis.ts'
import { windowMs } from './rate-counter.ts'
import { aheadPart, type CountAnswer, type CountAsk, type SharedCounts } from './shared-counts.types.ts'

/** `grantOf`, for each key. Numbers travel as text: Redis cuts the fractions of a number that Lua returns. */
const script = `local answers = {}
for i, key in ipairs(KEYS) do
  local at = (i - 1) * 4
  local limit, cost, least, ahead = tonumber(ARGV[at + 1]), tonumber(ARGV[at + 2]), tonumber(ARGV[at + 3]), tonumber(ARGV[at + 4])
  local used = tonumber(redis.call('GET', key) or '0')
  local room = limit - used
  local granted = 0
  if cost > 0 and room > 0 then
    granted = math.max(least, math.min(room, math.max(cost, math.min(ahead, math.floor(room / ${aheadPart})))))
    used = used + granted
    redis.call('SET', key, string.format('%.17g', used), 'PX', ${2 * windowMs})
  end
  answers[2 * i - 1] = string.format('%.17g', used)
  answers[2 * i] = string.format('%.17g', granted)
end
return answers`

/** The hash tag, by which a cluster decides where a key lies. */
const tagOf = (key: string): string => /\{([^}]+)\}/.exec(key)?.[1] ?? key

/**
 * Counts in Redis, each forgotten a window after its own. In a cluster the counts of one owner lie on one node, and those of
 * several are asked for side by side: a script may touch the keys of one node only.
 */
export const redisCounts = (redis: Redis): SharedCounts => ({
  async reserve(window, asks) {
    const reserveAll = async (some: readonly CountAsk[]): Promise<readonly CountAnswer[]> => {
      const keys = some.map(({ key }) => `rate:${window}:${key}`)
      const values = some.flatMap(({ limit, cost, least, ahead }) => [limit, cost, least, ahead].map(String))
      const answers = await redis.run(script, keys, values)
      return some.map((_, index) => ({ used: Number(answers[2 * index]), granted: Number(answers[2 * index + 1]) }))
    }
    if (!redis.isCluster || asks.length < 2) return reserveAll(asks)
    const groups = [...Map.groupBy(asks, ({ key }) => tagOf(key)).values()]
    const answered = await Promise.all(groups.map(async (group) => ({ group, answers: await reserveAll(group) })))
    const byKey = new Map(answered.flatMap(({ group, answers }) => group.map(({ key }, at) => [key, answers[at]!])))
    return asks.map(({ key }) => byKey.get(key)!)
  },
})

/** What stands for a count in a cluster: a key ends with whom it counts, and all counts of one lie together. */
export const keyOnOneNode = (key: string, fingerprint: (text: string) => string): string =>
  `{${fingerprint(key.slice(key.lastIndexOf(' ') + 1))}}${fingerprint(key)}`
