import { backoffMs, deviceBackoff } from '@integrity/client/backoff'
import type { IntegrityError } from '@integrity/client/errors'
import type { TimePort } from './time-port.ts'

/** The one thing that a page does later by itself: another one takes its place. */
export class Timer {
  readonly #time: TimePort
  #cancel = () => {}
  #failures = 0

  constructor(time: TimePort) {
    this.#time = time
  }

  later(ms: number, callback: () => void): void {
    this.#cancel()
    this.#cancel = this.#time.after(ms, callback)
  }

  /** The same after a failure: later each time, and not before the service wishes. */
  retry(error: IntegrityError | undefined, callback: () => void): void {
    this.#failures += 1
    const askedMs = error?.retryAfterMs
    this.later(backoffMs(this.#failures, { ...deviceBackoff, random: this.#time.random, askedMs }), callback)
  }

  /** The service was reached: the next failure is a first one again. */
  reached(): void {
    this.#failures = 0
  }

  cancel(): void {
    this.#cancel()
  }
}
