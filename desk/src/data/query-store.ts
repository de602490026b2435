import type { PagePort } from '@integrity/shared-ui/session/visit'
import { type Problem, problemOf } from './problem.ts'

/** What is known of one question to the service. */
export type QueryState<T = unknown> =
  | { readonly name: 'loading' }
  | { readonly name: 'failed'; readonly problem: Problem }
  /** `problem`: why it could not be read again. */
  | { readonly name: 'there'; readonly data: T; readonly problem: Problem | undefined }

export interface QueryPorts {
  /** Asks the service. Throws `IntegrityError`. */
  readonly ask: (id: string, input: object) => Promise<unknown>
  readonly now: () => number
  readonly page: PagePort
  /** Nobody is signed in any more. */
  readonly onOver: () => void
}

interface Entry {
  state: QueryState
  readAt: number
  // Raised by each reading: the answer of an earlier one says nothing any more.
  turn: number
  reading: boolean
  readonly listeners: Set<() => void>
}

/** What was read this long ago is read again when it is looked at again, milliseconds. */
const staleMs = 30_000
/** Answers that nobody looks at any more and that are kept, for the way back. */
const mostKept = 60

/** A question by its endpoint and what it is asked with. */
export const keyOf = (id: string, input: object): string => JSON.stringify([id, input])

/** What the service has answered, by question, for those who look at it. */
export class QueryStore {
  readonly #ports: QueryPorts
  readonly #entries = new Map<string, Entry>()

  constructor(ports: QueryPorts) {
    this.#ports = ports
    ports.page.onReturn(() => this.#returned())
  }

  state(key: string): QueryState {
    return this.#entry(key).state
  }

  /** Asks where nothing is known or what is known is old. Answers how to stop looking. */
  watch(key: string, listener: () => void): () => void {
    const entry = this.#entry(key)
    entry.listeners.add(listener)
    if (this.#isStale(entry)) void this.#read(key, entry)
    return () => {
      entry.listeners.delete(listener)
      this.#forgetOldest()
    }
  }

  /** Asks before anybody looks. Where that fails nothing is known yet, and whoever looks asks again. */
  begin(key: string): void {
    const entry = this.#entry(key)
    if (this.#isStale(entry)) void this.#read(key, entry)
  }

  /** Asks again, whatever is known. */
  async again(key: string): Promise<void> {
    await this.#read(key, this.#entry(key))
  }

  /** A write has changed what these endpoints answer: what is looked at is asked again now, the rest when it is. */
  async changed(...ids: readonly string[]): Promise<void> {
    const concerned = [...this.#entries].filter(([key]) => ids.some((id) => key.startsWith(`[${JSON.stringify(id)},`)))
    for (const [, entry] of concerned) entry.readAt = Number.NEGATIVE_INFINITY
    const seen = concerned.filter(([, { listeners }]) => listeners.size > 0)
    await Promise.all(seen.map(([key, entry]) => this.#read(key, entry)))
  }

  /** For another person: nothing of what was answered to the one before is left. */
  clear(): void {
    for (const entry of this.#entries.values()) entry.turn += 1
    this.#entries.clear()
  }

  #entry(key: string): Entry {
    const known = this.#entries.get(key)
    if (known) return known
    const entry: Entry = {
      state: { name: 'loading' },
      readAt: Number.NEGATIVE_INFINITY,
      turn: 0,
      reading: false,
      listeners: new Set(),
    }
    this.#entries.set(key, entry)
    return entry
  }

  #isStale({ readAt, reading }: Entry): boolean {
    return !reading && this.#ports.now() - readAt >= staleMs
  }

  async #read(key: string, entry: Entry): Promise<void> {
    entry.turn += 1
    entry.reading = true
    const mine = entry.turn
    const [id, input] = JSON.parse(key) as [string, object]
    try {
      const data = await this.#ports.ask(id, input)
      if (mine !== entry.turn) return
      entry.readAt = this.#ports.now()
      this.#show(entry, { name: 'there', data, problem: undefined })
    } catch (error) {
      if (mine !== entry.turn) return
      const problem = problemOf(error)
      const { state, listeners } = entry
      if (state.name === 'loading' && listeners.size === 0) return
      // What belongs to somebody no more is not shown any longer; what could only not be asked stays.
      const stays = state.name === 'there' && problem !== 'forbidden' && problem !== 'not_found'
      this.#show(entry, stays ? { ...state, problem } : { name: 'failed', problem })
      if (problem === 'over') this.#ports.onOver()
    } finally {
      if (mine === entry.turn) entry.reading = false
    }
  }

  #show(entry: Entry, state: QueryState): void {
    entry.state = state
    for (const listener of entry.listeners) listener()
  }

  #returned(): void {
    for (const [key, entry] of this.#entries)
      if (entry.listeners.size > 0 && this.#isStale(entry)) void this.#read(key, entry)
  }

  #forgetOldest(): void {
    const unseen = [...this.#entries].filter(([, { listeners }]) => listeners.size === 0)
    for (const [key] of unseen.slice(0, Math.max(0, unseen.length - mostKept))) this.#entries.delete(key)
  }
}
