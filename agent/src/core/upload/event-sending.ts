import type { CallOptions } from '@integrity/client/calls'
import type { Client } from '@integrity/client/every-endpoint'
import { maxEventsPerBatch } from '@integrity/protocol'
import type { Clock } from '../../shared/clock.ts'
import type { Spool } from '../spool/spool.ts'
import type { QueuedEvent } from '../spool/types.ts'
import { eventsAtFault, type Failure } from './answers.ts'
import { refusable, toWire } from './event-batch.ts'
import { EventChoice } from './event-choice.ts'

/** What the uploader lends, among it what a failure means for everything else. */
export interface EventSendingOptions {
  readonly spool: Spool
  readonly client: Client
  readonly sessionId: string
  readonly clock: Clock
  /** How long to wait for an answer. */
  readonly how: Pick<CallOptions, 'signal' | 'timeoutMs'>
  readonly isLinked: () => boolean
  readonly answered: () => void
  readonly note: (error: unknown) => Failure
  readonly retryAt: (waitMs: number, attempts: number) => number
  /** The service asks for so long a pause. */
  readonly onAskedToWait: (ms: number) => void
  /** The service has so many more. */
  readonly onSent: (events: number) => void
}

/** Sends events in their order, many in a request and one request at a time. The service knows an event by its clientId. */
export class EventSending {
  readonly #options: EventSendingOptions
  readonly #choice: EventChoice
  #limit: number = maxEventsPerBatch
  #sending = false

  constructor(options: EventSendingOptions) {
    this.#options = options
    this.#choice = new EventChoice(options)
  }

  /** What waits, and what comes within this time, waits for no company. */
  atOnceFor(ms: number): void {
    this.#choice.atOnce(this.#options.clock.monotonicMs() + ms)
  }

  /** Events of these kinds are in the spool. */
  stored(kinds: readonly string[]): void {
    this.#choice.stored(kinds)
  }

  /** Claims what is due; undefined when that is nothing or still gathers, or a batch is under way. */
  claim(): (() => Promise<void>) | undefined {
    const { spool } = this.#options
    if (this.#sending || !this.#choice.isReady(spool.claims.dueEvents(this.#limit), this.#limit)) return undefined
    const events = spool.nextEvents(this.#limit)
    this.#sending = true
    return () =>
      this.#send(events).finally(() => {
        this.#sending = false
      })
  }

  async #send(events: readonly QueuedEvent[]): Promise<void> {
    const { spool, client, sessionId, how, answered, onAskedToWait, onSent } = this.#options
    const ids = events.map((event) => event.clientId)
    try {
      const { data } = await client.call('agent.events.ingest', {
        params: { id: sessionId },
        body: { events: events.map(toWire) },
        ...how,
      })
      spool.ackEvents(ids)
      onSent(ids.length)
      this.#limit = maxEventsPerBatch
      answered()
      if (data.health.backoffMs > 0) onAskedToWait(data.health.backoffMs)
    } catch (error) {
      this.#failed(events, ids, error)
    }
  }

  #failed(events: readonly QueuedEvent[], ids: readonly string[], error: unknown): void {
    const { spool, note, retryAt } = this.#options
    const failure = note(error)
    if (failure.kind === 'retry') {
      const attempts = Math.max(...events.map((event) => event.attempts))
      spool.fail('events', ids, retryAt(failure.waitMs, attempts))
    } else if (failure.kind === 'refuse') {
      const faulty = eventsAtFault(error).flatMap((index) => ids[index] ?? [])
      if (faulty.length > 0) spool.refuseEvents(faulty, failure.reason)
      else if (ids.length === 1 || failure.shred) spool.refuseEvents(refusable(events), failure.reason)
      // Somebody in the batch is at fault and it is not said who: halves find out.
      else this.#limit = Math.ceil(ids.length / 2)
    }
    spool.release(ids)
    this.#choice.failed()
  }
}
