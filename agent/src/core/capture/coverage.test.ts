import { describe, expect, it } from 'vitest'
import { CoverageLedger } from './coverage.ts'

const T = 1_800_000_000_000
const ledger = () => new CoverageLedger('microphone', undefined, T)

describe('the coverage ledger', () => {
  it('expects nothing while the device opens and everything from the first sample on', () => {
    const book = ledger()
    expect(book.take(T + 900)).toBeUndefined()
    book.sample(T + 1000)
    book.sample(T + 4000)
    expect(book.take(T + 9000)).toEqual({
      lane: 'microphone',
      fromAt: T + 1000,
      toAt: T + 4000,
      expectedSeconds: 3,
      observedSeconds: 3,
      gaps: [],
    })
  })

  it('hands out windows that touch and never overlap, and keeps back what no sample has settled', () => {
    const book = ledger()
    book.sample(T)
    book.sample(T + 2000)
    expect(book.take(T + 5000)).toMatchObject({ fromAt: T, toAt: T + 2000 })
    expect(book.take(T + 6000)).toBeUndefined()
    book.sample(T + 7000)
    expect(book.take(T + 8000)).toMatchObject({ fromAt: T + 2000, toAt: T + 7000, observedSeconds: 5 })
  })

  it('counts a hole from the last sample, also when it is noticed later and spans two windows', () => {
    const book = ledger()
    book.sample(T)
    book.sample(T + 1000)
    expect(book.open('unplugged', T + 16_000)).toBeUndefined()
    const first = book.take(T + 20_000)!
    expect(first.gaps).toEqual([{ from: T + 1000, to: T + 20_000, reason: 'unplugged' }])
    expect(first.observedSeconds).toBe(1)
    expect(book.sample(T + 30_000)).toEqual({ from: T + 1000, to: T + 30_000, reason: 'unplugged' })
    book.sample(T + 35_000)
    const second = book.take(T + 40_000)!
    expect(second.gaps).toEqual([{ from: T + 20_000, to: T + 30_000, reason: 'unplugged' }])
    expect(second).toMatchObject({ fromAt: T + 20_000, toAt: T + 35_000, expectedSeconds: 15, observedSeconds: 5 })
  })

  it('splits a hole where its reason changes', () => {
    const book = ledger()
    book.sample(T)
    book.open('driver_failed', T + 1000)
    expect(book.open('paused', T + 5000)).toEqual({ from: T, to: T + 5000, reason: 'driver_failed' })
    expect(book.open('paused', T + 6000)).toBeUndefined()
    expect(book.sample(T + 9000)).toEqual({ from: T + 5000, to: T + 9000, reason: 'paused' })
  })

  it('counts overlapping gaps once', () => {
    const book = ledger()
    book.sample(T)
    book.add({ from: T + 1000, to: T + 5000, reason: 'asleep_or_locked' })
    book.add({ from: T + 3000, to: T + 6000, reason: 'driver_failed' })
    book.sample(T + 10_000)
    expect(book.take(T + 10_000)).toMatchObject({ expectedSeconds: 10, observedSeconds: 5 })
  })

  it('gives a lane that never had a sample no observed second, and a lane that ended before it began no window', () => {
    const dead = ledger()
    dead.open('driver_failed', T + 15_000)
    dead.end(T + 60_000)
    expect(dead.take(T + 60_000)).toMatchObject({ expectedSeconds: 60, observedSeconds: 0 })
    const brief = ledger()
    brief.end(T + 500)
    expect(brief.take(T + 1000)).toBeUndefined()
  })

  it('never has a negative length when the wall clock goes back', () => {
    const book = ledger()
    book.sample(T + 5000)
    book.sample(T + 1000)
    book.open('offline', T)
    expect(book.sample(T + 2000)).toMatchObject({ from: T + 5000, to: T + 5000 })
    book.sample(T + 8000)
    expect(book.take(T + 8000)).toMatchObject({ expectedSeconds: 3, observedSeconds: 3 })
  })
})
