import type { PostResult } from '../../../platform/http-out/http-out.ts'

/** Endpoints remembered at once; the one that has been remembered longest is forgotten first. */
const maxRemembered = 10_000

export interface WidthOptions {
  /** What every endpoint may have under way at any time. */
  readonly least: number
  readonly most: number
  /** Beyond the least share, endpoints take places only while so few are taken: the others are for everybody's least. */
  readonly spare: number
}

/** The concurrency window of each endpoint: how many attempts may be under way. */
export interface Widths {
  /** `busy` of its own are under way, `taken` of all endpoints together. */
  share(endpointId: string, busy: number, taken: number): number
  /** An attempt has ended; when it began, `busy` of its endpoint were under way, itself included. */
  note(endpointId: string, outcome: PostResult['outcome'], busy: number): void
}

/**
 * As a congestion window: an arrival widens an endpoint that used more than half of what it had, trouble halves it, and one
 * that has timed out gets a single attempt until it answers.
 */
export const createWidths = ({ least, most, spare }: WidthOptions): Widths => {
  const widths = new Map<string, number>()
  const set = (endpointId: string, width: number): void => {
    widths.delete(endpointId)
    if (width === least) return
    widths.set(endpointId, width)
    if (widths.size > maxRemembered) for (const first of widths.keys()) return void widths.delete(first)
  }
  const next = (width: number, outcome: PostResult['outcome'], busy: number): number => {
    if (outcome === 'timeout') return 1
    if (outcome !== 'success') return Math.max(least, Math.floor(width / 2))
    return Math.max(least, width < 2 * busy ? Math.min(most, width + 1) : width)
  }
  return {
    share(endpointId, busy, taken) {
      const width = widths.get(endpointId) ?? least
      return width <= least ? width : Math.max(least, Math.min(width, spare - taken + busy))
    },
    note(endpointId, outcome, busy) {
      const width = widths.get(endpointId) ?? least
      const wanted = next(width, outcome, busy)
      if (wanted !== width) set(endpointId, wanted)
    },
  }
}
