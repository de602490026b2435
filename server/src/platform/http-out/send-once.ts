import type { Agent, Dispatcher } from 'undici'
import { AnswerStart } from './answer.ts'
import { connectionFaultOf } from './connection-fault.ts'

export interface PostOptions {
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
  /** One deadline for name, connection, headers and body together. Milliseconds, 10,000 unless told. */
  readonly timeoutMs?: number
  readonly signal?: AbortSignal
}

export interface PostResult {
  /** `success` is 2xx; `http_error` every other status, redirects included; `blocked` the guard's refusal. */
  readonly outcome: 'success' | 'http_error' | 'timeout' | 'network_error' | 'blocked'
  readonly statusCode?: number
  /** First 1 KiB of the answer as text. */
  readonly excerpt?: string
  readonly durationMs: number
  /** Why there was no answer, in words; holds no address and no part of an answer. */
  readonly error?: string
  /** The same as a code, for example `ENOTFOUND`. */
  readonly errorCode?: string
}

const defaultTimeoutMs = 10_000

class Deadline extends Error {
  override readonly name = 'Deadline'
  readonly code = 'DEADLINE'
}

/** The failure that is reported for a post without an answer. */
export const failureOf = (error: unknown): Pick<PostResult, 'outcome' | 'error' | 'errorCode'> => {
  const { kind, code, words } = connectionFaultOf(error)
  // `ETIMEOUT` is a name server's.
  const isLate = kind === 'slow' || code === 'ETIMEOUT'
  const outcome = kind === 'blocked' ? 'blocked' : isLate ? 'timeout' : 'network_error'
  return { outcome, error: words, errorCode: code }
}

type Sent = Omit<PostResult, 'durationMs'>

/**
 * Listens to one request of undici itself: its `request` makes a stream of every answer, which costs as much again as the
 * post, and looks at an abort only once it has a connection.
 */
class OnePost implements Dispatcher.DispatchHandler {
  readonly sent: Promise<Sent>
  readonly #settled = Promise.withResolvers<Sent>()
  readonly #answer = new AnswerStart()
  readonly #signal: AbortSignal | undefined
  readonly #timer: NodeJS.Timeout
  #controller: Dispatcher.DispatchController | undefined
  #statusCode: number | undefined
  #isOver = false

  constructor({ signal, timeoutMs = defaultTimeoutMs }: PostOptions) {
    this.sent = this.#settled.promise
    this.#signal = signal
    this.#timer = setTimeout(() => this.#giveUp(new Deadline()), timeoutMs)
    signal?.addEventListener('abort', this.#cancel, { once: true })
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller
    // It was given up while it waited for a connection.
    if (this.#isOver) controller.abort(new Error('given up'))
  }

  onResponseStart(_controller: Dispatcher.DispatchController, statusCode: number): void {
    // Interim answers (RFC 9110, 15.2) come before the one that counts.
    if (statusCode >= 200) this.#statusCode = statusCode
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#isOver || !this.#answer.isEnough(chunk)) return
    this.#answered()
    controller.abort(new Error('the rest is not read'))
  }

  onResponseEnd(): void {
    this.#answered()
  }

  onResponseError(_controller: Dispatcher.DispatchController | null, error: Error): void {
    this.#failed(error)
  }

  /** Nothing is known about the receiver then, so no result is made up. */
  readonly #cancel = (): void => {
    if (this.#isOver) return
    const reason = this.#signal?.reason as Error
    this.#end()
    this.#settled.reject(reason)
    this.#controller?.abort(reason)
  }

  #giveUp(why: Error): void {
    this.#failed(why)
    this.#controller?.abort(why)
  }

  /** The receiver has answered as soon as its status is there: what becomes of the rest of its answer changes nothing. */
  #failed(why: Error): void {
    if (this.#statusCode === undefined) this.#settle(failureOf(why))
    else this.#answered()
  }

  #answered(): void {
    const status = this.#statusCode ?? 0
    this.#settle({ outcome: status >= 200 && status < 300 ? 'success' : 'http_error' })
  }

  #settle(result: Sent): void {
    if (this.#isOver) return
    this.#end()
    const statusCode = this.#statusCode
    this.#settled.resolve({
      ...result,
      ...(statusCode !== undefined && { statusCode, excerpt: this.#answer.excerpt() }),
    })
  }

  #end(): void {
    this.#isOver = true
    clearTimeout(this.#timer)
    this.#signal?.removeEventListener('abort', this.#cancel)
  }
}

/** Posts once and says what came of it. Rejects only where the caller gave up. */
export const sendOnce = (agent: Agent, url: URL, request: PostOptions): Promise<Sent> => {
  const post = new OnePost(request)
  const { origin, pathname, search } = url
  const { headers, body } = request
  agent.dispatch({ origin, path: pathname + search, method: 'POST', headers, body }, post)
  return post.sent
}
