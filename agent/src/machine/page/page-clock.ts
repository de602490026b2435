import type { Clock } from '../../shared/clock.ts'

/** Differences of rate between two clocks and of rounding, over a measuring interval; less is no sign of a step. */
const slackMs = 20

/** `at` is epoch ms by the clock that records; `offsetMs` is how far the page's clock is behind the computer's. */
export interface LocalTime {
  at: number
  mono: number
  offsetMs: number
}

/**
 * The page's clock against ours. What is kept is the distance to our monotonic clock, so that a wall clock set by
 * hand moves what is recorded afterwards and nothing else. All times in ms.
 */
export class PageClock {
  readonly #clock: Clock
  #offset: number | undefined
  #roundTrip = Number.POSITIVE_INFINITY
  #measuredMono = Number.NEGATIVE_INFINITY

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Monotonic ms since the last measurement began. */
  get ageMs(): number {
    return this.#clock.monotonicMs() - this.#measuredMono
  }

  /** Begins a measurement: the quickest of the pings that follow counts, and not those before. */
  begin(): void {
    this.#measuredMono = this.#clock.monotonicMs()
    this.#roundTrip = Number.POSITIVE_INFINITY
  }

  /** A ping that left at `sent`, was answered at the page's `at`, and came back at `received` (monotonic ms). */
  ping(sent: number, at: number, received: number): void {
    if (received - sent > this.#roundTrip) return
    this.#roundTrip = received - sent
    this.#offset = (sent + received) / 2 - at
  }

  /**
   * Something that happened in the page at `at`, between `sent` and `received`: gives whether that fits. When it does
   * not, one of the clocks stood still (a suspended machine) and the distance is set again.
   */
  observe(sent: number, at: number, received: number): boolean {
    if (this.#offset !== undefined) {
      const mono = at + this.#offset
      if (mono >= sent - slackMs && mono <= received + slackMs) return true
    }
    this.#offset = (sent + received) / 2 - at
    this.#roundTrip = received - sent
    return false
  }

  /**
   * When a moment of the page was, by `clock`; never in the future. A clock that follows the service's has its own wall
   * time and the computer's monotonic one.
   */
  toLocal(pageMs: number, clock: Clock = this.#clock): LocalTime {
    const now = this.#clock.monotonicMs()
    const mono = Math.min(now, pageMs + (this.#offset ?? now - pageMs))
    const ago = now - mono
    const offsetMs = Math.round(this.#clock.wallMs() - ago - pageMs) + 0
    return { mono, at: Math.round(clock.wallMs() - ago), offsetMs }
  }
}
