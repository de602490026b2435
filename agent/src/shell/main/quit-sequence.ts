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
const nextStart = (link: string | undefined): Electron.RelaunchOptions => {
  const execPath = process.env['APPIMAGE']
  return { args: link === undefined ? [] : [link], ...(execPath === undefined ? {} : { execPath }) }
}

/**
 * The way out: every quit comes by here, is asked about when something is going on, closes the core, and ends the
 * process. A shutdown of the computer is not asked about.
 */
export class QuitSequence {
  readonly #options: LeavingOptions
  #stage: 'staying' | 'asking' | 'closing' | 'gone' = 'staying'
  #opensAgain = false
  #link: string | undefined
  /** The computer shuts down. */
  #forGood = false

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
      void this.leaveForGood()
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

  /**
   * Takes a start that comes while this one is on its way out, which was handed over and has ended: the program opens
   * again behind it, with that link. False where it stays.
   */
  takesStart(link?: string): boolean {
    if (!this.decided) return false
    this.#opensAgain = true
    this.#link = link ?? this.#link
    return true
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

  /** Closes and ends with the computer, without a question. */
  leaveForGood(): Promise<void> {
    this.#forGood = true
    return this.leave()
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
    if (this.#opensAgain && !this.#forGood) app.relaunch(nextStart(this.#link))
    app.quit()
  }
}
