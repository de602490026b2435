import { join } from 'node:path'
import { maxEventsPerBatch } from '@integrity/protocol'
import type * as z from 'zod'
import { type Clock, systemClock } from '../../shared/clock.ts'
import { isDiskFull, privateDir } from '../../shared/durable-file.ts'
import type { CapturedItem } from '../capture/types.ts'
import { CaptureChain } from './capture-chain.ts'
import { ItemClaims, type QueueEnd } from './item-claims.ts'
import { ItemFiles, sealItem } from './item-files.ts'
import { ItemHeaders } from './item-headers.ts'
import { lossEvent } from './item-losses.ts'
import { LifeSigns } from './life-signs.ts'
import { type ItemSpan, recover, spansByLane, unsentOf } from './recovery.ts'
import { openEvent, sealEvent } from './sealed-events.ts'
import { SealedRecord } from './sealed-record.ts'
import type { SpoolOptions } from './spool.types.ts'
import { type Db, openDatabase } from './spool-database.ts'
import { SpoolIndex } from './spool-index.ts'
import { SpoolRoom } from './spool-room.ts'
import { TranscriptQueue } from './transcript-queue.ts'
import {
  type EventInput,
  type ItemHeader,
  ItemLost,
  type LossReason,
  type QueuedEvent,
  type QueuedItem,
  type Remaining,
  SpoolFull,
  type SpoolReport,
} from './types.ts'

/** What a header and its seal add at the most, beside what the lane described. */
const headerAllowance = 1024
const defaultMaxTranscriptBytes = 64 * 1024 ** 2

/**
 * The durable queue between capture and upload. What `put` or `putEvents` has resolved survives SIGKILL and power loss
 * and leaves only by an acknowledgement, a refusal of the server, or a thinning or loss that is itself recorded as an event.
 * One process at a time; claims (`next…`) live in memory and are free again after a restart.
 */
export class Spool {
  readonly transcript: TranscriptQueue
  readonly signs: LifeSigns
  readonly chain: CaptureChain
  /** For whoever takes several items at once. Give them back as those of `nextItem`. */
  readonly claims: ItemClaims
  readonly #options: SpoolOptions
  readonly #key: Buffer
  readonly #files: ItemFiles
  readonly #index: SpoolIndex
  readonly #clock: Clock
  readonly #headers: ItemHeaders
  readonly #writing = new Set<Promise<unknown>>()
  readonly #room: SpoolRoom
  #closed = false

  private constructor(options: SpoolOptions, key: Buffer, files: ItemFiles, index: SpoolIndex, db: Db) {
    const wallMs = (): number => this.#clock.wallMs()
    const { onReport, maxBytes, maxEventBytes, maxTranscriptBytes = defaultMaxTranscriptBytes } = options
    this.transcript = new TranscriptQueue({ db, key, wallMs, maxBytes: maxTranscriptBytes, onReport })
    this.#options = options
    this.#key = key
    this.#files = files
    this.#index = index
    this.#clock = options.clock ?? systemClock
    this.signs = new LifeSigns(index, this.#clock)
    this.chain = new CaptureChain(index, key)
    this.#headers = new ItemHeaders(this.chain, index.nextSequences())
    this.claims = new ItemClaims(index, wallMs)
    this.#room = new SpoolRoom({ index, maxBytes, maxEventBytes })
  }

  /** Opens the folder, making it if need be, and repairs what a kill left. Throws `SpoolInUse`. */
  static async open(options: SpoolOptions): Promise<Spool> {
    await privateDir(options.dir)
    const key = await options.keyStore.getOrCreate()
    const clock = options.clock ?? systemClock
    const opened = await openDatabase(options.dir, key, clock.wallMs())
    const index = new SpoolIndex(opened.db)
    try {
      const files = await ItemFiles.open(join(options.dir, 'items'), key)
      const recovery = await recover(index, files)
      const spool = new Spool(options, key, files, index, opened.db)
      if (opened.setAside) spool.#report({ kind: 'database_set_aside', ...opened.setAside })
      for (const report of recovery.reports) spool.#report(report)
      spool.#dropLost(recovery.lost, 'file_missing')
      return spool
    } catch (error) {
      index.close()
      throw error
    }
  }

  /** A sealed document beside the index, such as the session. */
  record<T>(name: string, schema: z.ZodType<T>): SealedRecord<T> {
    return new SealedRecord(join(this.#options.dir, `${name}.sealed`), this.#key, schema)
  }

  /** Sealed bytes taken in since this process started; the uploader derives the inflow from it. */
  get storedBytes(): number {
    return this.#room.storedBytes
  }

  /**
   * Resolves with the item's identity once bytes and row are durable: from then on it counts as captured.
   * Throws `SpoolFull` when there is no room and nothing left to thin.
   */
  async put(input: CapturedItem): Promise<ItemHeader> {
    if (this.#closed) throw new Error('the spool is closed')
    const work = this.#put(input)
    this.#writing.add(work)
    return work.finally(() => this.#writing.delete(work))
  }

  async #put(input: CapturedItem): Promise<ItemHeader> {
    const { bytes, small, levels, ...described } = input
    const besides = 2 * ((small?.length ?? 0) + (levels?.length ?? 0))
    // Up to the reservation nothing awaits, so that two puts never count on the same room.
    const size = bytes.length + besides + JSON.stringify(described).length + headerAllowance
    const thinning = this.#thin(this.#room.stillsInTheWay(size, (clientId) => this.claims.has(clientId)))
    const header = this.#headers.next(input)
    const sealed = sealItem(this.#key, header, bytes)
    const release = this.#room.reserve(sealed.length)
    try {
      await thinning
      await this.#files.write(header.clientId, sealed)
      this.#index.addItem(header, sealed.length)
      this.#room.itemAdded(sealed.length)
    } catch (error) {
      await this.#files.remove([header.clientId]).catch(() => undefined)
      this.chain.takeBack(header)
      if (isDiskFull(error)) throw new SpoolFull('the disk is full', { cause: error })
      throw error
    } finally {
      release()
    }
    this.#options.onStored?.(header)
    return header
  }

  /** Durable when it returns, with the account. Gives the ids in order. Throws `SpoolFull` when the events' room is used up. */
  putEvents(events: readonly EventInput[], account?: string): string[] {
    const sealed = events.map((event) => sealEvent(this.#key, event))
    const size = sealed.reduce((sum, event) => sum + event.body.length, 0)
    this.#room.addEvents(size, () => this.#index.addEvents(sealed, account))
    return sealed.map((event) => event.clientId)
  }

  /** Claims the oldest due item nobody has claimed, or the newest. Give it back with `ack`, `fail`, `release` or `refuse`. */
  nextItem(first: QueueEnd = 'oldest'): QueuedItem | undefined {
    const [item] = this.claims.dueItems(first, 1)
    if (item) this.claims.claim([item.clientId])
    return item
  }

  /** Claims up to `limit` due events, oldest first. */
  nextEvents(limit: number = maxEventsPerBatch): QueuedEvent[] {
    const rows = this.claims.dueEvents(Math.min(limit, maxEventsPerBatch))
    this.claims.claim(rows.map((row) => row.client_id))
    return rows.map((row) => openEvent(this.#key, row))
  }

  /** Reads a claimed item. When its file is gone or unreadable, the loss is recorded and `ItemLost` thrown. */
  async read(item: QueuedItem): Promise<{ header: ItemHeader; bytes: Buffer }> {
    try {
      return await this.#files.read(item.clientId)
    } catch (error) {
      if (!(error instanceof ItemLost)) throw error
      this.#report({ kind: 'lost', lane: item.lane, items: 1, reason: error.reason })
      if (error.reason === 'file_unreadable') {
        this.#report({ kind: 'unreadable_file', path: await this.#files.setAside(item.clientId) })
      }
      this.#dropLost(spansByLane([item]), error.reason)
      throw error
    }
  }

  /** The server has them: the files and the rows go. */
  async ack(...clientIds: readonly string[]): Promise<void> {
    this.#index.setItemState(clientIds, 'acked')
    await this.#removeDropped(clientIds)
  }

  ackEvents(clientIds: readonly string[]): void {
    this.#index.forgetEvents(clientIds)
    this.#freed(clientIds)
  }

  /** Back into the queue as it was. */
  release(clientIds: readonly string[]): void {
    this.claims.release(clientIds)
  }

  /** Back into the queue, counted as a failed attempt, not before that time (epoch milliseconds). */
  fail(what: 'items' | 'events', clientIds: readonly string[], notBefore: number): void {
    this.#index.postpone(what, clientIds, notBefore)
    this.release(clientIds)
  }

  /**
   * The server will never take it. The row stays with the reason; the bytes go too when `shred` is set (consent was
   * declined or the session erased, so nothing of it may stay here either).
   */
  async refuse(item: QueuedItem, reason: string, shred: boolean): Promise<void> {
    this.#index.setItemState([item.clientId], 'refused', reason, shred)
    this.#report({ kind: 'refused', clientId: item.clientId, lane: item.lane, reason })
    if (shred) await this.#files.remove([item.clientId])
    this.release([item.clientId])
    this.#room.recount()
  }

  refuseEvents(clientIds: readonly string[], reason: string): void {
    this.#index.refuseEvents(clientIds, reason)
    for (const clientId of clientIds) this.#report({ kind: 'refused', clientId, lane: 'signals', reason })
    this.release(clientIds)
  }

  setUploadId(clientId: string, uploadId: string | undefined): void {
    this.#index.setUploadId(clientId, uploadId)
  }

  remaining(): Remaining {
    return this.#index.remaining()
  }

  refusals(): { clientId: string; what: string; reason: string }[] {
    return this.#index.refusals()
  }

  /** When something will next be due: epoch milliseconds. Claimed rows count as what they were. */
  nextDue(): number | undefined {
    return this.#index.nextDue()
  }

  /** Forgets the session that was: only for a spool with nothing left to send. */
  async reset(): Promise<void> {
    const { items, events, segments } = this.remaining()
    if (items + events + segments > 0)
      throw new Error(`${items} items and ${events + segments} events of the earlier session are still to be sent`)
    await this.discard()
  }

  /** Deletes everything of the session from this disk, sent or not. The lanes have stopped. */
  async discard(): Promise<void> {
    await Promise.allSettled(this.#writing)
    this.#index.discard()
    await this.#files.remove([...(await this.#files.list())])
    this.#headers.reset()
    this.#room.recount()
  }

  /** Waits for writes under way. */
  async close(): Promise<void> {
    this.#closed = true
    await Promise.allSettled(this.#writing)
    this.#index.close()
  }

  /** Decides and records at once; the promise is the removal of the thinned files. */
  #thin(stills: readonly QueuedItem[]): Promise<void> {
    if (stills.length === 0) return Promise.resolve()
    const spans = spansByLane(stills)
    const dropped = spans.flatMap((span) => span.clientIds)
    const events = spans.map((span) => sealEvent(this.#key, lossEvent('spool.thinned', unsentOf(span), this.#clock)))
    this.#index.dropItems(dropped, events)
    this.#room.recount()
    for (const span of spans) this.#report({ kind: 'thinned', lane: span.lane, items: span.clientIds.length })
    return this.#removeDropped(dropped)
  }

  #dropLost(spans: readonly ItemSpan[], reason: LossReason): void {
    if (spans.length === 0) return
    const lost = spans.flatMap((span) => span.clientIds)
    const events = spans.map((span) =>
      sealEvent(this.#key, lossEvent('spool.lost', { ...unsentOf(span), reason }, this.#clock)),
    )
    this.#index.dropItems(lost, events)
    this.#index.forgetItems(lost)
    this.#freed(lost)
  }

  async #removeDropped(clientIds: readonly string[]): Promise<void> {
    await this.#files.remove(clientIds)
    this.#index.forgetItems(clientIds)
    this.#freed(clientIds)
  }

  #freed(clientIds: readonly string[]): void {
    this.release(clientIds)
    this.#room.recount()
  }

  #report(report: SpoolReport): void {
    this.#options.onReport?.(report)
  }
}
