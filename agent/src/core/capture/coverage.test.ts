import { describe, expect, it } from 'vitest'
import { CoverageLedger } from './coverage.ts'

const T = 1_800_000_000_000
const ledger = () => new CoverageLedger('microphone', undefined, T)

describe('the coverage ledger', () => {
  it('expects nothing while the device opens and everything from the first sample on', () => {
    const book = ledger()
    expect(book.take(T + 900)).toEqual([])
    book.sample(T + 1000)
    book.sample(T + 4000)
    const seconds = { expectedSeconds: 3, observedSeconds: 3 }
    expect(book.take(T + 9000)).toEqual([
      { lane: 'microphone', fromAt: T + 1000, toAt: T + 4000, ...seconds, gaps: [] },
    ])
  })

  it('hands out windows that touch and never overlap, and keeps back what no sample has settled', () => {
    const book = ledger()
    book.sample(T)
    book.sample(T + 2000)
    expect(book.take(T + 5000)).toMatchObject([{ fromAt: T, toAt: T + 2000 }])
    expect(book.take(T + 6000)).toEqual([])
    book.sample(T + 7000)
    expect(book.take(T + 8000)).toMatchObject([{ fromAt: T + 2000, toAt: T + 7000, observedSeconds: 5 }])
  })

  it('counts a hole from the last sample, also when it is noticed later and spans two windows', () => {
    const book = ledger()
    book.sample(T)
    book.sample(T + 1000)
    expect(book.open('unplugged', T + 16_000)).toBeUndefined()
    const first = book.take(T + 20_000)[0]!
    expect(first.gaps).toEqual([{ from: T + 1000, to: T + 20_000, reason: 'unplugged' }])
    expect(first.observedSeconds).toBe(1)
    expect(book.sample(T + 30_000)).toEqual({ from: T + 1000, to: T + 30_000, reason: 'unplugged' })
    book.sample(T + 35_000)
    const second = book.take(T + 40_000)[0]!
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
    expect(book.take(T + 10_000)).toMatchObject([{ expectedSeconds: 10, observedSeconds: 5 }])
  })

  it('gives a lane that never had a sample no observed second, and a lane that ended before it began no window', () => {
    const dead = ledger()
    dead.open('driver_failed', T + 15_000)
    dead.end(T + 60_000)
    expect(dead.take(T + 60_000)).toMatchObject([{ expectedSeconds: 60, observedSeconds: 0 }])
    const brief = ledger()
    brief.end(T + 500)
    expect(brief.take(T + 1000)).toEqual([])
  })

  it('never has a negative length when the wall clock goes back', () => {
    const book = ledger()
    book.sample(T + 5000)
    book.sample(T + 1000)
    book.open('offline', T)
    expect(book.sample(T + 2000)).toMatchObject({ from: T + 5000, to: T + 5000 })
    book.sample(T + 8000)
    expect(book.take(T + 8000)).toMatchObject([{ expectedSeconds: 3, observedSeconds: 3 }])
  })
})

describe('the coverage ledger of a lane that records pieces', () => {
  const recorded = () => new CoverageLedger('microphone', undefined, T, 'pieces')

  it('counts a piece as observed once it is on the disk, however many samples there were before', () => {
    const book = recorded()
    book.sample(T + 1000)
    book.sample(T + 9000)
    expect(book.take(T + 9500)).toEqual([])
    book.sealed(T + 500, T + 10_500)
    expect(book.take(T + 11_000)).toMatchObject([{ fromAt: T + 500, toAt: T + 10_500, observedSeconds: 10 }])
    expect(book.end(T + 20_000)).toBeUndefined()
    expect(book.take(T + 20_000)).toEqual([])
  })

  it('ends a gap where the piece begins that comes after it', () => {
    const book = recorded()
    book.sealed(T, T + 10_000)
    book.open('unplugged', T + 12_000)
    expect(book.gapReason).toBe('unplugged')
    expect(book.take(T + 13_000)).toMatchObject([
      { fromAt: T, toAt: T + 13_000, observedSeconds: 10, gaps: [{ from: T + 10_000, to: T + 13_000 }] },
    ])
    book.sample(T + 16_000)
    expect(book.gapReason).toBeUndefined()
    expect(book.sealed(T + 15_000, T + 25_000)).toEqual({ from: T + 10_000, to: T + 15_000, reason: 'unplugged' })
    const [window] = book.take(T + 26_000)
    expect(window).toMatchObject({ fromAt: T + 13_000, toAt: T + 25_000, observedSeconds: 10 })
  })

  it('takes a piece that a recorder hands over as it ends for one of before the gap', () => {
    const book = recorded()
    book.sealed(T, T + 10_000)
    book.open('driver_failed', T + 14_000)
    expect(book.sealed(T + 10_000, T + 13_000)).toBeUndefined()
    book.sample(T + 20_000)
    expect(book.sealed(T + 19_000, T + 29_000)).toEqual({ from: T + 13_000, to: T + 19_000, reason: 'driver_failed' })
  })

  it('takes the time that the machine slept out of the piece that was being recorded', () => {
    const book = recorded()
    book.add({ from: T + 4000, to: T + 8000, reason: 'asleep_or_locked' })
    book.sealed(T, T + 10_000)
    expect(book.take(T + 10_000)).toMatchObject([{ expectedSeconds: 10, observedSeconds: 6 }])
  })
})
