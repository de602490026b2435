import type { Redis } from '../redis/redis.ts'
import { windowMs } from './rate-counter.ts'
import { aheadPart, type SharedCounts } from './shared-counts.types.ts'

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

/** Counts in Redis, each forgotten a window after its own. */
export const redisCounts = (redis: Redis): SharedCounts => ({
  async reserve(window, asks) {
    const keys = asks.map(({ key }) => `rate:${window}:${key}`)
    const values = asks.flatMap(({ limit, cost, least, ahead }) => [limit, cost, least, ahead].map(String))
    const answers = await redis.run(script, keys, values)
    return asks.map((_, index) => ({ used: Number(answers[2 * index]), granted: Number(answers[2 * index + 1]) }))
  },
})
