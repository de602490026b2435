import { awake } from './awake.ts'

export interface PulseOptions {
  /** Asks the other side for anything at all, on a connection of its own; false where nothing came. Ends when `signal` aborts. */
  readonly ask: (signal: AbortSignal) => Promise<boolean>
  /** As what the silence reaches those who wait, and those who come after. */
  readonly failure: (silence: Silence) => Error
  /** After this long without an answer the other side is asked whether it lives. Milliseconds. */
  readonly suspectMs?: number | undefined
  /** How long it may take to answer that. Milliseconds. */
  readonly answerMs?: number | undefined
  /** Nobody came for so long: it is not asked any more, and the next one tries it again. Milliseconds; never unless told. */
  readonly forgetMs?: number | undefined
  /** Told of each silence, and of its end. */
  readonly onChange?: (isSilent: boolean) => void
}

/** Nothing came from the other side, not even to whoever asked for nothing else. */
export class Silence extends Error {
  override readonly name = 'Silence'
}

/** What somebody who waits tells the pulse. */
export interface Wait {
  /** How it is cut, once there is something to cut; it fails by itself then. Throws where it was given up meanwhile. */
  readonly onBreak: (cut: (failure: Error) => void) => void
  /** Bytes went or came: it waits anew. */
  readonly moved: () => void
  /** The other side answered, so it lives. */
  readonly answered: () => void
}

interface Waiting {
  since: number
  movedAt: number
  readonly giveUp: (silence: Silence) => void
}

const everyMs = 250
/** What is slow is asked about once in a while, what is silent more often. */
const slowPauseMs = 2_000
const silentPauseMs = 500

/**
 * Tells a slow peer from a silent one. A server that stands still, or a network that drops packets, breaks no connection for
 * minutes. So where something has waited for a while, a connection of its own asks whether anybody answers; when nobody does,
 * all that waits ends, and what comes after it is refused at once until the peer answers again.
 */
export class Pulse {
  readonly #options: PulseOptions
  readonly #suspectMs: number
  readonly #answerMs: number
  readonly #waiting = new Set<Waiting>()
  readonly #over = new AbortController()
  #timer: NodeJS.Timeout | undefined
  #asking = false
  #silence: Silence | undefined
  #lastAnswer = Number.NEGATIVE_INFINITY
  #lastCame = 0

  constructor(options: PulseOptions) {
    this.#options = options
    this.#suspectMs = options.suspectMs ?? 1_500
    this.#answerMs = options.answerMs ?? 3_000
  }

  get isSilent(): boolean {
    return this.#silence !== undefined
  }

  /**
   * Runs what waits for the peer. Once that has told how it is cut, only its own end counts; before, it is given up here, so
   * that nothing is begun for a caller who was told that nothing is. What `goesOn` has moved just now: it is not refused at once.
   */
  async during<T>(work: (wait: Wait) => Promise<T>, { goesOn = false } = {}): Promise<T> {
    this.#lastCame = performance.now()
    if (this.#silence !== undefined && !goesOn) {
      this.#tick()
      throw this.#options.failure(this.#silence)
    }
    const given = Promise.withResolvers<never>()
    given.promise.catch(() => undefined)
    let cut: ((failure: Error) => void) | undefined
    let givenUp: Error | undefined
    const begun = performance.now()
    const giveUp = (silence: Silence) => {
      givenUp = this.#options.failure(silence)
      if (cut) cut(givenUp)
      else given.reject(givenUp)
    }
    const waiting: Waiting = { since: begun, movedAt: goesOn ? begun : Number.NEGATIVE_INFINITY, giveUp }
    this.#waiting.add(waiting)
    this.#tick()
    try {
      const running = work({
        onBreak: (how) => {
          if (givenUp) throw givenUp
          cut = how
        },
        moved: () => {
          waiting.since = performance.now()
          waiting.movedAt = waiting.since
        },
        // Of what was asked before there may be an answer on its way from before the silence.
        answered: () => {
          this.#lastAnswer = Math.max(this.#lastAnswer, begun)
        },
      })
      running.catch(() => undefined)
      return await Promise.race([running, given.promise])
    } finally {
      this.#waiting.delete(waiting)
    }
  }

  close(): void {
    clearTimeout(this.#timer)
    this.#over.abort()
  }

  #tick(): void {
    if (this.#timer !== undefined || this.#over.signal.aborted) return
    this.#timer = setTimeout(() => {
      this.#timer = undefined
      const now = performance.now()
      if (now - this.#lastCame > (this.#options.forgetMs ?? Number.POSITIVE_INFINITY)) this.#tell(undefined)
      const isSuspect = [...this.#waiting].some(({ since }) => now - since > this.#suspectMs)
      if ((isSuspect || this.#silence !== undefined) && !this.#asking) void this.#ask()
      if (this.#waiting.size > 0 || this.#silence !== undefined) this.#tick()
    }, everyMs).unref()
  }

  #tell(silence: Silence | undefined): void {
    const hasChanged = (silence === undefined) !== (this.#silence === undefined)
    this.#silence = silence
    if (hasChanged) this.#options.onChange?.(silence !== undefined)
  }

  async #ask(): Promise<void> {
    this.#asking = true
    const began = performance.now()
    const lives = (await this.#answers()) || this.#lastAnswer >= began
    if (this.#over.signal.aborted) return
    if (lives) this.#tell(undefined)
    else {
      const silence = new Silence(`no answer in ${Math.round(performance.now() - began)} ms`)
      this.#tell(silence)
      // What moved meanwhile is not cut.
      for (const { movedAt, giveUp } of [...this.#waiting]) if (movedAt < began) giveUp(silence)
    }
    const rest = () => {
      this.#asking = false
      if (this.#silence !== undefined || this.#waiting.size > 0) this.#tick()
    }
    setTimeout(rest, lives ? slowPauseMs : silentPauseMs).unref()
  }

  async #answers(): Promise<boolean> {
    const patience = new AbortController()
    const signal = AbortSignal.any([patience.signal, this.#over.signal])
    const asked = this.#options.ask(signal).catch(() => false)
    const lives = await Promise.race([asked, awake(this.#answerMs, signal).then(() => false)])
    patience.abort()
    return lives
  }
}
