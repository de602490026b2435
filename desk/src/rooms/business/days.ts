/** What came, and where it matters what went, on a day of UTC (`2026-11-28`). */
export interface Day {
  readonly date: string
  readonly up: number
  readonly down?: number
}

/** The largest value of any day. */
export const mostOf = (days: readonly Day[]): number => Math.max(0, ...days.flatMap(({ up, down = 0 }) => [up, down]))

type Columns = [days: number[], up: number[], ...down: number[][]]

/** The values as they are drawn, a column each: days by their number, and what went below the line. */
export const columnsOf = (days: readonly Day[]): Columns => {
  const hasDown = days.some(({ down }) => down !== undefined)
  const down = hasDown ? [days.map((day) => (day.down ? -day.down : 0))] : []
  return [days.map((_, n) => n), days.map(({ up }) => up), ...down]
}

/** Between which values the plot is: with the line at nothing, and room for one where nothing came or went. */
export const rangeOf = (least: number, most: number): [number, number] =>
  least === 0 && most === 0 ? [0, 1] : [Math.min(0, least), Math.max(0, most)]

/** Steps of an axis that counts: 1, 2, 5, 10, 20 … */
export const wholeSteps: number[] = Array.from({ length: 15 }, (_, power) =>
  [1, 2, 5].map((n) => n * 10 ** power),
).flat()
/** Steps of an axis of days. */
export const daySteps: number[] = [1, 2, 7, 14, 30, 60, 120]
