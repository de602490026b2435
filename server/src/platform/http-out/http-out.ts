import { Agent, buildConnector } from 'undici'
import { remembering } from '../cache.ts'
import { exchange, type OutAnswer, type OutRequest } from './exchange.ts'
import { allowedAddresses, BlockedTarget, guardConnector } from './guarded-connector.ts'
import { createResolverLookup, type Lookup, systemLookup } from './lookup.ts'
import { failureOf, type PostOptions, type PostResult, sendOnce } from './send-once.ts'
import { readTarget } from './target.ts'

export type { OutAnswer, OutRequest } from './exchange.ts'
export type { Lookup } from './lookup.ts'
export type { PostOptions, PostResult } from './send-once.ts'

export interface HttpOutOptions {
  /** Development only: http, loopback and private networks are allowed as well. */
  readonly allowPrivate: boolean
  /** `db.inTransaction`: nothing may wait for the network while a transaction is open. */
  readonly isInTransaction: () => boolean
  /** Opens the socket after the guard; tests put one here that records and refuses. */
  readonly connectBase?: buildConnector.connector
  readonly lookup?: Lookup
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

/** For one address of several; the post's own deadline counts all of them. */
const connectTimeoutMs = 5000
/**
 * Each origin has its own bounded pool. Many endpoints may share an origin, so it holds what all of them may have under
 * way: with less, some that hang would keep the others of that origin waiting for a connection.
 */
const connectionsPerOrigin = 256

const openAgent = (connect: buildConnector.connector, more: Agent.Options = {}): Agent =>
  new Agent({
    connect,
    connections: connectionsPerOrigin,
    pipelining: 1,
    // One answer that is cut off must not end its neighbours on the same HTTP/2 connection.
    allowH2: false,
    headersTimeout: 0,
    bodyTimeout: 0,
    keepAliveTimeout: 10_000,
    ...more,
  })

export const createHttpOut = (options: HttpOutOptions): HttpOut => {
  const { allowPrivate, isInTransaction } = options
  const lookup = options.lookup ?? (allowPrivate ? systemLookup : createResolverLookup())
  const base = options.connectBase ?? buildConnector({ allowH2: false, timeout: connectTimeoutMs })
  const connect = guardConnector(base, allowPrivate, lookup)
  const agent = openAgent(connect)
  // Each request opens a connection, which ends with it.
  const apart = openAgent(connect, { connections: null, pipelining: 0 })
  const readOnce = remembering((url) => readTarget(url, allowPrivate))
  const refuseInTransaction = () => {
    if (isInTransaction()) throw new Error('programming error: network access while a transaction is open')
  }

  return {
    async post(url, request) {
      refuseInTransaction()
      request.signal?.throwIfAborted()
      const target = readOnce(url)
      if (!target.ok) return { ...failureOf(new BlockedTarget(target.reason)), durationMs: 0 }
      const started = performance.now()
      const sent = await sendOnce(agent, target.url, request)
      return { ...sent, durationMs: Math.round(performance.now() - started) }
    },
    async request(url, request) {
      refuseInTransaction()
      return exchange(request.apart === true ? apart : agent, readTarget(url, allowPrivate), request)
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
    close: async () => {
      await Promise.all([agent.close(), apart.close()])
    },
  }
}
