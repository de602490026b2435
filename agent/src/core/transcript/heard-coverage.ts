import { clip, type GapReason, intersect, lengthOf } from '@integrity/protocol'
import { type CoverageGap, type CoverageWindow, clipGaps, spanOf } from '../capture/coverage.ts'

/** Sound that one lane heard. */
interface Heard {
  readonly source: string
  readonly fromAt: number
  toAt: number
}

/** Parts of one hole that lie closer together are one gap. */
const joinMs = 1000
/** A hole that goes on is told in pieces of this length. */
const longestGapMs = 300_000
/** A clock that was put back by more than this begins a new account. */
const clockBackMs = 60_000

/**
 * The transcript's ledger. What is expected of it is the sound that the lanes heard, whichever lane (time that two
 * lanes heard counts once); what is observed is that sound without what no engine could work on. Times are epoch ms.
 */
export class HeardCoverage {
  readonly #onGap: (gap: CoverageGap) => void
  #cursor: number
  #heard: Heard[] = []
  #missed: CoverageGap[] = []
  #open: CoverageGap | undefined

  constructor(from: number, onGap: (gap: CoverageGap) => void) {
    this.#cursor = from
    this.#onGap = onGap
  }

  heard(source: string, from: number, to: number): void {
    const last = this.#heard.findLast((span) => span.source === source)
    if (last && from >= last.fromAt && from - last.toAt < joinMs / 2) last.toAt = Math.max(last.toAt, to)
    else this.#heard.push({ source, fromAt: from, toAt: to })
  }

  missed(from: number, to: number, reason: GapReason): void {
    if (to <= from) return
    this.#missed.push({ from, to, reason })
    const open = this.#open
    if (open && open.reason === reason && from - open.to < joinMs && from >= open.from - joinMs) {
      open.to = Math.max(open.to, to)
      open.from = Math.min(open.from, from)
    } else {
      this.closeGap()
      this.#open = { from, to, reason }
    }
    if (this.#open && this.#open.to - this.#open.from >= longestGapMs) this.closeGap()
  }

  /** Nothing could be heard since the last window. */
  missedUntil(to: number, reason: GapReason): void {
    this.missed(this.#cursor, to, reason)
  }

  /** Tells the hole that may still have gone on. */
  closeGap(): void {
    const gap = this.#open
    this.#open = undefined
    if (gap) this.#onGap({ ...gap, from: Math.round(gap.from), to: Math.round(gap.to) })
  }

  /** The window since the last call up to `to`, before which nothing changes any more. */
  take(to: number): CoverageWindow | undefined {
    if (this.#open && to - this.#open.to >= joinMs) this.closeGap()
    const earliest = Math.min(...this.#heard.map(({ fromAt }) => fromAt))
    if (earliest < this.#cursor - clockBackMs) this.#cursor = earliest
    const from = this.#cursor
    if (to <= from) return undefined
    this.#cursor = to
    const window = { fromAt: from, toAt: to }
    const heard = clip(this.#heard, window)
    const gaps = clipGaps(this.#missed, window)
    const lost = intersect(heard, gaps.map(spanOf))
    this.#heard = this.#heard.filter(({ toAt }) => toAt > to)
    this.#missed = this.#missed.filter((span) => span.to > to)
    const expected = lengthOf(heard)
    return {
      lane: 'transcript',
      fromAt: Math.round(from),
      toAt: Math.round(to),
      expectedSeconds: expected / 1000,
      observedSeconds: (expected - lengthOf(lost)) / 1000,
      gaps,
    }
  }
}
