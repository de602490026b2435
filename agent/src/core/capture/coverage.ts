import type { GapReason } from '@integrity/protocol'
import type { LaneName, ReportingLane } from './types.ts'

export interface CoverageGap {
  from: number
  to: number
  reason: GapReason
}

/** What was expected and what was observed of one lane (or one display of it) between two instants, epoch ms. */
export interface CoverageWindow {
  lane: ReportingLane
  displayId?: string
  fromAt: number
  toAt: number
  expectedSeconds: number
  observedSeconds: number
  gaps: CoverageGap[]
}

interface OpenGap {
  from: number
  reason: GapReason
}

/**
 * The ledger of one lane or display. A sample confirms everything since the sample before it; a hole becomes a gap
 * only when someone says so (`open`), therefore nothing after the last sample is handed out until it is settled.
 * Times are epoch ms; a wall clock that goes back never makes a negative length.
 */
export class CoverageLedger {
  readonly lane: LaneName
  readonly displayId: string | undefined
  #cursor: number
  #confirmed: number
  #seen = false
  #openGap: OpenGap | undefined
  #gaps: CoverageGap[] = []
  #endedAt: number | undefined

  constructor(lane: LaneName, displayId: string | undefined, from: number) {
    this.lane = lane
    this.displayId = displayId
    this.#cursor = from
    this.#confirmed = from
  }

  get gapReason(): GapReason | undefined {
    return this.#openGap?.reason
  }

  /** Whether there was ever a sample. */
  get seen(): boolean {
    return this.#seen
  }

  /** Records a sample; gives the gap that it closed. */
  sample(at: number): CoverageGap | undefined {
    const closed = this.#close(at)
    // Nothing was expected while the device opened: expectation begins with the first sample.
    if (!this.#seen && !closed && at > this.#cursor) this.#cursor = at
    this.#seen = true
    this.#confirmed = Math.max(this.#confirmed, at)
    return closed
  }

  /** Opens a gap after the last sample; when the reason of an open gap changes at `at`, gives the part that ends there. */
  open(reason: GapReason, at: number): CoverageGap | undefined {
    if (this.#openGap?.reason === reason) return undefined
    const closed = this.#close(at)
    this.#openGap = { from: closed ? closed.to : this.#confirmed, reason }
    return closed
  }

  /** Adds a gap that is already over, as a suspended machine leaves. */
  add(gap: CoverageGap): void {
    if (gap.to > gap.from) this.#gaps.push(gap)
    this.#confirmed = Math.max(this.#confirmed, gap.to)
  }

  /** Ends the expectation; a tail since the last sample counts as observed, an open gap is closed and given. */
  end(at: number): CoverageGap | undefined {
    if (this.#endedAt !== undefined) return undefined
    const closed = this.#close(at)
    if (!this.#seen && !closed && this.#gaps.length === 0) this.#cursor = Math.max(this.#cursor, at)
    this.#endedAt = Math.max(at, this.#confirmed)
    return closed
  }

  /** The window since the last call up to what is settled, or undefined when nothing new is. */
  take(now: number): CoverageWindow | undefined {
    const to = this.#endedAt ?? (this.#openGap ? Math.max(now, this.#openGap.from) : this.#confirmed)
    const from = this.#cursor
    if (to <= from || (!this.#seen && !this.#openGap && this.#gaps.length === 0)) return undefined
    const all = this.#openGap ? [...this.#gaps, { ...this.#openGap, to }] : this.#gaps
    const gaps = clip(all, from, to)
    this.#cursor = to
    this.#gaps = this.#gaps.filter((gap) => gap.to > to)
    const expected = (to - from) / 1000
    return {
      lane: this.lane,
      ...(this.displayId === undefined ? {} : { displayId: this.displayId }),
      fromAt: from,
      toAt: to,
      expectedSeconds: expected,
      observedSeconds: Math.max(0, expected - unionLength(gaps) / 1000),
      gaps,
    }
  }

  #close(at: number): CoverageGap | undefined {
    const open = this.#openGap
    if (!open) return undefined
    this.#openGap = undefined
    const gap = { from: open.from, to: Math.max(open.from, at), reason: open.reason }
    this.#confirmed = Math.max(this.#confirmed, gap.to)
    if (gap.to > gap.from) this.#gaps.push(gap)
    return gap
  }
}

const clip = (gaps: CoverageGap[], from: number, to: number): CoverageGap[] =>
  gaps
    .map((gap) => ({ ...gap, from: Math.max(gap.from, from), to: Math.min(gap.to, to) }))
    .filter((gap) => gap.to > gap.from)

const unionLength = (gaps: CoverageGap[]): number => {
  let length = 0
  let reached = Number.NEGATIVE_INFINITY
  for (const gap of gaps.toSorted((a, b) => a.from - b.from)) {
    length += Math.max(0, gap.to - Math.max(gap.from, reached))
    reached = Math.max(reached, gap.to)
  }
  return length
}
