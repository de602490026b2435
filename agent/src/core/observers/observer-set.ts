import { backoffMs } from '@integrity/client/backoff'
import { createKnownStates } from '@integrity/protocol'
import { type Clock, systemClock } from '../../shared/clock.ts'
import type { Capability, Change, Observation, Observer, ObserverGap } from './types.ts'

const retry = { baseMs: 2000, capMs: 60_000, leastMs: 1000 }
/** After a run this long the waits start small again. */
const steadyRunMs = 60_000

export interface ObserverSetOptions {
  observers: Observer[]
  emit: (observation: Observation) => void
  /** A failed observer is a hole in coverage, not silence. */
  onGap: (gap: ObserverGap) => void
  clock?: Clock
  random?: () => number
}

export interface ObserverSet {
  /** Asks every observer what this machine lets it see; one line for each, in order. */
  capabilities(): Promise<Capability[]>
  start(): void
  stop(): Promise<void>
}

const wordsOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/** Runs one observer, again and again; knows since when it is blind. */
class ObserverRun {
  readonly #observer: Observer
  readonly #options: ObserverSetOptions
  readonly #clock: Clock
  readonly #signal: AbortSignal
  #blind: { from: number; why: string } | undefined
  #hasSeen = false
  readonly #known = createKnownStates()

  constructor(observer: Observer, options: ObserverSetOptions, signal: AbortSignal) {
    this.#observer = observer
    this.#options = options
    this.#clock = options.clock ?? systemClock
    this.#signal = signal
  }

  async run(): Promise<void> {
    for (let tries = 0; !this.#signal.aborted; tries += 1) {
      const started = this.#clock.monotonicMs()
      const why = await this.#attempt()
      if (this.#signal.aborted) break
      this.#blind ??= { from: this.#clock.wallMs(), why }
      if (this.#clock.monotonicMs() - started > steadyRunMs) tries = 0
      await this.#clock.sleep(backoffMs(tries + 1, { ...retry, random: this.#options.random }), this.#signal)
    }
    this.#closeGap()
  }

  /** Runs until it fails or is stopped; gives why it failed. */
  async #attempt(): Promise<string> {
    try {
      const ability = await this.#observer.probe()
      if (ability.status === 'not_observable') return ability.why
      this.#closeGap()
      const first = !this.#hasSeen
      this.#hasSeen = true
      await this.#observer.start((change) => this.#emit(change, first), this.#signal)
      return 'observing ended by itself'
    } catch (error) {
      return wordsOf(error)
    }
  }

  #emit(change: Change, first: boolean): void {
    if (this.#signal.aborted) return
    const { name, version, method } = this.#observer
    const { kind, value, baseline } = change
    const told = { kind, data: { value } }
    // The first look of a restarted observer describes the present: the agent reports only what differs from before.
    if (!first && change.sinceBeforeSession && this.#known.has(told)) return
    this.#known.tell(told)
    const sinceBeforeSession = first ? change.sinceBeforeSession : undefined
    // That the value is of this kind is what the change's type says.
    this.#options.emit({
      kind,
      observedAt: this.#clock.wallMs(),
      monotonicMs: this.#clock.monotonicMs(),
      source: name,
      data: {
        observerVersion: version,
        method,
        value,
        ...(baseline === undefined ? {} : { baseline }),
        ...(sinceBeforeSession === undefined ? {} : { sinceBeforeSession }),
      },
    } as Observation)
  }

  #closeGap(): void {
    const blind = this.#blind
    this.#blind = undefined
    const to = this.#clock.wallMs()
    if (blind && to > blind.from) this.#options.onGap({ observer: this.#observer.name, ...blind, to })
  }
}

const capabilityOf = async (observer: Observer): Promise<Capability> => {
  try {
    return { observer: observer.name, ...(await observer.probe()) }
  } catch (error) {
    return { observer: observer.name, status: 'not_observable', why: wordsOf(error) }
  }
}

/** Runs all observers; each is started again, with backoff, when it fails. */
export const createObserverSet = (options: ObserverSetOptions): ObserverSet => {
  const controller = new AbortController()
  let done: Promise<unknown> | undefined
  return {
    capabilities: () => Promise.all(options.observers.map(capabilityOf)),
    start: () => {
      done ??= Promise.all(
        options.observers.map((observer) => new ObserverRun(observer, options, controller.signal).run()),
      )
    },
    stop: async () => {
      controller.abort()
      await done
    },
  }
}
