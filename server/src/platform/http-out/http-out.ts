import { Agent, buildConnector } from 'undici'
import { remembering } from '../cache.ts'
import { excerptOf, readStart } from './answer.ts'
import { exchange, type OutAnswer, type OutRequest } from './exchange.ts'
import { allowedAddresses, BlockedTarget, guardConnector } from './guarded-connector.ts'
import { createResolverLookup, type Lookup, systemLookup } from './lookup.ts'
import { readTarget } from './target.ts'

export type { OutAnswer, OutRequest } from './exchange.ts'
export type { Lookup } from './lookup.ts'

export interface HttpOutOptions {
  /** Development only: http, loopback and private networks are allowed as well. */
  readonly allowPrivate: boolean
  /** `db.inTransaction`: nothing may wait for the network while a transaction is open. */
  readonly isInTransaction: () => boolean
  /** Opens the socket after the guard; tests put one here that records and refuses. */
  readonly connectBase?: buildConnector.connector
  readonly lookup?: Lookup
}

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
  /** A code or reason in words; holds no address and no part of the answer. */
  readonly error?: string
}

export type TargetCheck = { readonly ok: true } | { readonly ok: false; readonly reason: string }

export interface HttpOut {
  /** Posts once, follows no redirect. Rejects only when `signal` aborts (its reason) or a transaction is open. */
  post(url: string, options: PostOptions): Promise<PostResult>
  /** Sends any request once; its answer is read by the caller. Rejects as `exchange` does, or when a transaction is open. */
  request(url: string, options: OutRequest): Promise<OutAnswer>
  /**
   * The same decision without a request, for when a target is registered. A name that does not resolve now is
   * accepted: it may exist by the time of the first post, which is checked again.
   */
  checkTarget(url: string): Promise<TargetCheck>
  /** Waits for running posts (each has its deadline), then closes every connection. */
  close(): Promise<void>
}

const defaultTimeoutMs = 10_000
/** For one address of several; the post's own deadline counts all of them. */
const connectTimeoutMs = 5000
/**
 * Each origin has its own bounded pool. Many endpoints may share an origin, so it holds what all of them may have under
 * way: with less, some that hang would keep the others of that origin waiting for a connection.
 */
const connectionsPerOrigin = 256

/** undici looks at the signal of a request only once it has a connection; this one does not wait for that. */
const orAborted = <T>(work: Promise<T>, signal: AbortSignal): Promise<T> =>
  new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true })
    work.then(resolve, reject)
  })

class Deadline extends Error {
  override readonly name = 'Deadline'
}

const codeOf = (error: unknown): string => {
  const { code, name } = error as { code?: unknown; name?: unknown }
  return typeof code === 'string' ? code : typeof name === 'string' ? name : 'unknown'
}

const failureOf = (error: unknown): Pick<PostResult, 'outcome' | 'error'> => {
  if (error instanceof BlockedTarget) return { outcome: 'blocked', error: error.reason }
  if (error instanceof Deadline) return { outcome: 'timeout', error: 'deadline' }
  const code = codeOf(error)
  const timedOut = code === 'UND_ERR_CONNECT_TIMEOUT' || code === 'ETIMEDOUT' || code === 'ETIMEOUT'
  return { outcome: timedOut ? 'timeout' : 'network_error', error: code }
}

const openAgent = (connect: buildConnector.connector): Agent =>
  new Agent({
    connect,
    connections: connectionsPerOrigin,
    pipelining: 1,
    // One answer that is cut off must not end its neighbours on the same HTTP/2 connection.
    allowH2: false,
    headersTimeout: 0,
    bodyTimeout: 0,
    keepAliveTimeout: 10_000,
  })

/** Sends once and says what came of it. Rejects only where the caller gave up. */
const sendOnce = async (
  agent: Agent,
  url: URL,
  request: PostOptions,
  signal: AbortSignal,
): Promise<Omit<PostResult, 'durationMs'>> => {
  let answered: { statusCode: number } | undefined
  const kept: Buffer[] = []
  try {
    const sent = agent.request({
      origin: url.origin,
      path: url.pathname + url.search,
      method: 'POST',
      headers: request.headers,
      body: request.body,
      signal,
    })
    const response = await orAborted(sent, signal)
    const { statusCode, body } = response
    answered = { statusCode }
    await readStart(body, kept)
    const outcome = statusCode >= 200 && statusCode < 300 ? 'success' : 'http_error'
    return { outcome, ...answered, excerpt: excerptOf(kept) }
  } catch (error) {
    // Given up by the caller, so nothing is known about the receiver. An answer that came first still counts.
    if (request.signal?.aborted) throw request.signal.reason
    return { ...failureOf(error), ...answered, ...(answered ? { excerpt: excerptOf(kept) } : {}) }
  }
}

export const createHttpOut = (options: HttpOutOptions): HttpOut => {
  const { allowPrivate, isInTransaction } = options
  const lookup = options.lookup ?? (allowPrivate ? systemLookup : createResolverLookup())
  const base = options.connectBase ?? buildConnector({ allowH2: false, timeout: connectTimeoutMs })
  const agent = openAgent(guardConnector(base, allowPrivate, lookup))
  const readOnce = remembering((url) => readTarget(url, allowPrivate))
  const refuseInTransaction = () => {
    if (isInTransaction()) throw new Error('programming error: network access while a transaction is open')
  }

  return {
    async post(url, request) {
      refuseInTransaction()
      request.signal?.throwIfAborted()
      const target = readOnce(url)
      if (!target.ok) return { outcome: 'blocked', error: target.reason, durationMs: 0 }
      const started = performance.now()
      const controller = new AbortController()
      const timer = setTimeout(() => controller.abort(new Deadline()), request.timeoutMs ?? defaultTimeoutMs)
      const cancel = () => controller.abort(request.signal?.reason)
      request.signal?.addEventListener('abort', cancel, { once: true })
      try {
        const result = await sendOnce(agent, target.url, request, controller.signal)
        return { ...result, durationMs: Math.round(performance.now() - started) }
      } finally {
        clearTimeout(timer)
        request.signal?.removeEventListener('abort', cancel)
      }
    },
    async request(url, request) {
      refuseInTransaction()
      return exchange(agent, readTarget(url, allowPrivate), request)
    },
    async checkTarget(url) {
      refuseInTransaction()
      const target = readTarget(url, allowPrivate)
      if (!target.ok) return target
      try {
        await allowedAddresses(target.url.hostname, allowPrivate, lookup)
      } catch (error) {
        if (error instanceof BlockedTarget) return { ok: false, reason: error.reason }
      }
      return { ok: true }
    },
    close: () => agent.close(),
  }
}
