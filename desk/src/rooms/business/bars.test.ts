import { describe, expect, it } from 'vitest'
import { barsOf, mostOf, plotHeight, plotWidth } from './bars.ts'

const days = [
  { date: '2026-11-26', up: 5, down: 10 },
  { date: '2026-11-27', up: 0, down: 0 },
  { date: '2026-11-28', up: 10, down: 0 },
]

describe('the bars of a plot', () => {
  it('are as high as their share of the largest value, what came above what went', () => {
    const bars = barsOf(days).map(({ key, y, height }) => ({ key, y, height }))
    expect(bars).toEqual([
      { key: '2026-11-26 up', y: 50, height: 50 },
      { key: '2026-11-26 down', y: 100, height: 100 },
      { key: '2026-11-28 up', y: 0, height: 100 },
    ])
    expect(mostOf(days)).toBe(10)
  })

  it('have a place of the same width for each day, all within the plot', () => {
    const [first, , last] = barsOf(days)
    expect(first?.width).toBe(last?.width)
    expect((last?.x ?? 0) + (last?.width ?? 0)).toBeLessThanOrEqual(plotWidth)
  })

  it('need no room below where nothing can go, and none at all where nothing is', () => {
    expect(plotHeight(days)).toBe(200)
    expect(plotHeight([{ date: '2026-11-28', up: 1 }])).toBe(100)
    expect(barsOf([])).toEqual([])
    expect(barsOf([{ date: '2026-11-28', up: 0 }])).toEqual([])
  })
})
