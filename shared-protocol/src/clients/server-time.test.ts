import { describe, expect, it } from 'vitest'
import { createServerTime } from './server-time.ts'

const date = (at: number) => new Date(at).toUTCString()
const nine = Date.UTC(2026, 10, 20, 9)

describe("the server's time", () => {
  it('is the own clock as long as the difference may be rounding', () => {
    let own = nine
    const time = createServerTime(() => own)
    time.observe(date(nine + 1_000), nine, nine + 100)
    time.observe('nonsense', nine, nine)
    own += 5
    expect([time.now(), time.ahead]).toEqual([nine + 5, 0])
  })

  it.each([-7_200_000, 7_200_000, 60_000])('is believed when the own clock is off by %i ms', (off) => {
    const own = nine + off
    const time = createServerTime(() => own)
    time.observe(date(nine), own - 50, own + 50)
    expect(Math.abs(time.now() - nine)).toBeLessThanOrEqual(1_000)
    expect(Math.abs(time.ahead + off)).toBeLessThanOrEqual(1_000)
  })

  it('is the own clock again once that was put right', () => {
    let own = nine + 3_600_000
    const time = createServerTime(() => own)
    time.observe(date(nine), own, own)
    own = nine + 1_000
    time.observe(date(nine + 1_000), own, own)
    expect([time.now(), time.ahead]).toEqual([own, 0])
  })
})
