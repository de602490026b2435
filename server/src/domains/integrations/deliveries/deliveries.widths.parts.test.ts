import { describe, expect, it } from 'vitest'
import { createWidths } from './deliveries.widths.parts.ts'

const widths = () => createWidths({ least: 4, most: 64, spare: 64 })
/** As many arrivals as make it as wide as it gets, each with all its places taken. */
const widen = (of: ReturnType<typeof widths>, id: string, times = 60) => {
  for (let n = 0; n < times; n++) of.note(id, 'success', of.share(id, 64, 64))
}

describe('how many attempts an endpoint may have under way', () => {
  it('is four at first, one more for each arrival while it uses them, and sixty-four at most', () => {
    const of = widths()
    expect(of.share('a', 0, 0)).toBe(4)
    widen(of, 'a', 1)
    expect(of.share('a', 0, 0)).toBe(5)
    widen(of, 'a', 200)
    expect(of.share('a', 0, 0)).toBe(64)
  })

  it('does not grow while half of them are enough', () => {
    const of = widths()
    for (let n = 0; n < 100; n++) of.note('a', 'success', 2)
    expect(of.share('a', 0, 0)).toBe(4)
  })

  it.each(['http_error', 'network_error', 'blocked'] as const)('halves with %s, and never below four', (outcome) => {
    const of = widths()
    widen(of, 'a')
    const seen = Array.from({ length: 6 }, () => {
      of.note('a', outcome, 64)
      return of.share('a', 0, 0)
    })
    expect(seen).toEqual([32, 16, 8, 4, 4, 4])
  })

  it('is one after a timeout, until it answers again', () => {
    const of = widths()
    widen(of, 'a')
    of.note('a', 'timeout', 64)
    expect(of.share('a', 0, 0)).toBe(1)
    of.note('a', 'success', 1)
    expect(of.share('a', 0, 0)).toBe(4)
  })

  it('leaves places for the least of everybody else, whatever an endpoint has earned', () => {
    const of = widths()
    widen(of, 'a')
    widen(of, 'b')
    expect(of.share('a', 10, 50)).toBe(24)
    expect(of.share('a', 64, 64)).toBe(64)
    expect(of.share('b', 0, 64)).toBe(4)
    expect(of.share('b', 0, 500)).toBe(4)
  })

  it('knows each endpoint by itself', () => {
    const of = widths()
    widen(of, 'a')
    of.note('b', 'timeout', 1)
    expect([of.share('a', 0, 0), of.share('b', 0, 0), of.share('c', 0, 0)]).toEqual([64, 1, 4])
  })
})
