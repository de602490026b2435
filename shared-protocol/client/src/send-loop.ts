import { backoffMs, deviceBackoff } from './backoff.ts'
import { IntegrityError } from './errors.ts'

export type Outcome = 'sent' | 'refused'

/** Why items were not taken although their request was answered, by their index. */
export type Problems = ReadonlyMap<number, IntegrityError>
export const noProblems: Problems = new Map()

export interface SendLoopPorts<Item> {
  /** Answers how to cancel; `random` is 0 up to 1. */
  readonly time: { after(ms: number, action: () => void): () => void; random(): number }
  /** Most items of one request. */
  readonly batch: number
  /** What consent or policy does not cover: `refuse` takes it out of the queue, `keep` leaves it to `onStop`. */
  readonly forbidden: 'refuse' | 'keep'
  /** What waits in the queue, oldest first. */
  oldest(limit: number): Promise<readonly Item[]>
  /** How long these may still wait for company, milliseconds; 0 sends them at once, as where there is no such rule. */
  gatherMs?(items: readonly Item[]): number
  /** Throws `IntegrityError` where all items failed as one; answers those that failed by themselves. */
  send(items: readonly Item[]): Promise<Problems>
  /** Indexes of the items that a refusal names as at fault. */
  atFault?(problem: IntegrityError): readonly number[]
  /** Takes items out of the queue. */
  settle(items: readonly Item[], outcome: Outcome): Promise<void>
  /** Items have left the queue. */
  onSettled(items: readonly Item[], outcome: Outcome): void
  /** Whether the last attempt reached the service. */
  onNetwork(reached: boolean): void
  /** The token is over (`unauthorized`), or policy or consent says no (`forbidden`). The loop rests until woken. */
  onStop(problem: IntegrityError, items: readonly Item[]): void
  /** The device's own storage failed. */
  onBroken(error: unknown): void
}

/** Spread of the first attempts after an outage, so that the devices of a building do not all come back at once. */
const spreadMs = 1_000

const waitOf = ({ retryAfterMs = 0 }: IntegrityError): number => retryAfterMs

/** Sends what waits in a durable queue, oldest first, one request at a time. Only an answer takes an item out of it. */
export class SendLoop<Item> {
  readonly #ports: SendLoopPorts<Item>
  #state: 'idle' | 'sending' | 'waiting' | 'stopped' = 'idle'
  #failures = 0
  // A wait that ends before the loop that began it has looked up must not make two loops of one.
  #turn = 0
  #limit: number
  #more = false
  #cancelWait = () => {}
  #whenEmpty: (() => void)[] = []

  constructor(ports: SendLoopPorts<Item>) {
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
    this.#failures = 0
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
    while (this.#is('sending') && turn === this.#turn) {
      this.#more = false
      const items = await this.#ports.oldest(this.#limit)
      if (this.#is('stopped')) return
      const waitMs = this.#companyMs(items)
      if (waitMs > 0) return this.#gather(waitMs)
      if (items.length > 0) await this.#send(items)
      else if (!this.#more) {
        this.#state = 'idle'
        for (const resolve of this.#whenEmpty.splice(0)) resolve()
      }
    }
  }

  /** Whoever waits for the end, waits for nothing else. */
  #companyMs(items: readonly Item[]): number {
    const waits = items.length > 0 && this.#whenEmpty.length === 0
    return waits ? (this.#ports.gatherMs?.(items) ?? 0) : 0
  }

  #gather(ms: number): void {
    this.#state = 'idle'
    this.#cancelWait()
    this.#cancelWait = this.#ports.time.after(ms, () => this.wake())
    if (this.#more) this.wake()
  }

  async #send(items: readonly Item[]): Promise<void> {
    let problems: Problems
    try {
      problems = await this.#ports.send(items)
    } catch (error) {
      if (!(error instanceof IntegrityError)) throw error
      if (!this.#is('stopped')) await this.#failed(items, error)
      return
    }
    this.#limit = this.#ports.batch
    const sent = items.filter((_item, index) => !problems.has(index))
    // Also when stopped meanwhile: the service has them.
    if (sent.length > 0) await this.#settle(sent, 'sent')
    if (problems.size > 0 && !this.#is('stopped')) await this.#failedAlone(items, problems)
  }

  /** Each as if it had been sent alone: what would be refused again leaves, what consent does not cover is told, the rest waits. */
  async #failedAlone(items: readonly Item[], problems: Problems): Promise<void> {
    const failed = items.flatMap((item, index) => {
      const problem = problems.get(index)
      return problem ? [{ item, problem }] : []
    })
    const told = failed.filter(({ problem }) => problem.kind === 'forbidden' || problem.kind === 'unauthorized')
    const passing = failed.filter(({ problem }) => problem.isPassing)
    const forGood = failed.filter((one) => !told.includes(one) && !passing.includes(one)).map(({ item }) => item)
    if (forGood.length > 0) await this.#settle(forGood, 'refused')
    const waiting = told.length > 0 ? told : passing
    // The longest wait is long enough for all.
    const [first] = [...waiting].sort((a, b) => waitOf(b.problem) - waitOf(a.problem))
    if (!first || this.#is('stopped')) return
    const left = waiting.map(({ item }) => item)
    await this.#failed(left, first.problem)
  }

  async #settle(items: readonly Item[], outcome: Outcome): Promise<void> {
    this.#failures = 0
    await this.#ports.settle(items, outcome)
    if (this.#is('stopped')) return
    this.#ports.onNetwork(true)
    this.#ports.onSettled(items, outcome)
  }

  async #failed(items: readonly Item[], problem: IntegrityError): Promise<void> {
    const { kind, retryAfterMs } = problem
    if (problem.isPassing) {
      // A service that says when to come back was reached.
      this.#ports.onNetwork(kind === 'too_many' || (problem.isAnswer && retryAfterMs !== undefined))
      this.#failures += 1
      const random = () => this.#ports.time.random()
      return this.#pause(backoffMs(this.#failures, { ...deviceBackoff, random, askedMs: retryAfterMs }))
    }
    if (kind === 'unauthorized') return this.#rest(problem, items)
    if (kind === 'forbidden') {
      if (this.#ports.forbidden === 'refuse') await this.#settle(items, 'refused')
      return this.#rest(problem, items)
    }
    const faults = this.#ports.atFault?.(problem) ?? []
    const named = items.filter((_item, index) => faults.includes(index))
    if (named.length > 0) return this.#settle(named, 'refused')
    // Nobody said which one: the next request carries one alone.
    if (items.length > 1) this.#limit = 1
    // The same bytes would be refused the next time too, and must not hold up what comes after them.
    else await this.#settle(items, 'refused')
  }

  #rest(problem: IntegrityError, items: readonly Item[]): void {
    if (this.#is('stopped')) return
    this.#state = 'idle'
    this.#ports.onStop(problem, items)
  }

  #pause(ms: number): void {
    this.#state = 'waiting'
    this.#cancelWait = this.#ports.time.after(ms, () => this.#begin())
  }
}
