import type { GapReason, LaneHealthState } from '@integrity/protocol'
import type { Clock } from '../../shared/clock.ts'
import { type CoverageGap, CoverageLedger, type CoverageWindow, type Proof } from './coverage.ts'
import type { Gap, HealthReport, LaneName, Sample } from './types.ts'

interface Subject {
  displayId: string | undefined
  ledger: CoverageLedger
  lastSampleMono: number
  flatSinceMono: number | undefined
  state: LaneHealthState | undefined
  since: number
  reason: string | undefined
}

export interface LaneHealthOptions {
  lane: LaneName
  clock: Clock
  timeoutMs: number
  onGap: (gap: Gap) => void
  onHealth: (report: HealthReport) => void
  /** A display is not there any more; its last window has still to be taken. */
  onDisplayGone?: (displayId: string, at: number) => void
}

/**
 * Health and coverage of one lane and of each of its displays, judged by samples alone: no sample for `timeoutMs`
 * is `down` and a gap; only single-coloured frames for as long is `degraded`.
 */
export class LaneHealth {
  readonly #options: LaneHealthOptions
  readonly #lane: Subject
  readonly #displays = new Map<string, Subject>()
  readonly #past: Subject[] = []
  #proof: Proof = 'samples'

  constructor(options: LaneHealthOptions) {
    this.#options = options
    this.#lane = this.#subject(undefined)
  }

  get laneReport(): HealthReport {
    const { state = 'down', since, reason = 'starting' } = this.#lane
    return { lane: this.#options.lane, state, since, ...(state === 'up' ? {} : { reason }) }
  }

  /** Monotonic ms since the lane's last sample, or since it began. */
  get silentMs(): number {
    return this.#options.clock.monotonicMs() - this.#lane.lastSampleMono
  }

  /** What shows from now on that the lane observes. */
  countBy(proof: Proof): void {
    this.#proof = proof
    for (const { ledger } of this.#all()) ledger.countBy(proof)
  }

  /** A piece that the lane recorded is on the disk. Whole epoch ms. */
  sealed({ from, to }: { readonly from: number; readonly to: number }): void {
    this.#emitGap(this.#lane, this.#lane.ledger.sealed(from, to))
  }

  sample(sample: Sample): void {
    const subjects = [this.#lane]
    if (sample.displayId !== undefined) subjects.push(this.#display(sample.displayId))
    const now = this.#options.clock.monotonicMs()
    for (const subject of subjects) {
      this.#emitGap(subject, subject.ledger.sample(sample.at))
      subject.lastSampleMono = now
      if (sample.varies !== false) subject.flatSinceMono = undefined
      else subject.flatSinceMono ??= now
    }
    this.check()
  }

  /** The displays present now; one that went away is no longer expected. */
  displays(ids: string[]): void {
    const at = this.#options.clock.wallMs()
    for (const [id, subject] of this.#displays) {
      if (ids.includes(id)) continue
      this.#emitGap(subject, subject.ledger.end(at))
      this.#displays.delete(id)
      this.#past.push(subject)
      this.#options.onDisplayGone?.(id, at)
    }
    for (const id of ids) this.#display(id)
  }

  /** The lane as a whole stopped being observed. */
  lost(reason: GapReason, at: number = this.#options.clock.wallMs()): void {
    for (const subject of this.#all()) {
      this.#emitGap(subject, subject.ledger.open(reason, at))
      this.#set(subject, 'down', reason)
    }
  }

  /** A stretch that is already over, as a suspended machine leaves. */
  missed(gap: CoverageGap): void {
    for (const subject of this.#all()) {
      this.#emitGap(subject, subject.ledger.add(gap))
    }
  }

  /** Looks at the time since the last samples; called on every sample and on a tick. */
  check(): void {
    const { clock, timeoutMs } = this.#options
    const now = clock.monotonicMs()
    for (const subject of this.#all()) {
      if (subject.ledger.gapReason === undefined && now - subject.lastSampleMono >= timeoutMs) {
        this.#emitGap(subject, subject.ledger.open('driver_failed', clock.wallMs()))
      }
    }
    for (const subject of this.#displays.values()) this.#judge(subject, now)
    this.#judge(this.#lane, now)
  }

  end(at: number): void {
    for (const subject of this.#all()) this.#emitGap(subject, subject.ledger.end(at))
  }

  takeCoverage(now: number): CoverageWindow[] {
    const subjects = [...this.#past, ...this.#all()]
    this.#past.length = 0
    return subjects.flatMap(({ ledger }) => ledger.take(now))
  }

  #judge(subject: Subject, now: number): void {
    const reason = subject.ledger.gapReason
    if (reason !== undefined) {
      this.#set(subject, 'down', reason)
      return
    }
    // Before its first sample a subject is neither up nor down.
    if (!subject.ledger.seen) return
    const flat = subject.flatSinceMono !== undefined && now - subject.flatSinceMono >= this.#options.timeoutMs
    const displayDown = subject === this.#lane && [...this.#displays.values()].some(({ state }) => state === 'down')
    if (displayDown) this.#set(subject, 'degraded', 'display_not_observed')
    else if (flat) this.#set(subject, 'degraded', 'single_colour_frames')
    else this.#set(subject, 'up', undefined)
  }

  #set(subject: Subject, state: LaneHealthState, reason: string | undefined): void {
    if (subject.state === state && subject.reason === reason) return
    if (subject.state !== state) subject.since = this.#options.clock.wallMs()
    subject.state = state
    subject.reason = reason
    const { displayId, since } = subject
    const lane = this.#options.lane
    this.#options.onHealth({
      lane,
      state,
      since,
      ...(displayId === undefined ? {} : { displayId }),
      ...(reason === undefined ? {} : { reason }),
    })
  }

  #emitGap(subject: Subject, gap: CoverageGap | undefined): void {
    if (!gap || gap.to <= gap.from) return
    const { displayId } = subject
    this.#options.onGap({ lane: this.#options.lane, ...(displayId === undefined ? {} : { displayId }), ...gap })
  }

  #all(): Subject[] {
    return [this.#lane, ...this.#displays.values()]
  }

  #display(id: string): Subject {
    const known = this.#displays.get(id)
    if (known) return known
    const subject = this.#subject(id)
    this.#displays.set(id, subject)
    return subject
  }

  #subject(displayId: string | undefined): Subject {
    const { lane, clock } = this.#options
    return {
      displayId,
      ledger: new CoverageLedger(lane, displayId, clock.wallMs(), this.#proof),
      lastSampleMono: clock.monotonicMs(),
      flatSinceMono: undefined,
      state: undefined,
      since: clock.wallMs(),
      reason: undefined,
    }
  }
}
