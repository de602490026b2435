import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { clip, intersect, joinNeighbours, lengthOf, overlapping, type Spans, subtract, unionOf } from './intervals.ts'

const spans = fc.array(
  fc
    .tuple(fc.integer({ min: 0, max: 60 }), fc.integer({ min: -2, max: 20 }))
    .map(([fromAt, length]) => ({ fromAt, toAt: fromAt + length })),
  { maxLength: 8 },
)
const covers = (of: Spans, point: number): boolean => of.some(({ fromAt, toAt }) => point >= fromAt && point < toAt)
const points = Array.from({ length: 100 }, (_point, n) => n - 5)
const isNormal = (of: Spans): boolean =>
  of.every(({ fromAt, toAt }, n) => toAt > fromAt && (n === 0 || fromAt > of[n - 1]!.toAt))
const holds = (property: (a: Spans, b: Spans, c: Spans) => void) =>
  fc.assert(fc.property(spans, spans, spans, property), { seed: 30 })

describe('arithmetic of intervals', () => {
  it('covers exactly the points that it says, in order and without touching', () => {
    holds((a, b) => {
      const [union, without, both] = [unionOf(a, b), subtract(a, b), intersect(a, b)]
      for (const point of points) {
        expect(covers(union, point)).toBe(covers(a, point) || covers(b, point))
        expect(covers(without, point)).toBe(covers(a, point) && !covers(b, point))
        expect(covers(both, point)).toBe(covers(a, point) && covers(b, point))
      }
      expect([union, without, both].every(isNormal)).toBe(true)
    })
  })

  it('unites and intersects in any grouping and any order, and twice as once', () => {
    holds((a, b, c) => {
      expect(unionOf(unionOf(a, b), c)).toEqual(unionOf(c, unionOf(b, a)))
      expect(intersect(intersect(a, b), c)).toEqual(intersect(c, intersect(b, a)))
      expect(unionOf(unionOf(a))).toEqual(unionOf(a, a))
      expect(unionOf([...a].reverse())).toEqual(unionOf(a))
    })
  })

  it('takes away one after the other what it takes away together, and nothing a second time', () => {
    holds((a, b, c) => {
      expect(subtract(subtract(a, b), c)).toEqual(subtract(a, unionOf(b, c)))
      expect(subtract(subtract(a, b), b)).toEqual(subtract(a, b))
    })
  })

  it('has lengths that add up, none of them negative', () => {
    holds((a, b) => {
      const [whole, without, both] = [lengthOf(a), lengthOf(subtract(a, b)), lengthOf(intersect(a, b))]
      expect(without + both).toBe(whole)
      expect(lengthOf(unionOf(a, b))).toBe(whole + lengthOf(b) - both)
      expect(Math.min(whole, without, both)).toBeGreaterThanOrEqual(0)
    })
  })

  it('joins neighbours closer than a length, and leaves others apart', () => {
    holds((a, b) => {
      const joined = joinNeighbours([...a, ...b], 3)
      expect(joinNeighbours(joined, 3)).toEqual(joined)
      expect(joinNeighbours([...joinNeighbours(a, 3), ...b], 3)).toEqual(joined)
      for (const [n, span] of joined.slice(1).entries())
        expect(span.fromAt - joined[n]!.toAt).toBeGreaterThanOrEqual(3)
      expect(subtract(unionOf(a, b), joined)).toEqual([])
      for (const hole of subtract(joined, [...a, ...b])) expect(hole.toAt - hole.fromAt).toBeLessThan(3)
    })
  })

  it('cuts items to a span and keeps what else they say', () => {
    const items = [
      { fromAt: 0, toAt: 4, word: 'a' },
      { fromAt: 3, toAt: 9, word: 'b' },
      { fromAt: 9, toAt: 9, word: 'c' },
    ]
    expect(clip(items, { fromAt: 2, toAt: 5 })).toEqual([
      { fromAt: 2, toAt: 4, word: 'a' },
      { fromAt: 3, toAt: 5, word: 'b' },
    ])
    expect(clip(items, { fromAt: 4, toAt: Number.POSITIVE_INFINITY })).toEqual([{ fromAt: 4, toAt: 9, word: 'b' }])
  })

  it('finds the sorted items that reach into a span', () => {
    holds((a, b) => {
      const sorted = unionOf(a)
      for (const span of unionOf(b))
        expect(overlapping(sorted, span)).toEqual(sorted.filter(({ fromAt, toAt }) => toAt > span.fromAt && fromAt < span.toAt))
    })
  })

  it('looks at each of many spans a few times, not once for each piece that is left', () => {
    let looked = 0
    const taken = Array.from({ length: 4000 }, (_, n) => ({
      fromAt: 2 * n + 1,
      get toAt() {
        looked += 1
        return 2 * n + 2
      },
    }))
    expect(subtract([{ fromAt: 0, toAt: 8001 }], taken.reverse())).toHaveLength(4001)
    expect(looked).toBeLessThan(10 * taken.length)
  })
})
