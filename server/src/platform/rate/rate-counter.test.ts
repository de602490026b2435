import { describe, expect, it } from 'vitest'
import type { Clock } from '../clock.ts'
import { createRateCounter, windowMs } from './rate-counter.ts'

const movable = (start: number) => {
  const clock = { at: start, now: () => clock.at, sleep: () => Promise.reject(new Error('not used')) }
  return clock satisfies Clock & { at: number }
}

describe('the rate counter', () => {
  it('allows exactly the limit in a window and says what is left', () => {
    const counter = createRateCounter(movable(windowMs * 10))
    expect([1, 2, 3, 4].map(() => counter.take('a', 3))).toEqual([
      { limit: 3, remaining: 2, resetSeconds: 60, allowed: true },
      { limit: 3, remaining: 1, resetSeconds: 60, allowed: true },
      { limit: 3, remaining: 0, resetSeconds: 60, allowed: true },
      { limit: 3, remaining: 0, resetSeconds: 60, allowed: false },
    ])
  })

  it('counts every key for itself', () => {
    const counter = createRateCounter(movable(0))
    counter.take('a', 1)
    expect(counter.take('a', 1).allowed).toBe(false)
    expect(counter.take('b', 1).allowed).toBe(true)
  })

  it('begins anew at the next multiple of a minute', () => {
    const clock = movable(windowMs * 10 + 59_001)
    const counter = createRateCounter(clock)
    expect(counter.take('a', 1)).toMatchObject({ allowed: true, resetSeconds: 1 })
    clock.at = windowMs * 11 - 1
    expect(counter.take('a', 1)).toMatchObject({ allowed: false, resetSeconds: 1 })
    clock.at = windowMs * 11
    expect(counter.take('a', 1)).toMatchObject({ allowed: true, resetSeconds: 60 })
  })

  it('does not count a look or a refused call', () => {
    const counter = createRateCounter(movable(0))
    expect(counter.peek('a', 2)).toMatchObject({ remaining: 2, allowed: true })
    counter.take('a', 2)
    expect(counter.peek('a', 2)).toMatchObject({ remaining: 1, allowed: true })
    counter.take('a', 2)
    counter.take('a', 2)
    expect(counter.peek('a', 3)).toMatchObject({ remaining: 1, allowed: true })
  })

  it('counts what was used beyond the limit too, in any measure', () => {
    const counter = createRateCounter(movable(0))
    counter.add('a', 3.5)
    expect(counter.peek('a', 10)).toMatchObject({ remaining: 6, allowed: true })
    counter.add('a', 100)
    expect(counter.peek('a', 10)).toMatchObject({ remaining: 0, allowed: false })
    expect(counter.peek('b', 10)).toMatchObject({ remaining: 10, allowed: true })
  })

  it('takes a limit that shrank in the middle of a window', () => {
    const counter = createRateCounter(movable(0))
    for (let n = 0; n < 5; n++) counter.take('a', 10)
    expect(counter.take('a', 2)).toMatchObject({ limit: 2, remaining: 0, allowed: false })
  })

  it('refuses everything at a limit of zero', () => {
    expect(createRateCounter(movable(0)).take('a', 0)).toMatchObject({ allowed: false, remaining: 0 })
  })

  it('forgets the keys of a window that has ended', () => {
    const clock = movable(0)
    const counter = createRateCounter(clock)
    for (let n = 0; n < 1000; n++) counter.take(`key ${n}`, 5)
    expect(counter.size).toBe(1000)
    clock.at = windowMs
    counter.take('later', 5)
    expect(counter.size).toBe(1)
  })

  it('holds a bounded number of keys', () => {
    const counter = createRateCounter(movable(0), 100)
    for (let n = 0; n < 10_000; n++) counter.take(`key ${n}`, 5)
    expect(counter.size).toBe(100)
    expect(counter.peek('key 9999', 5).remaining).toBe(4)
  })
})
