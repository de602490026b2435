import type { EventDataOf } from '@integrity/protocol'
import type { Clock } from '../../shared/clock.ts'

/**
 * Bytes per second that the network takes, over the time in which at least one request was under way: three
 * requests side by side count their seconds once. Older measurements fade by half with each `settle`.
 */
export class BandwidthMeter {
  readonly #clock: Clock
  #active = 0
  #since = 0
  #busyMs = 0
  #bytes = 0

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Only a request that was answered tells how long its bytes took. */
  async measure<T>(bytes: number, request: Promise<T>): Promise<T> {
    if (this.#active === 0) this.#since = this.#clock.monotonicMs()
    this.#active += 1
    try {
      const answer = await request
      this.#bytes += bytes
      return answer
    } finally {
      this.#active -= 1
      if (this.#active === 0) this.#busyMs += this.#clock.monotonicMs() - this.#since
    }
  }

  /** Undefined until something has been measured. */
  get bytesPerSecond(): number | undefined {
    return this.#bytes > 0 && this.#busyMs > 0 ? (this.#bytes * 1000) / this.#busyMs : undefined
  }

  settle(): void {
    this.#bytes /= 2
    this.#busyMs /= 2
  }
}

/** 0 is the policy's own quality; each level above asks for smaller stills. */
export type QualityLevel = EventDataOf<'quality.changed'>['level']

export interface QualityReading {
  /** Time since the reading before, milliseconds. */
  readonly elapsedMs: number
  /** Bytes captured in that time. */
  readonly storedBytes: number
  /** Bytes waiting to be sent. */
  readonly backlogBytes: number
  readonly bytesPerSecond: number | undefined
}

/** The inflow may use this share of the network before quality goes down … */
const raiseShare = 0.7
/** … and goes up again only when even twice as much would leave room, so that it does not swing. */
const lowerShare = 0.25
const behindSeconds = 60
const caughtUpSeconds = 10
const steadyMs = 30_000

const clampLevel = (level: number): QualityLevel => Math.min(3, Math.max(0, level)) as QualityLevel

/** Decides the quality level from readings, before the queue falls behind. Offline it decides nothing: nothing is known. */
export class QualityGovernor {
  #level: QualityLevel = 0
  #inflow: number | undefined
  #sinceChangeMs = steadyMs

  get level(): QualityLevel {
    return this.#level
  }

  read(reading: QualityReading): QualityLevel {
    if (reading.elapsedMs <= 0) return this.#level
    this.#sinceChangeMs += reading.elapsedMs
    const now = (reading.storedBytes * 1000) / reading.elapsedMs
    this.#inflow = this.#inflow === undefined ? now : this.#inflow * 0.6 + now * 0.4
    const rate = reading.bytesPerSecond
    if (rate === undefined || this.#sinceChangeMs < steadyMs) return this.#level
    const backlogSeconds = reading.backlogBytes / rate
    const share = this.#inflow / rate
    if (share > raiseShare || backlogSeconds > behindSeconds) this.#change(1)
    else if (share < lowerShare && backlogSeconds < caughtUpSeconds) this.#change(-1)
    return this.#level
  }

  #change(by: 1 | -1): void {
    const next = clampLevel(this.#level + by)
    if (next === this.#level) return
    this.#level = next
    this.#sinceChangeMs = 0
  }
}
