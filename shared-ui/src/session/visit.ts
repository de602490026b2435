import { IntegrityError } from '@integrity/client/errors'
import { Shown } from '@integrity/protocol/clients/shown'
import { type LinkOver, linkOverOf } from './link-end.ts'
import type { TimePort } from './time-port.ts'
import { Timer } from './timer.ts'

/** What the browser tells about the page. */
export interface PagePort {
  readonly visible: () => boolean
  /** Called when the page is seen again, and when the network is back. Answers how to stop listening. */
  readonly onReturn: (listener: () => void) => () => void
}

export interface VisitPorts<Facts> {
  readonly read: () => Promise<Facts>
  readonly time: TimePort
  readonly page: PagePort
}

/** What a page that a link opened can show, one at a time. */
export type VisitState<Facts> =
  | { readonly name: 'opening' }
  /** Nothing was read yet; the page tries again by itself. `trouble`: the service answered that it cannot at the moment. */
  | { readonly name: 'waiting'; readonly why: 'offline' | 'trouble' }
  /** `facts`: what was read before the link ended. */
  | { readonly name: 'over'; readonly why: LinkOver; readonly facts: Facts | undefined }
  | { readonly name: 'open'; readonly facts: Facts }

/** What was read this long ago is read again when the page is seen again. */
const staleMs = 60_000

/** Loads the facts behind a link, retries until they arrive, and reloads them when they may have changed. */
export class Visit<Facts> {
  readonly #ports: VisitPorts<Facts>
  readonly #shown = new Shown<VisitState<Facts>>({ name: 'opening' })
  readonly subscribe = this.#shown.subscribe
  readonly #timer: Timer
  #readAt = 0
  // Raised by each reading: the answer of an earlier one says nothing any more.
  #turn = 0

  constructor(ports: VisitPorts<Facts>) {
    this.#ports = ports
    this.#timer = new Timer(ports.time)
    ports.page.onReturn(() => this.#returned())
  }

  get state(): VisitState<Facts> {
    return this.#shown.state
  }

  /** What was read last. */
  get facts(): Facts | undefined {
    return 'facts' in this.state ? this.state.facts : undefined
  }

  /** Reads now. What is shown stays until the answer is there, and longer when there is none. */
  async refresh(): Promise<void> {
    if (this.state.name === 'over') return
    this.#timer.cancel()
    this.#turn += 1
    const mine = this.#turn
    try {
      const facts = await this.#ports.read()
      if (mine !== this.#turn) return
      this.#timer.reached()
      this.#readAt = this.#ports.time.now()
      this.#show({ name: 'open', facts })
    } catch (error) {
      if (mine === this.#turn) this.#failed(error)
    }
  }

  /** The service said it itself, to another request or as the answer to one. */
  end(why: LinkOver): void {
    this.#timer.cancel()
    this.#turn += 1
    this.#show({ name: 'over', why, facts: this.facts })
  }

  /** For the failure of another request: whether it says that the link has ended, which the page then shows. */
  endedBy(error: unknown): boolean {
    const why = error instanceof IntegrityError ? linkOverOf(error) : undefined
    if (why) this.end(why)
    return why !== undefined
  }

  #failed(error: unknown): void {
    if (this.endedBy(error)) return
    const problem = error instanceof IntegrityError ? error : undefined
    // What the link is for is not there, or the link is for something else.
    if (problem?.kind === 'not_found' || problem?.kind === 'forbidden') {
      this.end('wrong')
      return
    }
    if (this.state.name !== 'open')
      this.#show({ name: 'waiting', why: problem?.isAnswer === false ? 'offline' : 'trouble' })
    this.#timer.retry(problem, () => void this.refresh())
  }

  #returned(): void {
    const { name } = this.state
    if (name === 'waiting' || (name === 'open' && this.#ports.time.now() - this.#readAt >= staleMs)) void this.refresh()
  }

  #show(state: VisitState<Facts>): void {
    this.#shown.set(state)
  }
}
