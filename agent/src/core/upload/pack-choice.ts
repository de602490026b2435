import { packLimits } from '@integrity/protocol'
import type { Clock } from '../../shared/clock.ts'
import type { QueuedItem } from '../spool/types.ts'

const KiB = 1024
/**
 * What has come together in so long, or is so much, goes in one request: 62 requests in 45 minutes. It is on the disk meanwhile, and goes at once
 * while somebody watches.
 */
const gatherMs = 41_000
const mostBytes = 2048 * KiB
/** On a network that breaks off, packs get smaller down to this: one that got through is behind us. */
const leastBytes = 64 * KiB
/** A service without packs is asked again after so long: it may have been renewed. */
const askAgainMs = 600_000
/** After so many failures an item goes alone, so that it holds up no other. */
const mostTries = 3

/** What to send next: items in one request, or one by its own endpoint. */
export type Choice =
  | { readonly kind: 'pack'; readonly items: readonly QueuedItem[] }
  | { readonly kind: 'alone'; readonly items: readonly [QueuedItem] }

/** Decides which items go together, and when. */
export class PackChoice {
  readonly #clock: Pick<Clock, 'monotonicMs'>
  /** Since when something waits; what is there at the beginning, or failed, has waited. */
  #since: number | undefined = Number.NEGATIVE_INFINITY
  #bytes = mostBytes
  /** What somebody on the way has not refused. */
  #ceiling = mostBytes
  #atOnceUntil = Number.NEGATIVE_INFINITY
  #aloneUntil = Number.NEGATIVE_INFINITY

  constructor(clock: Pick<Clock, 'monotonicMs'>) {
    this.#clock = clock
  }

  /** Nothing waits for company until then (by the monotonic clock). */
  atOnce(until: number): void {
    this.#atOnceUntil = Math.max(this.#atOnceUntil, until)
  }

  /** A pack was answered. */
  answered(): void {
    this.#bytes = Math.min(this.#ceiling, this.#bytes * 2)
  }

  /** What was sent comes back, and has waited. `tooLarge`: it did not get through at its size. */
  failed(tooLarge: boolean): void {
    this.#since = Number.NEGATIVE_INFINITY
    if (tooLarge) this.#bytes = Math.max(leastBytes, this.#bytes / 2)
  }

  /** Somebody on the way takes none of that size; where it takes none at all, it is as if there were no packs. */
  refusedAsTooLarge(): void {
    if (this.#bytes <= leastBytes) this.withoutPacks()
    else {
      this.failed(true)
      this.#ceiling = this.#bytes
    }
  }

  /** The service has no packs. */
  withoutPacks(): void {
    this.failed(false)
    this.#aloneUntil = this.#clock.monotonicMs() + askAgainMs
  }

  /** Of these, which are due, in their order; undefined while they wait for more. */
  choose(due: readonly QueuedItem[]): Choice | undefined {
    const [first] = due
    if (!first) return undefined
    const now = this.#clock.monotonicMs()
    const together = due.filter((item) => this.#fits(item, now))
    const alone = due.find((item) => !this.#fits(item, now))
    if (together[0] === first && this.#isReady(together, now)) {
      this.#since = undefined
      return { kind: 'pack', items: this.#filled(together) }
    }
    return alone && { kind: 'alone', items: [alone] }
  }

  /** An item that would fill a pack goes as it is, so that what of it got through counts. */
  #fits({ sizeBytes, attempts, uploadId }: QueuedItem, now: number): boolean {
    if (now < this.#aloneUntil || uploadId !== undefined) return false
    return sizeBytes <= mostBytes && attempts < mostTries
  }

  #isReady(together: readonly QueuedItem[], now: number): boolean {
    this.#since ??= now
    const bytes = together.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
    return (
      now < this.#atOnceUntil ||
      now - this.#since >= gatherMs ||
      bytes >= this.#bytes ||
      together.length >= packLimits.items ||
      together.some(({ attempts }) => attempts > 0)
    )
  }

  #filled(together: readonly QueuedItem[]): QueuedItem[] {
    let bytes = 0
    const over = together.findIndex(({ sizeBytes }, n) => {
      bytes += sizeBytes
      return n > 0 && bytes > this.#bytes
    })
    return together.slice(0, Math.min(over < 0 ? together.length : over, packLimits.items))
  }
}
