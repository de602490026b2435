import { clip, type GapReason, lengthOf, type Span, subtract, unionOf } from '@integrity/protocol'
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

export const spanOf = ({ from, to }: { readonly from: number; readonly to: number }): Span => ({
  fromAt: from,
  toAt: to,
})

/** The parts of gaps within the span. */
export const clipGaps = (gaps: readonly CoverageGap[], within: Span): CoverageGap[] =>
  clip(
    gaps.map((gap) => ({ ...spanOf(gap), reason: gap.reason })),
    within,
  ).map(({ fromAt, toAt, reason }) => ({ from: fromAt, to: toAt, reason }))

/**
 * What shows that a lane observes: samples, each of which confirms everything since the one before it, or the pieces that it
 * records, each of which confirms its own time once it is on the disk.
 */
export type Proof = 'samples' | 'pieces'

interface OpenGap {
  from: number
  reason: GapReason
  /** There was a sample since: the gap ends with the first piece that holds it. */
  backAt?: number
}

/**
 * The ledger of one lane or display. A hole becomes a gap only when someone says so (`open`), therefore nothing after the
 * last proof is handed out until it is settled. Times are whole epoch ms; a wall clock that goes back never makes a negative
 * length.
 */
export class CoverageLedger {
  readonly lane: LaneName
  readonly displayId: string | undefined
  #proof: Proof
  #cursor: number
  #confirmed: number
  #seen = false
  #openGap: OpenGap | undefined
  #gaps: CoverageGap[] = []
  /** Times of pieces that no window has yet. */
  #pieces: Span[] = []
  #endedAt: number | undefined

  constructor(lane: LaneName, displayId: string | undefined, from: number, proof: Proof = 'samples') {
    this.lane = lane
    this.displayId = displayId
    this.#proof = proof
    this.#cursor = Math.round(from)
    this.#confirmed = this.#cursor
  }

  /** Why nothing comes now. */
  get gapReason(): GapReason | undefined {
    return this.#openGap?.backAt === undefined ? this.#openGap?.reason : undefined
  }

  /** Whether there was ever a sample. */
  get seen(): boolean {
    return this.#seen
  }

  /** From now on this is what shows that it observes. */
  countBy(proof: Proof): void {
    if (proof === 'pieces' && this.#proof !== proof) this.#pieces.push({ fromAt: this.#cursor, toAt: this.#confirmed })
    this.#proof = proof
  }

  /** Records a sample; gives the gap that it closed. */
  sample(time: number): CoverageGap | undefined {
    const at = Math.round(time)
    if (this.#proof === 'pieces') {
      this.#seen = true
      if (this.#openGap) this.#openGap.backAt ??= Math.max(at, this.#openGap.from)
      return undefined
    }
    const closed = this.#close(at)
    // Nothing was expected while the device opened: expectation begins with the first sample.
    if (!this.#seen && !closed && at > this.#cursor) this.#cursor = at
    this.#seen = true
    this.#confirmed = Math.max(this.#confirmed, at)
    return closed
  }

  /** A piece is on the disk; gives the gap that it closed. */
  sealed(from: number, to: number): CoverageGap | undefined {
    if (this.#proof !== 'pieces' || to <= this.#confirmed) return undefined
    const open = this.#openGap
    // What comes late, out of a recorder that ended, was recorded before its gap.
    const isLate = open !== undefined && open.backAt === undefined
    const closed = isLate ? undefined : this.#close(from)
    this.#pieces.push({ fromAt: Math.max(from, this.#confirmed), toAt: to })
    this.#confirmed = Math.max(this.#confirmed, to)
    if (isLate && open) open.from = Math.max(open.from, to)
    this.#seen = true
    return closed
  }

  /** Opens a gap after the last proof; when the reason of an open gap changes at `at`, gives the part that ends there. */
  open(reason: GapReason, at: number): CoverageGap | undefined {
    if (this.gapReason === reason) return undefined
    const closed = this.#close(this.#openGap?.backAt ?? at)
    this.#openGap = { from: closed ? closed.to : this.#confirmed, reason }
    return closed
  }

  /** Adds a gap that is already over, as a suspended machine leaves. */
  add({ from, to, reason }: CoverageGap): CoverageGap {
    const gap = { from: Math.round(from), to: Math.round(to), reason }
    if (gap.to > gap.from) this.#gaps.push(gap)
    if (this.#proof === 'samples') this.#confirmed = Math.max(this.#confirmed, gap.to)
    return gap
  }

  /** Ends the expectation with the last proof, or with an open gap, which is closed and given. */
  end(at: number): CoverageGap | undefined {
    if (this.#endedAt !== undefined) return undefined
    const closed = this.#close(this.#openGap?.backAt ?? at)
    this.#endedAt = this.#confirmed
    return closed
  }

  /** The windows since the last call up to what is settled; none when nothing new is. */
  take(now: number): CoverageWindow[] {
    const until = this.#endedAt ?? (this.#openGap ? this.#openGap.from : this.#confirmed)
    const goesOn = this.#endedAt === undefined && this.#openGap && this.gapReason !== undefined
    const to = goesOn ? Math.max(Math.round(now), until) : until
    const whole = { fromAt: this.#cursor, toAt: to }
    if (to <= whole.fromAt || (!this.#seen && !this.#openGap && this.#gaps.length === 0)) return []
    const open = goesOn && this.#openGap ? [{ from: this.#openGap.from, to, reason: this.#openGap.reason }] : []
    const gaps = [...this.#gaps, ...open]
    // Between the pieces and the gaps of a lane that records pieces nothing is said.
    const spans = this.#proof === 'pieces' ? unionOf(this.#pieces, gaps.map(spanOf)) : [whole]
    this.#cursor = to
    this.#gaps = this.#gaps.filter((gap) => gap.to > to)
    this.#pieces = []
    return clip(spans, whole).map((span) => this.#window(span, clipGaps(gaps, span)))
  }

  #window({ fromAt, toAt }: Span, gaps: CoverageGap[]): CoverageWindow {
    const whole = [{ fromAt, toAt }]
    return {
      lane: this.lane,
      ...(this.displayId === undefined ? {} : { displayId: this.displayId }),
      fromAt,
      toAt,
      expectedSeconds: lengthOf(whole) / 1000,
      observedSeconds: lengthOf(subtract(whole, gaps.map(spanOf))) / 1000,
      gaps,
    }
  }

  #close(at: number): CoverageGap | undefined {
    const open = this.#openGap
    if (!open) return undefined
    this.#openGap = undefined
    const gap = { from: open.from, to: Math.max(open.from, Math.round(at)), reason: open.reason }
    this.#confirmed = Math.max(this.#confirmed, gap.to)
    if (gap.to > gap.from) this.#gaps.push(gap)
    return gap
  }
}
