/** What came, and where it matters what went, on a day of UTC (`2026-11-28`). */
export interface Day {
  readonly date: string
  readonly up: number
  readonly down?: number
}

export interface Bar {
  readonly key: string
  readonly className: 'up' | 'down'
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

export const plotWidth = 1000
const halfHeight = 100

/** How high the plot is: what went is drawn below what came. */
export const plotHeight = (days: readonly Day[]): number =>
  days.some(({ down }) => down !== undefined) ? 2 * halfHeight : halfHeight

/** The largest value, which is as high as there is room for. */
export const mostOf = (days: readonly Day[]): number => Math.max(0, ...days.flatMap(({ up, down = 0 }) => [up, down]))

/** One bar a day and direction; a day of nothing has none. */
export const barsOf = (days: readonly Day[]): Bar[] => {
  const most = mostOf(days)
  const slot = plotWidth / Math.max(1, days.length)
  const width = slot * 0.8
  return days.flatMap(({ date, up, down = 0 }, n): Bar[] => {
    const x = n * slot + slot * 0.1
    const [above, below] = [up, down].map((value) => (value / Math.max(1, most)) * halfHeight) as [number, number]
    return [
      { key: `${date} up`, className: 'up' as const, x, y: halfHeight - above, width, height: above },
      { key: `${date} down`, className: 'down' as const, x, y: halfHeight, width, height: below },
    ].filter(({ height }) => height > 0)
  })
}
