import type { Clock } from '../../shared/clock.ts'

export interface CaptureLoopsOptions {
  readonly clock: Clock
  readonly inBackground: (work: () => Promise<void>) => void
  readonly closing: AbortSignal
  readonly isCapturing: () => boolean
}

export interface CaptureLoop {
  readonly everyMs: number
  readonly work: () => void | Promise<void>
}

/** What is done over and over while the session is captured. */
export class CaptureLoops {
  readonly #options: CaptureLoopsOptions
  #started = false

  constructor(options: CaptureLoopsOptions) {
    this.#options = options
  }

  /** Once; further calls change nothing. */
  start(loops: readonly CaptureLoop[]): void {
    if (this.#started) return
    this.#started = true
    for (const loop of loops) this.#options.inBackground(() => this.#repeat(loop))
  }

  async #repeat({ everyMs, work }: CaptureLoop): Promise<void> {
    const { clock, closing, isCapturing } = this.#options
    while (isCapturing()) {
      await clock.sleep(everyMs, closing)
      if (closing.aborted) return
      if (isCapturing()) await work()
    }
  }
}
