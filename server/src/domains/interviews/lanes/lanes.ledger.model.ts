import type { LaneGap, LaneWindow } from './lanes.types.ts'

/** A row of the ledger by the clientId of the event that told of it first. */
export type Told<T> = T & { readonly clientId: string }
type Place = Told<Omit<LaneGap, 'reason'>>

/** What rows become when others are added and neighbours joined. */
export interface Settled<T> {
  /** How many there are then. */
  readonly count: number
  /** Rows to write: new ones, and such as grew. */
  readonly written: readonly T[]
  /** Rows that are part of another now. */
  readonly removed: readonly T[]
}

export const keyOf = ({ lane, displayId, fromAt, clientId }: Place): string =>
  `${lane} ${fromAt} ${clientId} ${displayId}`

const settle = <T extends Place>(
  held: readonly T[],
  fresh: readonly T[],
  groupOf: (row: T) => string,
  /** One row for two neighbours, the first of which begins no later; undefined when they stay two. */
  join: (first: T, second: T) => T | undefined,
): Settled<T> => {
  const rows: T[] = []
  for (const group of Map.groupBy([...held, ...fresh], groupOf).values()) {
    let last: T | undefined
    for (const row of group.sort((a, b) => a.fromAt - b.fromAt)) {
      const one = last && join(last, row)
      if (one) rows[rows.length - 1] = one
      else rows.push(row)
      last = one ?? row
    }
  }
  const before = new Set(held)
  const after = new Set(rows.map(keyOf))
  return {
    count: rows.length,
    written: rows.filter((row) => !before.has(row)),
    removed: held.filter((row) => !after.has(keyOf(row))),
  }
}

/** Gaps of one lane, display and reason that touch or overlap are one gap. */
export const addGaps = (held: readonly Told<LaneGap>[], fresh: readonly Told<LaneGap>[]): Settled<Told<LaneGap>> =>
  settle(
    held,
    fresh,
    ({ lane, displayId, reason }) => `${lane} ${reason} ${displayId}`,
    (first, second) => {
      if (second.fromAt > first.toAt) return undefined
      return second.toAt > first.toAt ? { ...first, toAt: second.toAt } : first
    },
  )

export const lengthOf = ({ fromAt, toAt }: LaneWindow): number => (toAt - fromAt) / 1000

/** All or nothing of the time was observed: 1 or 0. Such neighbours can be joined and cut anywhere without losing a second. */
const wholeShare = (w: LaneWindow): 0 | 1 | undefined => {
  if (w.expectedSeconds !== lengthOf(w)) return undefined
  return w.observedSeconds === w.expectedSeconds ? 1 : w.observedSeconds === 0 ? 0 : undefined
}

/** Windows that follow each other are one where that says the same. */
export const addWindows = (
  held: readonly Told<LaneWindow>[],
  fresh: readonly Told<LaneWindow>[],
): Settled<Told<LaneWindow>> =>
  settle(
    held,
    fresh,
    ({ lane, displayId }) => `${lane} ${displayId}`,
    (first, second) => {
      const share = wholeShare(first)
      if (share === undefined || share !== wholeShare(second) || second.fromAt !== first.toAt) return undefined
      const whole = { ...first, toAt: second.toAt }
      return { ...whole, expectedSeconds: lengthOf(whole), observedSeconds: share * lengthOf(whole) }
    },
  )
