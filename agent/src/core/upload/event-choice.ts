import { pressingKinds } from '@integrity/protocol'
import type { Clock } from '../../shared/clock.ts'
import type { EventRow } from '../spool/spool-index.ts'

/** Events that came together in so long go in one request, as packs do. They are on the disk meanwhile. */
const gatherMs = 41_000
/** Without the live link nobody can say that somebody watches, and events are what the agent is heard by. */
const unlinkedGatherMs = 10_000
/** Sealed. More of it does not wait. */
const mostBytes = 256 * 1024

const pressing: ReadonlySet<string> = new Set(pressingKinds)

export interface EventChoiceOptions {
  readonly clock: Pick<Clock, 'monotonicMs'>
  /** Whether the service can say at once that somebody watches. */
  readonly isLinked: () => boolean
}

/** Decides when events that wait are sent. */
export class EventChoice {
  readonly #options: EventChoiceOptions
  /** Since when something waits; what is there at the beginning, presses or failed, has waited. */
  #since: number | undefined = Number.NEGATIVE_INFINITY
  #atOnceUntil = Number.NEGATIVE_INFINITY

  constructor(options: EventChoiceOptions) {
    this.#options = options
  }

  /** Nothing waits for company until then (by the monotonic clock). */
  atOnce(until: number): void {
    this.#atOnceUntil = Math.max(this.#atOnceUntil, until)
  }

  /** Events of these kinds are in the spool; where one presses, all that wait go with it. */
  stored(kinds: readonly string[]): void {
    if (kinds.some((kind) => pressing.has(kind))) this.#hasWaited()
  }

  /** What was sent comes back, and has waited. */
  failed(): void {
    this.#hasWaited()
  }

  /** Whether what is due, at most `limit` in a request, goes now. True counts as sent. */
  isReady(due: readonly EventRow[], limit: number): boolean {
    if (due.length === 0) return false
    const now = this.#options.clock.monotonicMs()
    this.#since ??= now
    const isFull = due.length >= limit
    const waitMs = this.#options.isLinked() ? gatherMs : unlinkedGatherMs
    const ready =
      isFull ||
      now < this.#atOnceUntil ||
      now - this.#since >= waitMs ||
      due.some(({ attempts }) => attempts > 0) ||
      due.reduce((sum, { body }) => sum + body.length, 0) >= mostBytes
    // There may be more than one request takes, and that has waited as long.
    if (ready) this.#since = isFull ? Number.NEGATIVE_INFINITY : undefined
    return ready
  }

  #hasWaited(): void {
    this.#since = Number.NEGATIVE_INFINITY
  }
}
