import { expect, it } from 'vitest'
import { systemClock } from '../clock.ts'
import { createSharedClock } from './shared-clock.ts'
import type { Reader } from './types.ts'

const database = (now: () => number) => ({
  servesMany: true,
  reader: { get: async () => ({ now: now() }), all: async () => [] } as unknown as Reader,
})

it.each([600_000, -90_000])('a process whose clock is off by %d ms goes by the time of the database', async (off) => {
  const own = { ...systemClock, now: () => Date.now() + off }
  const clock = createSharedClock(database(Date.now), own)
  await clock.compare()
  expect(Math.abs(clock.skewMs - off)).toBeLessThan(1000)
  expect(Math.abs(clock.now() - Date.now())).toBeLessThan(1000)
  clock.stop()
})

it('a clock that is right stays its own, and one alone on its database is compared with nobody', async () => {
  const fixed = { ...systemClock, now: () => 5_000_000 }
  const clock = createSharedClock(
    database(() => 5_000_300),
    fixed,
  )
  await clock.compare()
  expect(clock.now()).toBe(5_000_000)
  clock.stop()
  const alone = createSharedClock({ ...database(() => 1), servesMany: false }, fixed)
  await alone.compare()
  expect([alone.skewMs, alone.now()]).toEqual([0, 5_000_000])
  alone.stop()
})
