import type { CallOptions } from '@integrity/client/calls'
import type { Client } from '@integrity/client/every-endpoint'
import { isTooLarge, isWithoutPacks, itemRefusal } from '@integrity/client/pack-refusals'
import { packLimits } from '@integrity/protocol'
import type { Clock } from '../../shared/clock.ts'
import type { QueueEnd } from '../spool/item-claims.ts'
import type { Spool } from '../spool/spool.ts'
import { type ItemHeader, ItemLost, type QueuedItem } from '../spool/types.ts'
import { type Failure, readFailure } from './answers.ts'
import { uploadItem } from './item-upload.ts'
import { hasLength } from './item-words.ts'
import { PackChoice } from './pack-choice.ts'
import { type PackOutcome, uploadPack } from './pack-upload.ts'

/** Items are sent from both ends at once. */
export const ends = ['oldest', 'newest'] as const

/** What the uploader lends, among it what a failure means for everything else. */
export interface ItemSendingOptions {
  readonly spool: Spool
  readonly client: Client
  readonly sessionId: string
  readonly clock: Clock
  /** How long to wait for an answer. */
  readonly how: Pick<CallOptions, 'signal' | 'timeoutMs'>
  readonly measured: <T>(bytes: number, request: Promise<T>) => Promise<T>
  readonly answered: () => void
  readonly note: (error: unknown) => Failure
  readonly retryAt: (waitMs: number, attempts: number) => number
  /** Nothing may be sent now, whatever waits. */
  readonly isHeld: () => boolean
  /** The service has these. */
  readonly onSent: (items: readonly QueuedItem[]) => void
}

interface ReadItem {
  readonly item: QueuedItem
  readonly header: ItemHeader
  readonly bytes: Buffer
}

const idsOf = (items: readonly { readonly item: QueuedItem }[]): string[] => items.map(({ item }) => item.clientId)

/** Sends items, many in a request where the service takes that. Each leaves the spool by its own answer alone. */
export class ItemSending {
  readonly #options: ItemSendingOptions
  readonly #choice: PackChoice
  readonly #sendingFrom = new Set<QueueEnd>()

  constructor(options: ItemSendingOptions) {
    this.#options = options
    this.#choice = new PackChoice(options.clock)
  }

  /** What waits, and what comes within this time, waits for no company. */
  atOnceFor(ms: number): void {
    this.#choice.atOnce(this.#options.clock.monotonicMs() + ms)
  }

  /** What is captured now never waits for hours that are left over: one slot sends what is old, the other what is new. */
  claim(): (() => Promise<void>) | undefined {
    const { claims } = this.#options.spool
    const end = ends.find((one) => !this.#sendingFrom.has(one))
    const choice = end && this.#choice.choose(claims.dueItems(end, packLimits.items))
    if (!choice) return undefined
    claims.claim(choice.items.map(({ clientId }) => clientId))
    this.#sendingFrom.add(end)
    const work = async (): Promise<void> => {
      if (choice.kind === 'alone') await this.#sendAlone(choice.items[0])
      else await this.#sendPack(choice.items)
    }
    return () => work().finally(() => this.#sendingFrom.delete(end))
  }

  async #sendPack(items: readonly QueuedItem[]): Promise<void> {
    const read: ReadItem[] = []
    for (const item of items) {
      const opened = await this.#read(item)
      if (opened) read.push(opened)
    }
    const fitting = read.filter(({ header }) => hasLength(header))
    if (fitting.length > 0) await this.#sendTogether(fitting)
    await this.#sendEach(read.filter(({ header }) => !hasLength(header)))
  }

  async #read(item: QueuedItem): Promise<ReadItem | undefined> {
    try {
      return { item, ...(await this.#options.spool.read(item)) }
    } catch (error) {
      if (!(error instanceof ItemLost)) await this.#failed(item, this.#options.note(error))
      return undefined
    }
  }

  async #sendTogether(items: readonly ReadItem[]): Promise<void> {
    try {
      const outcomes = await uploadPack({ ...this.#options, items })
      this.#choice.answered()
      await this.#settle(items, outcomes)
    } catch (error) {
      await this.#failedPack(items, error)
    }
  }

  async #settle(items: readonly ReadItem[], outcomes: readonly PackOutcome[]): Promise<void> {
    const answers = items.map(({ item }, n) => ({ item, outcome: outcomes[n]! }))
    const taken = answers.filter(({ outcome }) => outcome.status !== 'refused')
    if (taken.length > 0) await this.#taken(taken.map(({ item }) => item))
    // Several items that are refused for one reason are one piece of news.
    const told = new Set<string>()
    for (const { item, outcome } of answers.filter((answer) => answer.outcome.status === 'refused')) {
      const refusal = itemRefusal(outcome)
      const failure = told.has(refusal.code) ? readFailure(refusal) : this.#options.note(refusal)
      told.add(refusal.code)
      await this.#failed(item, failure)
    }
  }

  async #failedPack(items: readonly ReadItem[], error: unknown): Promise<void> {
    const { spool, note, retryAt } = this.#options
    if (isWithoutPacks(error)) {
      this.#choice.withoutPacks()
      return spool.release(idsOf(items))
    }
    if (isTooLarge(error) && items.length > 1) {
      this.#choice.refusedAsTooLarge()
      return spool.release(idsOf(items))
    }
    const failure = note(error)
    // What is refused as a whole says nothing of any item.
    if (failure.kind === 'refuse') return this.#sendEach(items)
    if (failure.kind === 'retry') {
      const attempts = Math.max(...items.map(({ item }) => item.attempts))
      return spool.fail('items', idsOf(items), retryAt(failure.waitMs, attempts))
    }
    this.#choice.failed(failure.kind === 'outage')
    spool.release(idsOf(items))
  }

  /** One after the other; what may not be sent any more by then goes back. */
  async #sendEach(items: readonly ReadItem[]): Promise<void> {
    for (const { item } of items) {
      if (this.#options.isHeld()) this.#options.spool.release([item.clientId])
      else await this.#sendAlone(item)
    }
  }

  async #sendAlone(item: QueuedItem): Promise<void> {
    const { spool } = this.#options
    try {
      const { header, bytes } = await spool.read(item)
      await uploadItem({
        ...this.#options,
        header,
        bytes,
        uploadId: item.uploadId,
        attempts: item.attempts,
        keepUploadId: (uploadId) => spool.setUploadId(item.clientId, uploadId),
      })
      await this.#taken([item])
    } catch (error) {
      if (!(error instanceof ItemLost)) await this.#failed(item, this.#options.note(error))
    }
  }

  async #taken(items: readonly QueuedItem[]): Promise<void> {
    const { spool, onSent, answered } = this.#options
    await spool.ack(...items.map(({ clientId }) => clientId))
    onSent(items)
    answered()
  }

  async #failed(item: QueuedItem, failure: Failure): Promise<void> {
    const { spool, retryAt } = this.#options
    if (failure.kind === 'retry') return spool.fail('items', [item.clientId], retryAt(failure.waitMs, item.attempts))
    if (failure.kind === 'refuse') return spool.refuse(item, failure.reason, failure.shred)
    spool.release([item.clientId])
    this.#choice.failed(false)
  }
}
