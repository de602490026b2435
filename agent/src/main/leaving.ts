import { app, powerMonitor } from 'electron'
import type { QuitQuestion } from './core.ts'

export interface LeavingOptions {
  readonly question: () => QuitQuestion
  /** True: quit. */
  readonly ask: (question: Exclude<QuitQuestion, 'none'>) => Promise<boolean>
  /** Everything that must be done before the process ends. */
  readonly close: () => Promise<void>
  readonly onTrouble: (trouble: string) => void
}

/** A core that does not close holds nothing that is not on the disk already. */
const closeWithinMs = 10_000

/**
 * The way out: every quit comes by here, is asked about when something is going on, closes the core, and ends the
 * process. A shutdown of the computer is not asked about.
 */
export class Leaving {
  readonly #options: LeavingOptions
  #stage: 'staying' | 'asking' | 'closing' | 'gone' = 'staying'

  constructor(options: LeavingOptions) {
    this.#options = options
    app.on('before-quit', (event) => {
      if (this.#stage === 'gone') return
      event.preventDefault()
      if (this.#stage === 'staying') void this.#decide()
    })
    // Linux and macOS wait for whoever prevents this; Windows sends `session-end` to windows instead.
    powerMonitor.on('shutdown', (...args: unknown[]) => {
      const [event] = args as [{ preventDefault?(): void } | undefined]
      event?.preventDefault?.()
      void this.leave()
    })
  }

  /** Whether windows may really close. */
  get decided(): boolean {
    return this.#stage === 'closing' || this.#stage === 'gone'
  }

  async #decide(): Promise<void> {
    const question = this.#options.question()
    if (question !== 'none') {
      this.#stage = 'asking'
      const quit = await this.#options.ask(question).catch((error: unknown) => {
        this.#options.onTrouble(`The question could not be asked: ${String(error)}`)
        return false
      })
      // A shutdown may have come while the question stood.
      if (this.decided) return
      this.#stage = 'staying'
      if (!quit) return
    }
    await this.leave()
  }

  /** Closes and ends, without a question. */
  async leave(): Promise<void> {
    if (this.decided) return
    this.#stage = 'closing'
    const { promise: late, resolve } = Promise.withResolvers<void>()
    const timer = setTimeout(resolve, closeWithinMs)
    try {
      await Promise.race([this.#options.close(), late])
    } catch (error) {
      this.#options.onTrouble(`Closing failed: ${String(error)}`)
    }
    clearTimeout(timer)
    this.#stage = 'gone'
    app.quit()
  }
}
