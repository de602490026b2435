import type { EventRow, SpoolIndex } from './spool-index.ts'
import type { QueuedItem } from './types.ts'

/** Which end of the queue. */
export type QueueEnd = 'oldest' | 'newest'

/** What is being sent. Claims live in memory and are free again after a restart. */
export class ItemClaims {
  readonly #index: SpoolIndex
  readonly #wallMs: () => number
  readonly #claimed = new Set<string>()

  constructor(index: SpoolIndex, wallMs: () => number) {
    this.#index = index
    this.#wallMs = wallMs
  }

  has(clientId: string): boolean {
    return this.#claimed.has(clientId)
  }

  claim(clientIds: Iterable<string>): void {
    for (const clientId of clientIds) this.#claimed.add(clientId)
  }

  release(clientIds: Iterable<string>): void {
    for (const clientId of clientIds) this.#claimed.delete(clientId)
  }

  /** Items that are due and that nobody has claimed, from that end. */
  dueItems(first: QueueEnd, limit: number): QueuedItem[] {
    const due = this.#index.dueItems(this.#wallMs(), this.#claimed.size + limit, first)
    return due.filter(({ clientId }) => !this.#claimed.has(clientId)).slice(0, limit)
  }

  dueEvents(limit: number): EventRow[] {
    const due = this.#index.dueEvents(this.#wallMs(), this.#claimed.size + limit)
    return due.filter((row) => !this.#claimed.has(row.client_id)).slice(0, limit)
  }
}
