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

/** An AppImage runs from a mount that ends with it: its file is what is opened. Without the link it was opened with. */
const nextStart = (): Electron.RelaunchOptions => {
  const execPath = process.env['APPIMAGE']
  return { args: [], ...(execPath === undefined ? {} : { execPath }) }
}

/**
 * The way out: every quit comes by here, is asked about when something is going on, closes the core, and ends the
 * process. A shutdown of the computer is not asked about.
 */
export class QuitSequence {
  readonly #options: LeavingOptions
  #stage: 'staying' | 'asking' | 'closing' | 'gone' = 'staying'
  #opensAgain = false

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
      this.#opensAgain = false
      void this.leave()
    })
  }

  /** Whether windows may really close. */
  get decided(): boolean {
    return this.#stage === 'closing' || this.#stage === 'gone'
  }

  /** Quits, asked about like any quit, and opens the program again; staying after all also gives that up. */
  quitAndOpenAgain(): void {
    this.#opensAgain = true
    app.quit()
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
      if (!quit) {
        this.#opensAgain = false
        return
      }
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
    // Not before: Electron cannot take it back.
    if (this.#opensAgain) app.relaunch(nextStart())
    app.quit()
  }
}
