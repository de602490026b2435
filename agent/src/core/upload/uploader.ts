import { backoffMs } from '@integrity/client/backoff'
import { IntegrityError } from '@integrity/client/errors'
import type { Client } from '@integrity/client/every-endpoint'
import { isAboutRecording, maxEventsPerBatch } from '@integrity/protocol'
import type { Clock } from '../../shared/clock.ts'
import type { Spool } from '../spool/spool.ts'
import { type ItemKind, ItemLost, type QueuedEvent, type QueuedItem, type Remaining } from '../spool/types.ts'
import { describeError, eventsAtFault, type Failure, readFailure } from './answers.ts'
import { BandwidthMeter, QualityGovernor, type QualityLevel } from './bandwidth.ts'
import { uploadItem } from './item-upload.ts'
import { TranscriptUpload } from './transcript-upload.ts'

export interface UploaderOptions {
  readonly spool: Spool
  readonly client: Client
  readonly sessionId: string
  readonly clock: Clock
  readonly random?: () => number
  /** Asks the capture side for another still quality; called on each change. */
  readonly onQuality?: (level: QualityLevel) => void
  /** There is nothing where the service was asked to put something (404, 410): perhaps not even the session. */
  readonly onGone?: () => void
  /** The credential is not accepted any more. Nothing further is sent. */
  readonly onUnauthorized?: () => void
  /** For the log: why something is tried again. */
  readonly onTrouble?: (trouble: string) => void
}

export interface UploaderStatus {
  readonly state: 'idle' | 'sending' | 'waiting' | 'offline' | 'unauthorized' | 'stopped'
  readonly sentItems: number
  readonly sentEvents: number
  readonly sentBytes: number
  readonly sentByKind: Readonly<Partial<Record<ItemKind, number>>>
  readonly bytesPerSecond: number | undefined
  readonly quality: QualityLevel
  readonly remaining: Remaining
}

/** At most so many requests at once; one of them is kept free for events and words. */
const parallel = 3
/** Never at once: requests that fail together count as one failure. */
const leastWaitMs = 100
const retry = { baseMs: 1000, capMs: 60_000, leastMs: leastWaitMs }
/** After an outage longer than this, agents come back spread over `resumeSpreadMs`, not all in the same second. */
const longOutageMs = 10_000
const resumeSpreadMs = 15_000
/** So many server errors in a row are an outage, whatever the items are. */
const serverErrorsAreOutage = 3
const qualityEveryMs = 10_000
const longestSleepMs = 1000
/** Beside the time that its bytes need. */
const answerTimeoutMs = 30_000

interface Outage {
  readonly since: number
  failures: number
}

/**
 * Sends what the spool holds: events first, then words, then items, oldest first. An item leaves the spool only when the server
 * has acknowledged it; an answer that got lost is harmless, as the server knows the clientId.
 */
export class Uploader {
  readonly #options: UploaderOptions
  readonly #random: () => number
  readonly #meter: BandwidthMeter
  readonly #governor = new QualityGovernor()
  readonly #transcript: TranscriptUpload
  readonly #stopping = new AbortController()
  readonly #how = { signal: this.#stopping.signal, timeoutMs: answerTimeoutMs }
  readonly #active = new Set<Promise<void>>()
  #wake = new AbortController()
  #loop: Promise<void> | undefined
  #sendingEvents = false
  #eventLimit: number = maxEventsPerBatch
  #holdUntil = 0
  #outage: Outage | undefined
  #serverErrors = 0
  #unauthorized = false
  #sent = { items: 0, events: 0, bytes: 0 }
  readonly #sentByKind = new Map<ItemKind, number>()
  #lastReading: { at: number; storedBytes: number }

  constructor(options: UploaderOptions) {
    this.#options = options
    this.#random = options.random ?? Math.random
    this.#meter = new BandwidthMeter(options.clock)
    this.#transcript = new TranscriptUpload({
      queue: options.spool.transcript,
      client: options.client,
      sessionId: options.sessionId,
      how: this.#how,
      answered: () => {
        this.#answered()
        this.#serverErrors = 0
      },
      note: (error) => this.#note(error),
      retryAt: (waitMs, attempts) => this.#retryAt(waitMs, attempts),
    })
    this.#lastReading = { at: options.clock.monotonicMs(), storedBytes: options.spool.storedBytes }
  }

  /** Sends in the background until `stop`. */
  start(): void {
    this.#loop ??= this.#run()
  }

  /** Something new is in the spool. */
  nudge(): void {
    this.#wake.abort()
  }

  /** Sends everything that is due now and resolves when nothing more is under way. */
  async processAll(): Promise<void> {
    this.#pump()
    while (this.#active.size > 0) await Promise.race(this.#active)
  }

  /** Cuts off what is under way; it stays in the spool. */
  async stop(): Promise<void> {
    this.#stopping.abort()
    this.#wake.abort()
    await this.#loop
    await Promise.allSettled(this.#active)
  }

  status(): UploaderStatus {
    return {
      state: this.#state(),
      sentItems: this.#sent.items,
      sentEvents: this.#sent.events,
      sentBytes: this.#sent.bytes,
      sentByKind: Object.fromEntries(this.#sentByKind),
      bytesPerSecond: this.#meter.bytesPerSecond,
      quality: this.#governor.level,
      remaining: this.#options.spool.remaining(),
    }
  }

  /** Reads the network and the inflow; the loop does so every ten seconds. */
  measureQuality(): void {
    const { clock, spool } = this.#options
    const now = clock.monotonicMs()
    const elapsedMs = now - this.#lastReading.at
    if (elapsedMs < qualityEveryMs) return
    const storedBytes = spool.storedBytes
    const before = this.#governor.level
    const level = this.#governor.read({
      elapsedMs,
      storedBytes: storedBytes - this.#lastReading.storedBytes,
      backlogBytes: spool.remaining().bytes,
      bytesPerSecond: this.#outage ? undefined : this.#meter.bytesPerSecond,
    })
    this.#lastReading = { at: now, storedBytes }
    this.#meter.settle()
    if (level !== before) this.#options.onQuality?.(level)
  }

  #state(): UploaderStatus['state'] {
    if (this.#unauthorized) return 'unauthorized'
    if (this.#stopping.signal.aborted) return 'stopped'
    if (this.#outage) return 'offline'
    if (this.#active.size > 0) return 'sending'
    return this.#options.clock.monotonicMs() < this.#holdUntil ? 'waiting' : 'idle'
  }

  async #run(): Promise<void> {
    const { clock, spool } = this.#options
    while (!this.#stopping.signal.aborted) {
      this.#wake = new AbortController()
      this.#pump()
      this.measureQuality()
      const held = this.#holdUntil - clock.monotonicMs()
      const due = (spool.nextDue() ?? Number.POSITIVE_INFINITY) - clock.wallMs()
      const wait = Math.min(longestSleepMs, Math.max(held, due, leastWaitMs))
      await clock.sleep(wait, this.#wake.signal)
    }
  }

  get #mayStart(): boolean {
    if (this.#unauthorized || this.#stopping.signal.aborted) return false
    if (this.#options.clock.monotonicMs() < this.#holdUntil) return false
    // While nobody answers, one request at a time finds out whether somebody does again.
    return this.#active.size < (this.#outage ? 1 : parallel)
  }

  /** Never throws: a spool that fails for a moment (the disk, a full table) is asked again. */
  #pump(): void {
    try {
      this.#startTasks()
    } catch (error) {
      this.#options.onTrouble?.(describeError(error))
      this.#hold(retry.baseMs)
    }
  }

  #startTasks(): void {
    while (this.#mayStart) {
      const task = this.#claimEvents() ?? this.#transcript.claim() ?? this.#claimItem()
      if (!task) return
      const work = task().finally(() => {
        this.#active.delete(work)
        this.#pump()
      })
      this.#active.add(work)
    }
  }

  #claimEvents(): (() => Promise<void>) | undefined {
    if (this.#sendingEvents) return undefined
    const events = this.#options.spool.nextEvents(this.#eventLimit)
    if (events.length === 0) return undefined
    this.#sendingEvents = true
    return async () => {
      try {
        await this.#sendEvents(events)
      } finally {
        this.#sendingEvents = false
      }
    }
  }

  #claimItem(): (() => Promise<void>) | undefined {
    const itemsUnderWay = this.#active.size - (this.#sendingEvents ? 1 : 0) - (this.#transcript.sending ? 1 : 0)
    if (itemsUnderWay >= parallel - 1) return undefined
    const item = this.#options.spool.nextItem()
    return item && (() => this.#sendItem(item))
  }

  async #sendEvents(events: readonly QueuedEvent[]): Promise<void> {
    const { spool, client, sessionId } = this.#options
    const ids = events.map((event) => event.clientId)
    try {
      const { data } = await client.call('agent.events.ingest', {
        params: { id: sessionId },
        body: { events: events.map(toWire) },
        ...this.#how,
      })
      spool.ackEvents(ids)
      this.#sent.events += ids.length
      this.#eventLimit = maxEventsPerBatch
      this.#answered()
      this.#serverErrors = 0
      if (data.health.backoffMs > 0) this.#hold(data.health.backoffMs * (1 + this.#random() * 0.25))
    } catch (error) {
      this.#failedEvents(events, ids, error)
    }
  }

  #failedEvents(events: readonly QueuedEvent[], ids: readonly string[], error: unknown): void {
    const { spool } = this.#options
    const failure = this.#note(error)
    if (failure.kind === 'retry') {
      const attempts = Math.max(...events.map((event) => event.attempts))
      spool.fail('events', ids, this.#retryAt(failure.waitMs, attempts))
    } else if (failure.kind === 'refuse') {
      const faulty = eventsAtFault(error).flatMap((index) => ids[index] ?? [])
      if (faulty.length > 0) spool.refuseEvents(faulty, failure.reason)
      else if (ids.length === 1 || failure.shred) spool.refuseEvents(refusable(events), failure.reason)
      // Somebody in the batch is at fault and it is not said who: halves find out.
      else this.#eventLimit = Math.ceil(ids.length / 2)
    }
    spool.release(ids)
  }

  async #sendItem(item: QueuedItem): Promise<void> {
    const { spool, client, sessionId } = this.#options
    try {
      const { header, bytes } = await spool.read(item)
      await uploadItem({
        client,
        sessionId,
        header,
        bytes,
        uploadId: item.uploadId,
        attempts: item.attempts,
        keepUploadId: (uploadId) => spool.setUploadId(item.clientId, uploadId),
        how: this.#how,
        measured: (size, request) => this.#meter.measure(size, request),
      })
      await spool.ack(item.clientId)
      this.#sent.items += 1
      this.#sentByKind.set(item.kind, (this.#sentByKind.get(item.kind) ?? 0) + 1)
      this.#sent.bytes += item.sizeBytes
      this.#answered()
      this.#serverErrors = 0
    } catch (error) {
      if (!(error instanceof ItemLost)) await this.#failedItem(item, error)
    }
  }

  async #failedItem(item: QueuedItem, error: unknown): Promise<void> {
    const { spool } = this.#options
    const failure = this.#note(error)
    if (failure.kind === 'retry') spool.fail('items', [item.clientId], this.#retryAt(failure.waitMs, item.attempts))
    else if (failure.kind === 'refuse') await spool.refuse(item, failure.reason, failure.shred)
    else spool.release([item.clientId])
  }

  /** What a failure means for everything else. */
  #note(error: unknown): Failure {
    // Our own stop looks like a lost connection; it is nobody's fault.
    if (this.#stopping.signal.aborted) return { kind: 'outage' }
    const failure = readFailure(error)
    if (failure.kind !== 'refuse') this.#options.onTrouble?.(describeError(error))
    if (failure.kind === 'outage') {
      this.#failedOutage()
      return failure
    }
    const serverError = failure.kind === 'retry' && failure.serverError
    this.#serverErrors = serverError ? this.#serverErrors + 1 : 0
    if (this.#serverErrors >= serverErrorsAreOutage) this.#failedOutage()
    else this.#answered()
    if (isGone(error)) this.#options.onGone?.()
    if (failure.kind === 'hold') this.#hold(failure.waitMs * (1 + this.#random() * 0.1))
    if (failure.kind === 'unauthorized' && !this.#unauthorized) {
      this.#unauthorized = true
      this.#options.onUnauthorized?.()
    }
    return failure
  }

  #failedOutage(): void {
    const now = this.#options.clock.monotonicMs()
    // Requests that were under way together fail together.
    if (this.#outage && now < this.#holdUntil) return
    this.#outage ??= { since: now, failures: 0 }
    this.#outage.failures += 1
    this.#hold(backoffMs(this.#outage.failures, { ...retry, random: this.#random }))
  }

  #answered(): void {
    const outage = this.#outage
    if (!outage) return
    this.#outage = undefined
    const lasted = this.#options.clock.monotonicMs() - outage.since
    if (lasted >= longOutageMs) this.#hold(this.#random() * resumeSpreadMs)
  }

  #hold(waitMs: number): void {
    this.#holdUntil = Math.max(this.#holdUntil, this.#options.clock.monotonicMs() + waitMs)
  }

  #retryAt(waitMs: number, attempts: number): number {
    return this.#options.clock.wallMs() + backoffMs(attempts + 1, { ...retry, random: this.#random, askedMs: waitMs })
  }
}

const isGone = (error: unknown): boolean =>
  error instanceof IntegrityError && error.code !== 'not_the_service' && (error.status === 404 || error.status === 410)

/** Events about the recording itself are taken whatever was agreed to, so a refusal is about the others in the batch. */
const refusable = (events: readonly QueuedEvent[]): string[] => {
  const others = events.filter((event) => !isAboutRecording(event.kind))
  return (others.length > 0 ? others : events).map((event) => event.clientId)
}

const toWire = (event: QueuedEvent) => ({
  clientId: event.clientId,
  kind: event.kind,
  observedAt: new Date(event.observedAt).toISOString(),
  monotonicMs: Math.max(0, event.monotonicMs),
  source: event.source,
  // Already JSON: it came out of the spool.
  data: event.data as Record<string, never>,
})
