import { DriverError } from '../../core/capture/types.ts'
import type { Clock } from '../../shared/clock.ts'
import {
  type CommandInput,
  type CommandName,
  type CommandValue,
  commands,
  type PageMessage,
  pageMessage,
} from './messages.ts'
import { PageClock } from './page-clock.ts'
import { refusalError } from './page-failure.ts'
import type { CapturePage } from './page-port.ts'

/** How long the page may take for an answer; opening a source may ask the system. */
const answerMs = 10_000
const openMs = 20_000
/** How long a page that left something unanswered is waited for, until it says anything again. */
const silentAfterMs = 1000
/** How often the page's clock is measured again, and by how many pings. */
const clockMs = 30_000
const pings = 5

export interface Answer<N extends CommandName> {
  value: CommandValue<N>
  bytes: Buffer
}
export type News = Extract<PageMessage, { news: unknown }>

/** The conversation with one page. A page that is silent or answers what was not asked fails the request. */
export interface PageLink {
  readonly page: CapturePage
  readonly clock: PageClock
  readonly closed: Promise<void>
  isClosed(): boolean
  /** Throws DriverError: with the browser's reason when the page refuses, else `driver_failed`. */
  request<N extends CommandName>(command: N, input: CommandInput<N>): Promise<Answer<N>>
  onNews(listener: (news: News) => void): () => void
}

interface Waiting {
  resolve: (message: PageMessage) => void
  reject: (error: Error) => void
}

export const createPageLink = (page: CapturePage, clock: Clock): PageLink => new LinkedPage(page, clock)

class LinkedPage implements PageLink {
  readonly page: CapturePage
  readonly clock: PageClock
  readonly closed: Promise<void>
  readonly #local: Clock
  readonly #waiting = new Map<number, Waiting>()
  readonly #listeners = new Set<(news: News) => void>()
  #lastId = 0
  #silent = false
  #over = false

  constructor(page: CapturePage, clock: Clock) {
    this.page = page
    this.#local = clock
    this.clock = new PageClock(clock)
    const stop = page.onMessage((message) => this.#take(message))
    this.closed = page.closed.then(() => {
      this.#over = true
      stop()
      for (const { reject } of this.#waiting.values()) reject(gone())
      this.#waiting.clear()
    })
  }

  isClosed(): boolean {
    return this.#over
  }

  async request<N extends CommandName>(command: N, input: CommandInput<N>): Promise<Answer<N>> {
    // A page that was silent is asked for a sign of life first.
    if (command !== 'ping' && (this.#silent || this.clock.ageMs > clockMs)) await this.#measure()
    const { answer, sent, received } = await this.#ask(command, input)
    if (command !== 'ping' && 'at' in answer.value && !this.clock.observe(sent, answer.value.at, received)) {
      await this.#measure()
    }
    return answer
  }

  onNews(listener: (news: News) => void): () => void {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  async #measure(): Promise<void> {
    this.clock.begin()
    for (let i = 0; i < pings; i += 1) {
      const { answer, sent, received } = await this.#ask('ping', {})
      this.clock.ping(sent, answer.value.at, received)
    }
  }

  async #ask<N extends CommandName>(command: N, input: CommandInput<N>) {
    const sent = this.#local.monotonicMs()
    const message = await this.#exchange(command, input)
    const received = this.#local.monotonicMs()
    if ('refused' in message) throw refusalError(message.name, message.detail)
    const value = 'answer' in message ? commands[command].value.safeParse(message.value) : undefined
    if (!value?.success)
      throw new DriverError('driver_failed', `the capture page answered ${command} with something else`)
    const bytes = 'answer' in message && message.bytes ? message.bytes : new Uint8Array()
    const answer: Answer<N> = {
      value: value.data as CommandValue<N>,
      bytes: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length),
    }
    return { answer, sent, received }
  }

  async #exchange<N extends CommandName>(command: N, input: CommandInput<N>): Promise<PageMessage> {
    if (this.#over) throw gone()
    this.#lastId += 1
    const id = this.#lastId
    const answered = new AbortController()
    const answer = new Promise<PageMessage>((resolve, reject) => this.#waiting.set(id, { resolve, reject }))
    const patienceMs = this.#silent ? silentAfterMs : command === 'open' ? openMs : answerMs
    const late = this.#local.sleep(patienceMs, answered.signal).then(() => undefined)
    try {
      this.page.send({ id, command, input })
      const first = await Promise.race([answer, late])
      if (first !== undefined) return first
      this.#silent = true
      throw new DriverError('driver_failed', `the capture page does not answer ${command}`)
    } finally {
      this.#waiting.delete(id)
      // Nobody waits for it any more.
      answer.catch(() => undefined)
      answered.abort()
    }
  }

  #take(raw: unknown): void {
    const { data: message } = pageMessage.safeParse(raw)
    // What is not understood is no answer: whoever asked will have waited in vain.
    if (!message) return
    this.#silent = false
    if ('news' in message) {
      for (const listener of this.#listeners) listener(message)
      return
    }
    const id = 'answer' in message ? message.answer : message.refused
    this.#waiting.get(id)?.resolve(message)
  }
}

const gone = (): DriverError => new DriverError('driver_failed', 'the capture page is gone')
