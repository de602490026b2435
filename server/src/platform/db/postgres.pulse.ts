import pg from 'pg'
import { awake } from '../awake.ts'
import { DatabaseUnreachable } from './errors.ts'

export interface PulseOptions {
  readonly connectionString: string
  /** After this long without an answer the server is asked whether it lives, on a connection of its own. Milliseconds. */
  readonly suspectMs?: number
  /** How long it may take to answer that. Milliseconds. */
  readonly answerMs?: number
}

/** Something that waits for the server. */
interface Waiting {
  readonly since: number
  readonly giveUp: (silence: Error) => void
}

class Silence extends Error {
  override readonly name = 'Silence'
}

const everyMs = 250

/** What the server itself answered, were it a refusal: it lives. */
const isAnswer = (error: unknown): boolean => error instanceof pg.DatabaseError

/**
 * Tells a slow database from a silent one. A server that stands still, or a network that drops packets, breaks no connection
 * for minutes. So where something has waited for a while, a connection of its own asks whether anybody answers; when nobody
 * does, all that waits ends as an outage, and what comes after it is refused at once until the server answers again.
 */
export class PostgresPulse {
  readonly #options: Required<PulseOptions>
  readonly #waiting = new Set<Waiting>()
  #timer: NodeJS.Timeout | undefined
  #asking = false
  #silence: Silence | undefined
  #closed = false

  constructor({ connectionString, suspectMs = 1_500, answerMs = 3_000 }: PulseOptions) {
    this.#options = { connectionString, suspectMs, answerMs }
  }

  /**
   * Runs what waits for the server. It tells how its connection is cut once it has one; that throws where it was given up
   * meanwhile, so that nothing is written for a caller who was told that nothing is.
   */
  async during<T>(work: (onBreak: (breakOff: () => void) => void) => Promise<T>): Promise<T> {
    if (this.#silence !== undefined) throw new DatabaseUnreachable(this.#silence)
    let cut: (() => void) | undefined
    let givenUp: DatabaseUnreachable | undefined
    let waiting: Waiting | undefined
    const silent = new Promise<never>((_, reject) => {
      waiting = {
        since: performance.now(),
        giveUp: (silence) => {
          // A connection that is cut fails its statements itself, and its transaction learns what became of it.
          if (cut) return cut()
          givenUp = new DatabaseUnreachable(silence)
          reject(givenUp)
        },
      }
      this.#waiting.add(waiting)
    })
    silent.catch(() => undefined)
    this.#tick()
    try {
      const running = work((breakOff) => {
        if (givenUp) throw givenUp
        cut = breakOff
      })
      running.catch(() => undefined)
      return await Promise.race([running, silent])
    } finally {
      if (waiting) this.#waiting.delete(waiting)
    }
  }

  close(): void {
    this.#closed = true
    clearTimeout(this.#timer)
  }

  #tick(): void {
    if (this.#timer !== undefined || this.#closed) return
    this.#timer = setTimeout(() => {
      this.#timer = undefined
      const now = performance.now()
      const isSuspect = [...this.#waiting].some(({ since }) => now - since > this.#options.suspectMs)
      if ((isSuspect || this.#silence !== undefined) && !this.#asking) void this.#ask()
      if (this.#waiting.size > 0 || this.#silence !== undefined) this.#tick()
    }, everyMs).unref()
  }

  async #ask(): Promise<void> {
    this.#asking = true
    const began = performance.now()
    const lives = await this.#answers()
    if (lives) this.#silence = undefined
    else {
      this.#silence = new Silence(`no answer in ${Math.round(performance.now() - began)} ms`)
      for (const { giveUp } of [...this.#waiting]) giveUp(this.#silence)
    }
    // What is slow is asked about once in a while, not all the time.
    const pause = setTimeout(
      () => {
        this.#asking = false
        if (this.#silence !== undefined) this.#tick()
      },
      lives ? 2_000 : 500,
    )
    pause.unref()
  }

  async #answers(): Promise<boolean> {
    const client = new pg.Client({ connectionString: this.#options.connectionString })
    client.on('error', () => undefined)
    const asked = (async () => {
      try {
        await client.connect()
        await client.query('SELECT 1')
        return true
      } catch (error) {
        return isAnswer(error)
      }
    })()
    const patience = new AbortController()
    const lives = await Promise.race([asked, awake(this.#options.answerMs, patience.signal).then(() => false)])
    patience.abort()
    if (lives) void client.end().catch(() => undefined)
    else cutConnection(client)
    return lives
  }
}

/** Ends a connection without a word to the other side, which does not listen. */
export const cutConnection = (client: pg.ClientBase): void => {
  const { connection } = client as unknown as { connection: { stream: { destroy(): void } } }
  connection.stream.destroy()
}
