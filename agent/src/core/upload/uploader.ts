import { backoffMs } from '@integrity/client/backoff'
import { maxEventsPerBatch } from '@integrity/protocol'
import { type ItemKind, ItemLost, type QueuedEvent, type QueuedItem } from '../spool/types.ts'
import { describeError, eventsAtFault, type Failure, isGone, readFailure } from './answers.ts'
import { BandwidthMeter } from './bandwidth.ts'
import { refusable, toWire } from './event-batch.ts'
import { uploadItem } from './item-upload.ts'
import { QualityWatch } from './quality-watch.ts'
import { TranscriptUpload } from './transcript-upload.ts'
import type { UploaderOptions, UploaderStatus } from './uploader.types.ts'

/** Items are sent from both ends at once. */
const ends = ['oldest', 'newest'] as const
/** At most so many requests at once; one of them is kept free for events and words. */
const parallel = ends.length + 1
/** Never at once: requests that fail together count as one failure. */
const leastWaitMs = 100
const retry = { baseMs: 1000, capMs: 60_000, leastMs: leastWaitMs }
/** After an outage longer than this, agents come back spread over `resumeSpreadMs`, not all in the same second. */
const longOutageMs = 10_000
const resumeSpreadMs = 15_000
/** So many server errors in a row are an outage, whatever the items are. */
const serverErrorsAreOutage = 3
const longestSleepMs = 1000
/** Beside the time that its bytes need. */
const answerTimeoutMs = 30_000

/**
 * Sends what the spool holds: events first, then words, then items: the oldest and the newest side by side. An item leaves the spool only when the server
 * has acknowledged it; an answer that got lost is harmless, as the server knows the clientId.
 */
export class Uploader {
  readonly #options: UploaderOptions
  readonly #random: () => number
  readonly #meter: BandwidthMeter
  readonly #quality: QualityWatch
  readonly #transcript: TranscriptUpload
  readonly #stopping = new AbortController()
  readonly #how = { signal: this.#stopping.signal, timeoutMs: answerTimeoutMs }
  readonly #active = new Set<Promise<void>>()
  #wake = new AbortController()
  #loop: Promise<void> | undefined
  #sendingEvents = false
  readonly #sendingFrom = new Set<(typeof ends)[number]>()
  #eventLimit: number = maxEventsPerBatch
  #holdUntil = 0
  #outage: { readonly since: number; failures: number } | undefined
  #serverErrors = 0
  #unauthorized = false
  #sent = { items: 0, events: 0, bytes: 0 }
  readonly #sentByKind = new Map<ItemKind, number>()

  constructor(options: UploaderOptions) {
    this.#options = options
    this.#random = options.random ?? Math.random
    this.#meter = new BandwidthMeter(options.clock)
    this.#transcript = new TranscriptUpload({
      queue: options.spool.transcript,
      client: options.client,
      sessionId: options.sessionId,
      how: this.#how,
      answered: () => this.#taken(),
      note: (error) => this.#note(error),
      retryAt: (waitMs, attempts) => this.#retryAt(waitMs, attempts),
    })
    const { spool, clock, onQuality } = options
    this.#quality = new QualityWatch({ spool, clock, meter: this.#meter, onQuality })
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
      quality: this.#quality.level,
      remaining: this.#options.spool.remaining(),
    }
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
      this.#quality.look(this.#outage !== undefined)
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
    return () =>
      this.#sendEvents(events).finally(() => {
        this.#sendingEvents = false
      })
  }

  /** What is captured now never waits for hours that are left over: one place sends what is old, the other what is new. */
  #claimItem(): (() => Promise<void>) | undefined {
    const first = ends.find((end) => !this.#sendingFrom.has(end))
    const item = first && this.#options.spool.nextItem(first)
    if (!item) return undefined
    this.#sendingFrom.add(first)
    return () => this.#sendItem(item).finally(() => this.#sendingFrom.delete(first))
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
      this.#taken()
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
      this.#taken()
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

  #taken(): void {
    this.#answered()
    this.#serverErrors = 0
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
