import type { Writable } from 'node:stream'
import type { Clock } from '../shared/clock.ts'

const troubleEveryMs = 60_000

/** What a run says, line by line: in words, or as JSON for a program. */
export class RunOutput {
  readonly #output: Writable
  readonly #json: boolean
  readonly #clock: Clock
  /** When each trouble was last told, monotonic milliseconds. */
  readonly #told = new Map<string, number>()

  constructor(output: Writable, json: boolean, clock: Clock) {
    this.#output = output
    this.#json = json
    this.#clock = clock
  }

  say(machine: Readonly<Record<string, unknown>>, person: string): void {
    this.line(this.#json ? JSON.stringify(machine) : person)
  }

  line(text: string): void {
    this.#output.write(`${text}\n`)
  }

  /** What goes on failing the same way is told once a minute, not at each try. */
  trouble(trouble: string): void {
    const now = this.#clock.monotonicMs()
    const before = this.#told.get(trouble)
    if (before !== undefined && now - before < troubleEveryMs) return
    if (this.#told.size >= 100) this.#told.clear()
    this.#told.set(trouble, now)
    this.say({ type: 'trouble', trouble }, trouble)
  }
}
