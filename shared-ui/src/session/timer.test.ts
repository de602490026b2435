import { failed, unreached } from '@integrity/client/test-support/failed'
import { describe, expect, it } from 'vitest'
import { ManualTime } from '../test-support/manual-time.ts'
import { Timer } from './timer.ts'

const begin = () => {
  const time = new ManualTime()
  const timer = new Timer(time)
  const done: string[] = []
  return { time, timer, done, say: (word: string) => () => void done.push(word) }
}

describe('what a page does later', () => {
  it('is one thing: the newest takes the place of what was to come', () => {
    const { time, timer, done, say } = begin()
    timer.later(1_000, say('first'))
    timer.later(2_000, say('second'))
    time.advance(10_000)
    expect(done).toEqual(['second'])
  })

  it('is nothing any more once it is cancelled, and may be again', () => {
    const { time, timer, done, say } = begin()
    timer.later(1_000, say('first'))
    timer.cancel()
    timer.cancel()
    time.advance(10_000)
    timer.later(1_000, say('second'))
    time.advance(1_000)
    expect(done).toEqual(['second'])
  })

  it('waits longer after each failure in a row, up to a bound, and begins again once the service was reached', () => {
    const { time, timer } = begin()
    const waits = (): number => {
      let waited = 0
      let tried = false
      timer.retry(unreached(), () => {
        tried = true
      })
      for (; !tried; waited += 100) time.advance(100)
      return waited
    }
    const first = waits()
    const more = Array.from({ length: 10 }, waits)
    expect(more[0]).toBeGreaterThan(first)
    expect(Math.max(...more)).toBeLessThanOrEqual(30_000)
    expect(more.at(-1)).toBeGreaterThan(first * 4)
    timer.reached()
    expect(waits()).toBe(first)
  })

  it('never tries sooner than the service wished', () => {
    const { time, timer, done, say } = begin()
    timer.retry(failed('too_many', { retryAfterMs: 20_000 }), say('tried'))
    time.advance(19_999)
    expect(done).toEqual([])
    time.advance(20_000)
    expect(done).toEqual(['tried'])
  })
})
