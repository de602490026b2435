import type { LaneCoverage, Stretch } from './desk-api.ts'

/** A stretch of a strip, in thousandths of its length. */
export interface StripPart {
  readonly state: Stretch['state']
  readonly x: number
  readonly width: number
}

/** The time that the strips of an interview have in common, epoch milliseconds; undefined where nothing is accounted for. */
export const axisOf = (accounts: readonly (readonly Stretch[])[]): { from: number; to: number } | undefined => {
  const all = accounts.flat()
  if (all.length === 0) return undefined
  const from = Math.min(...all.map(({ fromAt }) => Date.parse(fromAt)))
  const to = Math.max(...all.map(({ toAt }) => Date.parse(toAt)))
  return to > from ? { from, to } : undefined
}

/** Where the stretches of an account lie on the axis; one next to another of the same state is drawn with it. */
export const stripOf = (account: readonly Stretch[], { from, to }: { from: number; to: number }): StripPart[] => {
  const place = (at: string) => ((Date.parse(at) - from) / (to - from)) * 1000
  const parts: { state: Stretch['state']; x: number; end: number }[] = []
  for (const { state, fromAt, toAt } of account) {
    const last = parts.at(-1)
    const [x, end] = [place(fromAt), place(toAt)]
    if (last?.state === state && Math.abs(last.end - x) < 0.01) last.end = end
    else parts.push({ state, x, end })
  }
  return parts.map(({ state, x, end }) => ({ state, x, width: end - x }))
}

/** How a lane's line reads: its account only where there is one. */
export const lineOf = ({
  enabled,
  declined,
  expectedMs,
  account,
}: Pick<LaneCoverage, 'enabled' | 'declined' | 'expectedMs' | 'account'>) => {
  if (expectedMs > 0) return 'account'
  if (!enabled) return 'laneOff'
  if (declined) return 'laneDeclined'
  return account.length === 0 ? 'laneUnused' : 'account'
}
