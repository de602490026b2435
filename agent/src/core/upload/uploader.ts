import { backoffMs } from '@integrity/client/backoff'
import type { ItemKind, QueuedItem } from '../spool/types.ts'
import { describeError, type Failure, isGone, readFailure } from './answers.ts'
import { BandwidthMeter } from './bandwidth.ts'
import { EventSending } from './event-sending.ts'
import { ends, ItemSending } from './item-sending.ts'
import { QualityWatch } from './quality-watch.ts'
import { TranscriptUpload } from './transcript-upload.ts'
import type { UploaderOptions, UploaderStatus } from './uploader.types.ts'

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
 * Sends what the spool holds: events first, then words, then items: the oldest and the newest side by side, many in a
 * request. An item leaves the spool only when the server has acknowledged it; an answer that got lost is harmless, as the server
 * knows the clientId.
 */
export class Uploader {
  readonly #options: UploaderOptions
  readonly #random: () => number
  readonly #meter: BandwidthMeter
  readonly #quality: QualityWatch
  readonly #events: EventSending
  readonly #transcript: TranscriptUpload
  readonly #items: ItemSending
  readonly #stopping = new AbortController()
  readonly #how = { signal: this.#stopping.signal, timeoutMs: answerTimeoutMs }
  readonly #active = new Set<Promise<void>>()
  #wake = new AbortController()
  #loop: Promise<void> | undefined
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
    const { spool, clock, client, sessionId, onQuality, isLinked = () => true } = options
    const lent = {
      client,
      sessionId,
      how: this.#how,
      answered: () => this.#taken(),
      note: (error: unknown) => this.#note(error),
      retryAt: (waitMs: number, attempts: number) => this.#retryAt(waitMs, attempts),
    }
    this.#events = new EventSending({
      ...lent,
      spool,
      clock,
      isLinked,
      onAskedToWait: (ms) => this.#hold(ms * (1 + this.#random() * 0.25)),
      onSent: (events) => {
        this.#sent.events += events
      },
    })
    this.#transcript = new TranscriptUpload({ ...lent, queue: spool.transcript })
    this.#items = new ItemSending({
      ...lent,
      spool,
      clock,
      measured: (bytes, request) => this.#meter.measure(bytes, request),
      isHeld: () => this.#isHeld || this.#outage !== undefined,
      onSent: (items) => this.#count(items),
    })
    this.#quality = new QualityWatch({ spool, clock, meter: this.#meter, onQuality })
  }

  /** Sends in the background until `stop`. */
  start(): void {
    this.#loop ??= this.#run()
  }

  /** Something new is in the spool; of events, their kinds. */
  nudge(kinds: readonly string[] = []): void {
    this.#events.stored(kinds)
    this.#wake.abort()
  }

  /** What waits, and what comes within this time, is sent at once: somebody looks on, or the session is over. */
  atOnceFor(ms: number): void {
    this.#events.atOnceFor(ms)
    this.#items.atOnceFor(ms)
    this.nudge()
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
      // What is due and not under way waits for company, or for a slot.
      const wait = Math.min(longestSleepMs, Math.max(held, due > 0 ? due : longestSleepMs, leastWaitMs))
      await clock.sleep(wait, this.#wake.signal)
    }
  }

  get #isHeld(): boolean {
    if (this.#unauthorized || this.#stopping.signal.aborted) return true
    return this.#options.clock.monotonicMs() < this.#holdUntil
  }

  get #mayStart(): boolean {
    if (this.#isHeld) return false
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
      const task = this.#events.claim() ?? this.#transcript.claim() ?? this.#items.claim()
      if (!task) return
      const work = task().finally(() => {
        this.#active.delete(work)
        this.#pump()
        // It may be due again sooner than the loop looks.
        this.nudge()
      })
      this.#active.add(work)
    }
  }

  #count(items: readonly QueuedItem[]): void {
    this.#sent.items += items.length
    for (const { kind, sizeBytes } of items) {
      this.#sentByKind.set(kind, (this.#sentByKind.get(kind) ?? 0) + 1)
      this.#sent.bytes += sizeBytes
    }
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
