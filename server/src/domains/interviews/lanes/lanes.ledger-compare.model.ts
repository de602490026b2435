import { addGaps, lengthOf, type Told } from './lanes.ledger.model.ts'
import type { LaneGap, LaneWindow } from './lanes.types.ts'

export interface Ledger {
  readonly gaps: readonly Told<LaneGap>[]
  readonly windows: readonly Told<LaneWindow>[]
}

/** What gaps say, however they were joined. */
const gapsTold = (gaps: Ledger['gaps']): string[] =>
  addGaps([], gaps).written.map(({ lane, displayId, reason, fromAt, toAt }) =>
    JSON.stringify([lane, displayId, reason, fromAt, toAt]),
  )

/**
 * What windows say, however they were joined. Those of which all or nothing was observed by where they begin and end: what
 * one ends and the next begins is no edge. Of the others each for itself, as they are never joined.
 */
const windowsTold = (windows: Ledger['windows']): string[] => {
  const edges = new Map<string, number>()
  const add = (key: unknown[], n: number): void => {
    const text = JSON.stringify(key)
    edges.set(text, (edges.get(text) ?? 0) + n)
  }
  for (const window of windows) {
    const { lane, displayId, fromAt, toAt, expectedSeconds, observedSeconds } = window
    const isWhole = expectedSeconds === lengthOf(window) && [0, expectedSeconds].includes(observedSeconds)
    if (!isWhole) {
      add([lane, displayId, fromAt, toAt, expectedSeconds, observedSeconds], 1)
      continue
    }
    const share = observedSeconds === 0 ? 0 : 1
    add([lane, displayId, share, fromAt], 1)
    add([lane, displayId, share, toAt], -1)
  }
  return [...edges].filter(([, n]) => n !== 0).map(([key, n]) => `${n} ${key}`)
}

const told = (ledger: Ledger): string => [...gapsTold(ledger.gaps), ...windowsTold(ledger.windows)].sort().join('\n')

/** Whether two ledgers say the same of every lane and display. */
export const saysTheSame = (a: Ledger, b: Ledger): boolean => told(a) === told(b)
