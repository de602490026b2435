import type * as z from 'zod'
import { type Pushes, type PushName, pushChannel, pushes } from '../../shared/ipc/channels.ts'

type PushValue<N extends PushName> = z.input<Pushes[N]>

interface Waiting {
  timer: NodeJS.Timeout
  latest: (() => void) | undefined
}

const everyMs = 250

/**
 * Sends to the window at most four times a second for each `key` (a lane's preview, the state): the first at once, then
 * the latest. What does not fit its schema is told and not sent.
 */
export class Pusher {
  readonly #send: (channel: string, value: unknown) => void
  readonly #onTrouble: (trouble: string) => void
  readonly #waiting = new Map<string, Waiting>()

  constructor(send: (channel: string, value: unknown) => void, onTrouble: (trouble: string) => void) {
    this.#send = send
    this.#onTrouble = onTrouble
  }

  push<N extends PushName>(name: N, value: PushValue<N>, key: string = name): void {
    const waiting = this.#waiting.get(key)
    if (waiting) waiting.latest = () => this.#sendNow(name, value)
    else {
      this.#sendNow(name, value)
      this.#rest(key)
    }
  }

  #rest(key: string): void {
    const timer = setTimeout(() => {
      const latest = this.#waiting.get(key)?.latest
      this.#waiting.delete(key)
      if (!latest) return
      latest()
      this.#rest(key)
    }, everyMs)
    this.#waiting.set(key, { timer, latest: undefined })
  }

  #sendNow(name: PushName, value: unknown): void {
    const parsed = pushes[name].safeParse(value)
    if (parsed.success) this.#send(pushChannel(name), parsed.data)
    else this.#onTrouble(`What would be pushed as ${name} does not fit: ${parsed.error.message}`)
  }

  stop(): void {
    for (const { timer } of this.#waiting.values()) clearTimeout(timer)
    this.#waiting.clear()
  }
}
