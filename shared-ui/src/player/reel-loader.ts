import type { ItemStore, KeptItem } from './item-store.ts'
import type { ReelItem, ReelSize, ReelSpan } from './reel.ts'
import type { Item, Track } from './timeline.ts'

/** How reels come to the player; it fetches nothing itself. */
export interface ReelPorts {
  /** Hands on items as they arrive, and answers where the next reel begins. Throws, and stops where the signal is aborted. */
  readonly load: (span: ReelSpan, onItem: (item: ReelItem) => void, signal: AbortSignal) => Promise<number | null>
  /** The bytes of an item that no reel has room for. */
  readonly loadItem: (id: string, signal: AbortSignal) => Promise<Uint8Array<ArrayBuffer>>
  readonly now: () => number
}

export interface ReelLoaderOptions {
  readonly track: Pick<Track, 'source' | 'items' | 'kind'>
  readonly size: ReelSize
  readonly ports: ReelPorts
  readonly store: ItemStore
  readonly keep: (item: ReelItem) => Promise<void>
  /** Something has arrived, ended or failed. */
  readonly onChange: () => void
}

interface Flight {
  readonly fromMs: number
  readonly toMs: number
  readonly stop: AbortController
}

const minuteMs = 60_000
/** How long is waited after a failure, by how often it has failed in a row. */
const pauses = [1000, 2000, 5000, 10_000, 30_000]

/**
 * What the service is making is asked for again after so long, later each ten times, and not for ever: five minutes, in which what
 * was not taken on because others waited is asked for often enough.
 */
const makingMs = 3000
const asksOfAPause = 10
const mostAsks = 40

const nothing = new Uint8Array(0)

/** Whether an item has been asked for in vain: neither it nor an answer about it came. */
const unreadable = (id: string, contentType: string): KeptItem => ({
  id,
  contentType,
  bytes: nothing,
  finding: 'unsigned',
  absent: 'unreadable',
})

/** Items that are being checked while others arrive; a failure is told at the end. */
class Keeping {
  readonly #all: Promise<void>[] = []

  push(one: Promise<void>): void {
    one.catch(() => undefined)
    this.#all.push(one)
  }

  async all(): Promise<void> {
    await Promise.all(this.#all)
  }
}

/** Loads what is wanted of one source, a reel at a time. What is wanted now stops what was wanted before. */
export class ReelLoader {
  readonly #options: ReelLoaderOptions
  readonly #spanMs: number
  #flight: Flight | undefined
  #failures = 0
  #retryAt = Number.NEGATIVE_INFINITY
  /** Items that the service is making: when to ask for them again, and how often that was said. */
  readonly #making = new Map<string, { readonly at: number; readonly asks: number }>()
  /** Why it cannot go on at the moment. */
  problem: unknown

  constructor(options: ReelLoaderOptions) {
    this.#options = options
    const { track, size } = options
    this.#spanMs = size === 'full' && track.kind === 'pictures' ? minuteMs : 10 * minuteMs
  }

  get loading(): boolean {
    return this.#flight !== undefined
  }

  /** In the order in which they are needed. Without `mayBegin`, what is on its way for elsewhere is stopped and nothing else asked for. */
  want(items: readonly Item[], mayBegin = true): void {
    const { store, ports } = this.#options
    const now = ports.now()
    const first = items.find(({ id }) => !store.has(id) && (this.#making.get(id)?.at ?? now) <= now)
    if (!first) return
    const flight = this.#flight
    if (flight) {
      if (first.atMs >= flight.fromMs && first.atMs < flight.toMs) return
      flight.stop.abort()
      this.#flight = undefined
    }
    if (!mayBegin || now < this.#retryAt) return
    void this.#load(first)
  }

  /** Does not wait any longer after a failure. */
  retry(): void {
    this.#retryAt = Number.NEGATIVE_INFINITY
  }

  stop(): void {
    this.#flight?.stop.abort()
    this.#flight = undefined
  }

  /** Whether what comes before it is there: it goes on. Otherwise somebody has gone there and waits for it. */
  #goesOn(first: Item): boolean {
    const { track, store } = this.#options
    const before = track.items[track.items.indexOf(first) - 1]
    return before !== undefined && store.has(before.id)
  }

  /** Up to what is there already, or as far as a reel goes. Where somebody has just gone, a minute comes first, so that it is there soon. */
  #endOf(first: Item): number {
    const { track, store, size } = this.#options
    const limit = first.atMs + (size === 'full' && !this.#goesOn(first) ? minuteMs : this.#spanMs)
    for (const { atMs, id } of track.items) if (atMs > first.atMs && atMs < limit && store.has(id)) return atMs
    return limit
  }

  async #load(first: Item): Promise<void> {
    const { ports, track, size, onChange } = this.#options
    const flight: Flight = { fromMs: first.atMs, toMs: this.#endOf(first), stop: new AbortController() }
    const { signal } = flight.stop
    this.#flight = flight
    const span = { source: track.source, size, fromMs: flight.fromMs, toMs: flight.toMs }
    const kept = new Keeping()
    try {
      const next = await ports.load(span, (item) => kept.push(this.#keep(item, signal)), signal)
      await kept.all()
      if (signal.aborted) return
      this.#settle(span.fromMs, next === null ? span.toMs : Math.max(Math.min(next, span.toMs), span.fromMs + 1))
      this.problem = undefined
      this.#failures = 0
    } catch (error) {
      if (signal.aborted) return
      this.problem = error
      this.#retryAt = ports.now() + (pauses[Math.min(this.#failures, pauses.length - 1)] ?? 0)
      this.#failures += 1
    } finally {
      if (this.#flight === flight) this.#flight = undefined
      if (!signal.aborted) onChange()
    }
  }

  async #keep(item: ReelItem, signal: AbortSignal): Promise<void> {
    const { keep, ports, size, onChange } = this.#options
    if (item.absent === 'being_made' && this.#isAskedAgain(item.id)) return
    const isAlone = size === 'full' && item.absent === 'too_large'
    await keep(isAlone ? { ...item, absent: undefined, bytes: await ports.loadItem(item.id, signal) } : item)
    if (!signal.aborted) onChange()
  }

  #isAskedAgain(id: string): boolean {
    const asks = (this.#making.get(id)?.asks ?? 0) + 1
    if (asks > mostAsks) return false
    const pauseMs = makingMs * Math.ceil(asks / asksOfAPause)
    this.#making.set(id, { at: this.#options.ports.now() + pauseMs, asks })
    return true
  }

  /** What the index names and the reel did not have is not asked for again. */
  #settle(fromMs: number, toMs: number): void {
    const { track, store } = this.#options
    for (const { id, atMs, contentType } of track.items)
      if (atMs >= fromMs && atMs < toMs && !store.has(id) && !this.#making.has(id))
        store.put(unreadable(id, contentType), () => false)
  }
}
