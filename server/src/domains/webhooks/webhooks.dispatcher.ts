import type { AppContext } from '../../app/context.ts'
import { createWaiter } from '../../platform/jobs/waiter.ts'
import { eventsChannel } from '../../platform/outbox/outbox.ts'
import { claimDue } from './delivery.claim.service.ts'
import { nextDueAcrossOrgs } from './delivery.queue.store.ts'
import { attemptDelivery, type Claim } from './delivery.service.ts'
import { deliveriesChannel } from './webhooks.service.ts'
import { createKeyCache } from './webhooks.signature.ts'

export interface DispatcherOptions {
  /** Attempts under way at once in this process. */
  readonly concurrency?: number
  /** Attempts under way at once to one endpoint, so that a slow one leaves room for the others. */
  readonly perEndpoint?: number
  /** One attempt's deadline. Milliseconds. */
  readonly timeoutMs?: number
  readonly pollMs?: number
  /** In [0, 1); spreads the retries. */
  readonly random?: () => number
}

export interface Dispatcher {
  start(): void
  /** Sends everything that is due until nothing is; retries that wait for a later time stay. */
  processAll(): Promise<void>
  /** Claims no more and waits for what is being sent; when `signal` aborts, that is cut off and sent again later. */
  stop(signal?: AbortSignal): Promise<void>
}

const DEFAULTS = { concurrency: 128, perEndpoint: 4, timeoutMs: 10_000, pollMs: 1000, random: Math.random }
/** Beyond the attempt's own deadline: a process that died gives its deliveries back after this. */
const LEASE_MARGIN_MS = 30_000

/**
 * Sends queued deliveries. Any number of processes may run one: each delivery is claimed under a lease in a short
 * transaction, sent with no transaction open, and recorded in another.
 */
export const createDispatcher = (app: AppContext, given: DispatcherOptions = {}): Dispatcher => {
  const options = { ...DEFAULTS, ...given }
  const { concurrency, perEndpoint, timeoutMs } = options
  const owner = app.newId('dsp')
  const keys = createKeyCache()
  const running = new Set<Promise<void>>()
  const busy = new Map<string, number>()
  const waiter = createWaiter(app.clock)
  const stopping = new AbortController()
  const aborting = new AbortController()
  let loop: Promise<void> | undefined

  const begin = (claim: Claim): void => {
    const id = claim.endpoint.id
    busy.set(id, (busy.get(id) ?? 0) + 1)
    const send = { keys, timeoutMs, random: options.random, signal: aborting.signal }
    const run = attemptDelivery(app, claim, send)
      .catch((error: unknown) => {
        if (!aborting.signal.aborted)
          app.log.error({ err: error, deliveryId: claim.delivery.id }, 'a delivery could not be attempted; its claim will run out')
      })
      .finally(() => {
        const left = (busy.get(id) ?? 1) - 1
        if (left === 0) busy.delete(id)
        else busy.set(id, left)
        running.delete(run)
        waiter.wake()
      })
    running.add(run)
  }

  /** Fills the free places; returns how many attempts began. */
  const fill = async (): Promise<number> => {
    const free = concurrency - running.size
    if (free <= 0 || stopping.signal.aborted) return 0
    const claims = await claimDue(app, { free, perEndpoint, busy, owner, leaseMs: timeoutMs + LEASE_MARGIN_MS })
    for (const claim of claims) begin(claim)
    return claims.length
  }

  /** Until the next delivery is due, at most one poll: so that a retry is on time without polling often. */
  const pause = async (): Promise<void> => {
    const next = await nextDueAcrossOrgs(app.db.reader).catch(() => null)
    const ms = next === null ? options.pollMs : next - app.clock.now()
    // What is due already waits for a free place, whose end wakes us.
    await waiter.wait(ms > 0 ? Math.min(ms, options.pollMs) : options.pollMs, stopping.signal)
  }

  const work = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      let began = 0
      try {
        began = await fill()
      } catch (error) {
        app.log.error({ err: error }, 'deliveries could not be claimed')
      }
      if (began === 0 || running.size >= concurrency) await pause()
    }
  }

  return {
    start() {
      if (loop) return
      const ends = [eventsChannel, deliveriesChannel].map((channel) => app.db.listen(channel, () => waiter.wake()))
      loop = work().finally(() => {
        for (const end of ends) end()
      })
    },
    async processAll() {
      for (;;) {
        const began = await fill()
        if (began === 0 && running.size === 0) return
        if (running.size > 0) await Promise.race(running)
      }
    },
    async stop(signal) {
      stopping.abort()
      const abort = () => aborting.abort(signal?.reason)
      if (signal?.aborted) abort()
      signal?.addEventListener('abort', abort, { once: true })
      await loop
      await Promise.all(running)
      signal?.removeEventListener('abort', abort)
    },
  }
}
