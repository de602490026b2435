import type { Needs } from '../../../kernel/call.ts'
import { eventsChannel } from '../../../kernel/outbox/outbox.ts'
import { gather } from '../../../platform/gather.ts'
import { createWaiter } from '../../../platform/waiter.ts'
import { createKeyCache } from '../webhooks/webhooks.signature.model.ts'
import { type AttemptSteps, type Attempts, createAttempts } from './deliveries.attempts.service.ts'
import { createBodyCache } from './deliveries.bodies.parts.ts'
import { createCandidates } from './deliveries.candidates.parts.ts'
import { claimDue, namesOf } from './deliveries.claim.service.ts'
import { deliveriesChannel } from './deliveries.queue.service.ts'
import { nextDueAcrossOrgs } from './deliveries.queue.store.ts'
import { createRecorder } from './deliveries.record.service.ts'
import { attemptDelivery, type Made, type SendOptions } from './deliveries.service.ts'
import { createWidths } from './deliveries.widths.parts.ts'

export interface DispatcherOptions {
  /** Attempts under way at once in this process, besides those that wait long for their receiver. */
  readonly concurrency?: number
  /** Attempts under way at once to one endpoint that has not shown yet what it can take, or that fails. */
  readonly perEndpoint?: number
  /** The same to one that answers well: it is given more as long as it does. */
  readonly mostPerEndpoint?: number
  /** One attempt's deadline. Milliseconds. */
  readonly timeoutMs?: number
  /** Beyond the attempt's own deadline: a process that died gives its deliveries back after this. Milliseconds. */
  readonly leaseMarginMs?: number
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

const defaults = {
  concurrency: 128,
  perEndpoint: 4,
  mostPerEndpoint: 64,
  timeoutMs: 10_000,
  leaseMarginMs: 30_000,
  pollMs: 1000,
  random: Math.random,
}
/** Attempts at once, those counted that receivers leave without an answer, in multiples of the places. */
const stuckFactor = 4
/** While every place is taken: how often to see whether some are stuck. */
const fullPollMs = 250

type DispatchCall = Needs<
  | 'audit'
  | 'clock'
  | 'db'
  | 'deliveryQueue'
  | 'httpOut'
  | 'jobs'
  | 'keyring'
  | 'log'
  | 'metrics'
  | 'newId'
  | 'reader'
  | 'traces'
  | 'version'
>

const stepsOf = (call: DispatchCall, send: SendOptions, changed: () => void): AttemptSteps<Made> => {
  const recorder = createRecorder(call)
  return {
    make: (claim) => attemptDelivery(call, { claim, options: send }),
    record: (made) => recorder.record(made),
    outcomeOf: (made) => (made.kind === 'made' ? made.result.outcome : undefined),
    failed: (claim, error) => {
      if (send.signal.aborted) return
      call.log.error({ err: error, ...namesOf(claim) }, 'an attempt failed on our side; its claim will run out')
    },
    changed,
  }
}

const attemptsOf = (
  call: DispatchCall,
  { concurrency, perEndpoint, mostPerEndpoint, timeoutMs, random }: Required<DispatcherOptions>,
  signal: AbortSignal,
  changed: () => void,
): Attempts => {
  const send = { keys: createKeyCache(), bodyOf: createBodyCache(call), timeoutMs, random, signal }
  const widths = createWidths({ least: perEndpoint, most: mostPerEndpoint, spare: Math.floor(concurrency / 2) })
  return createAttempts<Made>(widths, { clock: call.clock, steps: stepsOf(call, send, changed) })
}

/** Milliseconds until the next delivery is due, at most one poll: so that a retry is on time without polling often. */
const untilDue = async ({ reader, clock }: DispatchCall, isFull: boolean, pollMs: number): Promise<number> => {
  const next = await nextDueAcrossOrgs(reader).catch(() => null)
  const ms = next === null ? pollMs : next - clock.now()
  // What is due already waits for a free place, whose end wakes us.
  const most = isFull ? Math.min(fullPollMs, pollMs) : pollMs
  return ms > 0 ? Math.min(ms, most) : most
}

/** Claims what is due and begins its attempts, a bounded number at a time, until `stopping` aborts. */
const createSending = (
  call: DispatchCall,
  options: Required<DispatcherOptions>,
  { stopping, aborted }: Record<'stopping' | 'aborted', AbortSignal>,
) => {
  const { concurrency, timeoutMs, leaseMarginMs, pollMs } = options
  const nextOwner = () => call.newId('dsp')
  const waiter = createWaiter(call.clock)
  const candidates = createCandidates(call)
  const attempts = attemptsOf(call, options, aborted, () => waiter.wake())
  /** Something may have become due that no look at the queue has seen. */
  let fresh = true

  /** Fills the free places; returns how many attempts began. */
  const fill = async (look = fresh): Promise<number> => {
    const free = Math.min(concurrency - attempts.posting, stuckFactor * concurrency - attempts.size)
    if (free <= 0 || stopping.aborted) return 0
    const { busy, shareOf } = attempts
    const limits = { free, shareOf, busy, nextOwner, leaseMs: timeoutMs + leaseMarginMs }
    fresh = false
    const claims = await claimDue(call, { candidates, limits, fresh: look })
    for (const claim of claims) attempts.begin(claim)
    return claims.length
  }

  const pause = async (): Promise<void> => {
    const wait = await untilDue(call, attempts.posting >= concurrency, pollMs)
    const until = call.clock.now() + wait
    await waiter.wait(wait, stopping)
    if (call.clock.now() >= until) fresh = true
  }

  const work = async (): Promise<void> => {
    while (!stopping.aborted) {
      // Places become free one by one, and a claim costs the same for one as for many.
      if (attempts.posting > 0) await gather(() => concurrency - attempts.posting)
      const began = await fill().catch((error: unknown) => {
        call.log.error({ err: error }, 'deliveries could not be claimed')
        return 0
      })
      if (began === 0 || attempts.posting >= concurrency) await pause()
    }
  }

  return {
    /** Something has become due: looked for now instead of at the next poll. */
    wake: (): void => {
      fresh = true
      waiter.wake()
    },
    work,
    async drain(): Promise<void> {
      for (let next = attempts.next(); (await fill(true)) > 0 || attempts.size > 0; next = attempts.next()) await next
    },
    async idle(): Promise<void> {
      while (attempts.size > 0) await attempts.next()
    },
  }
}

/**
 * Sends queued deliveries. Any number of processes may run one: each delivery is claimed under a lease in a short
 * transaction, sent with no transaction open, and recorded in another.
 */
export const createDispatcher = (call: DispatchCall, given: DispatcherOptions = {}): Dispatcher => {
  const stopping = new AbortController()
  const aborting = new AbortController()
  const signals = { stopping: stopping.signal, aborted: aborting.signal }
  const sending = createSending(call, { ...defaults, ...given }, signals)
  let loop: Promise<void> | undefined
  return {
    start() {
      if (loop) return
      const ends = [eventsChannel, deliveriesChannel].map((channel) => call.db.listen(channel, sending.wake))
      loop = sending.work().finally(() => {
        for (const end of ends) end()
      })
    },
    processAll: () => sending.drain(),
    async stop(signal) {
      stopping.abort()
      const abort = () => aborting.abort(signal?.reason)
      if (signal?.aborted) abort()
      signal?.addEventListener('abort', abort, { once: true })
      await loop
      await sending.idle()
      signal?.removeEventListener('abort', abort)
    },
  }
}
