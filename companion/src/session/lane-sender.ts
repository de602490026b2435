import { ApiProblem } from './api-problem.ts'
import { waitBefore } from './backoff.ts'
import type { QueuedItem, QueueLane, QueuePort } from './queue.port.ts'
import type { TimePort } from './session.ports.ts'

export interface LanePorts {
  readonly lane: QueueLane
  readonly queue: QueuePort
  readonly time: TimePort
  /** Most items of one request. */
  readonly batch: number
  send(items: readonly QueuedItem[]): Promise<void>
  /** Items have left the queue. */
  onSettled(outcome: 'sent' | 'refused', count: number): void
  /** Whether the last attempt reached the service. */
  onNetwork(reached: boolean): void
  /** The token is over, or policy or consent says no. The lane rests until woken. */
  onStop(kind: 'unauthorized' | 'forbidden'): void
  /** The phone's own storage failed. */
  onBroken(error: unknown): void
}

/** Spread of the first attempts after an outage. */
const spreadMs = 1_000

/** Sends what waits in one lane, oldest first, one request at a time. Only an answer takes an item out of the queue. */
export class LaneSender {
  readonly #ports: LanePorts
  #state: 'idle' | 'sending' | 'waiting' | 'stopped' = 'idle'
  #attempt = 0
  // A wait that ends before the loop that began it has looked up must not make two loops of one.
  #turn = 0
  #limit: number
  #more = false
  #cancelWait = () => {}
  #whenEmpty: (() => void)[] = []

  constructor(ports: LanePorts) {
    this.#ports = ports
    this.#limit = ports.batch
  }

  /** There is something to send. */
  wake(): void {
    this.#more = true
    if (this.#state === 'idle') this.#begin()
  }

  /** The network is back: no need to sit the wait out. */
  again(): void {
    this.wake()
    if (this.#state !== 'waiting') return
    this.#cancelWait()
    this.#attempt = 0
    this.#pause(this.#ports.time.random() * spreadMs)
  }

  /** Resolves when nothing is waiting; never once it was stopped. */
  drained(): Promise<void> {
    return new Promise((resolve) => {
      this.#whenEmpty.push(resolve)
      this.wake()
    })
  }

  stop(): void {
    this.#state = 'stopped'
    this.#cancelWait()
  }

  // A method, so that the compiler does not take the state before an await for the state after it.
  #is(state: 'sending' | 'stopped'): boolean {
    return this.#state === state
  }

  #begin(): void {
    this.#state = 'sending'
    this.#turn += 1
    this.#sendAll(this.#turn).catch((error: unknown) => {
      if (this.#is('stopped')) return
      this.#state = 'idle'
      this.#ports.onBroken(error)
    })
  }

  async #sendAll(turn: number): Promise<void> {
    const { queue, lane } = this.#ports
    while (this.#is('sending') && turn === this.#turn) {
      this.#more = false
      const items = await queue.oldest(lane, this.#limit)
      if (this.#is('stopped')) return
      if (items.length > 0) await this.#send(items)
      else if (!this.#more) {
        this.#state = 'idle'
        for (const resolve of this.#whenEmpty.splice(0)) resolve()
      }
    }
  }

  async #send(items: readonly QueuedItem[]): Promise<void> {
    try {
      await this.#ports.send(items)
    } catch (error) {
      if (!(error instanceof ApiProblem)) throw error
      if (!this.#is('stopped')) await this.#failed(items, error)
      return
    }
    this.#limit = this.#ports.batch
    // Also when stopped meanwhile: the service has them.
    await this.#settle(items, 'sent')
  }

  async #settle(items: readonly QueuedItem[], outcome: 'sent' | 'refused'): Promise<void> {
    this.#attempt = 0
    await this.#ports.queue.settle(items)
    if (this.#is('stopped')) return
    this.#ports.onNetwork(true)
    this.#ports.onSettled(outcome, items.length)
  }

  async #failed(items: readonly QueuedItem[], problem: ApiProblem): Promise<void> {
    const { kind, retryAfterMs, atFault } = problem
    if (kind === 'later' || kind === 'too_many') {
      this.#ports.onNetwork(kind === 'too_many')
      return this.#pause(waitBefore(this.#attempt++, () => this.#ports.time.random(), retryAfterMs))
    }
    if (kind === 'unauthorized') {
      this.#state = 'idle'
      return this.#ports.onStop(kind)
    }
    const named = items.filter((_item, index) => atFault.includes(index))
    if (named.length > 0) return this.#settle(named, 'refused')
    if (kind !== 'forbidden' && items.length > 1) {
      // Nobody said which one: the next request carries one alone.
      this.#limit = 1
      return
    }
    // The same bytes would be refused the next time too, and must not hold up what comes after them.
    await this.#settle(items, 'refused')
    if (kind !== 'forbidden' || this.#is('stopped')) return
    this.#state = 'idle'
    this.#ports.onStop(kind)
  }

  #pause(ms: number): void {
    this.#state = 'waiting'
    this.#cancelWait = this.#ports.time.after(ms, () => this.#begin())
  }
}
