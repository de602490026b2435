import { waitBefore } from './backoff.ts'
import type { Still, TimePort } from './room.types.ts'
import { ApiProblem, type RoomApi } from './room-api.ts'
import type { StillsQueue } from './stills.queue.ts'

export interface UploaderPorts {
  readonly queue: StillsQueue
  readonly api: RoomApi
  readonly time: TimePort
  readonly sessionId: string
  /** A still has left the queue. */
  onSettled(still: Still, outcome: 'sent' | 'refused'): void
  /** Whether the last attempt reached the service. */
  onNetwork(reached: boolean): void
  /** The link is over (`unauthorized`), or policy or consent says no (`forbidden`). The uploader rests until woken. */
  onProblem(problem: ApiProblem, still: Still): void
  /** The browser's own storage failed. */
  onBroken(error: unknown): void
}

/** Spread of the first attempts after an outage, so that the rooms of a building do not all come back at once. */
const spreadMs = 1_000

/** Sends what waits, one at a time, oldest first. Only an answer of the service takes a still out of the queue. */
export class Uploader {
  readonly #ports: UploaderPorts
  #state: 'idle' | 'sending' | 'waiting' | 'stopped' = 'idle'
  #attempt = 0
  #more = false
  #cancelWait = () => {}
  #whenEmpty: (() => void)[] = []

  constructor(ports: UploaderPorts) {
    this.#ports = ports
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
    this.#sendAll().catch((error: unknown) => {
      if (this.#is('stopped')) return
      this.#state = 'idle'
      this.#ports.onBroken(error)
    })
  }

  async #sendAll(): Promise<void> {
    while (this.#is('sending')) {
      this.#more = false
      const still = await this.#ports.queue.oldest(this.#ports.sessionId)
      if (this.#is('stopped')) return
      if (still) await this.#send(still)
      else if (!this.#more) {
        this.#state = 'idle'
        for (const resolve of this.#whenEmpty.splice(0)) resolve()
      }
    }
  }

  async #send(still: Still): Promise<void> {
    try {
      await this.#ports.api.send(still)
    } catch (error) {
      if (!(error instanceof ApiProblem)) throw error
      if (!this.#is('stopped')) await this.#failed(still, error)
      return
    }
    // Also when stopped meanwhile: the service has it.
    await this.#settle(still, 'sent')
  }

  async #settle(still: Still, outcome: 'sent' | 'refused'): Promise<void> {
    this.#attempt = 0
    await this.#ports.queue.settle(still, outcome)
    if (this.#is('stopped')) return
    this.#ports.onNetwork(true)
    this.#ports.onSettled(still, outcome)
  }

  async #failed(still: Still, problem: ApiProblem): Promise<void> {
    if (problem.kind === 'later') {
      // A service that says when to come back was reached.
      this.#ports.onNetwork(problem.retryAfterMs !== undefined)
      return this.#pause(waitBefore(this.#attempt++, this.#ports.time.random, problem.retryAfterMs))
    }
    // The same bytes would be refused the next time too, and must not hold up what comes after them.
    if (problem.kind === 'refused' || problem.kind === 'conflict') return this.#settle(still, 'refused')
    this.#state = 'idle'
    this.#ports.onProblem(problem, still)
  }

  #pause(ms: number): void {
    this.#state = 'waiting'
    this.#cancelWait = this.#ports.time.after(ms, () => this.#begin())
  }
}
