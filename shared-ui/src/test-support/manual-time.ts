import type { TimePort } from '../session/time-port.ts'

/** Time that stands still until a test moves it. `random` is 0.5. */
export class ManualTime implements TimePort {
  #now: number
  #planned: { at: number; callback: () => void }[] = []

  constructor(start = Date.UTC(2026, 10, 20, 9)) {
    this.#now = start
  }

  readonly now = (): number => this.#now

  readonly random = (): number => 0.5

  readonly after = (ms: number, callback: () => void): (() => void) => {
    const planned = { at: this.#now + ms, callback }
    this.#planned.push(planned)
    return () => {
      this.#planned = this.#planned.filter((other) => other !== planned)
    }
  }

  /** Calls back what becomes due, in its order; what that plans again counts too. */
  advance(ms: number): void {
    const until = this.#now + ms
    for (;;) {
      const [next] = this.#planned.filter(({ at }) => at <= until).sort((a, b) => a.at - b.at)
      if (!next) break
      this.#planned = this.#planned.filter((other) => other !== next)
      this.#now = Math.max(this.#now, next.at)
      next.callback()
    }
    this.#now = until
  }
}
