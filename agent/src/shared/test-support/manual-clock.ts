import type { Clock } from '../clock.ts'

interface Sleeper {
  readonly at: number
  readonly wake: () => void
}

/** A clock that stands still until a test turns it. Sleeps end when `advance` reaches them, or on abort. */
export class ManualClock implements Clock {
  #wall: number
  #monotonic = 0
  #sleepers: Sleeper[] = []

  constructor(wall = Date.parse('2026-03-02T09:00:00.000Z')) {
    this.#wall = wall
  }

  wallMs(): number {
    return this.#wall
  }

  monotonicMs(): number {
    return this.#monotonic
  }

  async sleep(ms: number, signal?: AbortSignal): Promise<void> {
    if (signal?.aborted || ms <= 0) return
    const { promise, resolve } = Promise.withResolvers<void>()
    const sleeper: Sleeper = { at: this.#monotonic + ms, wake: resolve }
    this.#sleepers.push(sleeper)
    signal?.addEventListener('abort', () => resolve(), { once: true })
    await promise
    this.#sleepers = this.#sleepers.filter((other) => other !== sleeper)
  }

  advance(ms: number): void {
    this.#wall += ms
    this.#monotonic += ms
    for (const sleeper of this.#sleepers) if (sleeper.at <= this.#monotonic) sleeper.wake()
  }
}
