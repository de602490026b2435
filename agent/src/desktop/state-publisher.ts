import type { Clock } from '../shared/clock.ts'
import type { WindowState } from '../shared/ipc/window-state.ts'
import { Listeners } from './listeners.ts'

/** How often what changes by itself (counts, lights, what is unsent) is looked at. */
const tickMs = 500

/** Sends the window's state to every listener when it has changed. */
export class StatePublisher {
  readonly #read: () => WindowState
  readonly #clock: Clock
  readonly #listeners = new Listeners<WindowState>()
  readonly #over = new AbortController()
  #lastShown = ''
  #ticking: Promise<void> | undefined

  constructor(read: () => WindowState, clock: Clock) {
    this.#read = read
    this.#clock = clock
  }

  onState(listener: (state: WindowState) => void): () => void {
    return this.#listeners.add(listener)
  }

  get stopped(): boolean {
    return this.#over.signal.aborted
  }

  /** Tells the listeners, if what is shown is different now. */
  publish(): void {
    if (this.stopped) return
    const state = this.#read()
    const text = JSON.stringify(state)
    if (text === this.#lastShown) return
    this.#lastShown = text
    this.#listeners.tell(state)
  }

  start(onTick: () => void): void {
    this.#ticking = this.#tick(onTick)
  }

  stop(): void {
    this.#over.abort()
  }

  /** Resolves when nothing is looked at any more. */
  async settled(): Promise<void> {
    await this.#ticking
  }

  async #tick(onTick: () => void): Promise<void> {
    while (!this.stopped) {
      await this.#clock.sleep(tickMs, this.#over.signal)
      if (!this.stopped) onTick()
    }
  }
}
