import type { Reader } from '../../platform/db/types.ts'
import { readCheckpoints, type StoredCheckpoint } from './audit.checkpoint.store.ts'
import { verifyCheckpoint } from './audit.checkpoint.ts'
import type { SealedHead } from './audit.seal.ts'
import type { StoredRow } from './audit.store.ts'
import type { ChainFailure, Failure, VerifyOptions } from './audit.verify.types.ts'

/** Goes through the kept checkpoints beside the rows, in the same order and a page at a time. */
export class Checkpoints {
  matched = 0
  readonly #reader: Reader
  readonly #orgId: string
  readonly #upTo: number
  readonly #options: VerifyOptions
  #page: StoredCheckpoint[] = []
  #read = 0
  #ended = false
  /** Size of the last one that was checked. */
  #last = 0
  #linked = false

  /** Looks at sizes up to `upTo` only: later ones are signed while this runs. */
  constructor(reader: Reader, orgId: string, upTo: number, options: VerifyOptions) {
    this.#reader = reader
    this.#orgId = orgId
    this.#upTo = upTo
    this.#options = options
  }

  /** Whether one may be of this size; only then is there anything to wait for. */
  mayBeOf(size: number): boolean {
    const [next] = this.#page
    return next ? next.size === size : !this.#ended
  }

  async next(): Promise<StoredCheckpoint | undefined> {
    if (this.#page.length === 0 && !this.#ended) {
      const limit = this.#options.pageSize ?? 5000
      this.#page = await readCheckpoints(this.#reader, this.#orgId, { after: this.#read, upTo: this.#upTo, limit })
      this.#read = this.#page.at(-1)?.size ?? this.#read
      this.#ended = this.#page.length < limit
    }
    return this.#page[0]
  }

  /** What is wrong with a checkpoint of exactly this size, or with the place that it has among the others. */
  async check(row: Pick<StoredRow, 'seq' | 'hash'>): Promise<Failure | undefined> {
    const stored = await this.next()
    if (stored?.size !== row.seq) return undefined
    this.#page.shift()
    const reason = this.#wrong(stored, row)
    if (reason) return { seq: row.seq, reason }
    if (this.#linked && stored.previous !== this.#last)
      return { seq: Math.max(1, stored.previous), reason: 'checkpoint_missing' }
    this.#last = stored.size
    this.matched += 1
    return undefined
  }

  #wrong(stored: StoredCheckpoint, row: Pick<StoredRow, 'seq' | 'hash'>): ChainFailure | undefined {
    const { checkpointKeys, seal } = this.#options
    const reading = verifyCheckpoint(checkpointKeys, this.#orgId, stored.note)
    if (reading.status === 'invalid' || reading.head.seq !== row.seq || reading.head.hash !== row.hash) return 'forked'
    if (reading.status === 'unknown_key') return 'checkpoint_foreign'
    // Those that are older than the MACs stand before all others.
    this.#linked ||= stored.mac !== ''
    return this.#linked && !seal.linkHolds(this.#orgId, stored) ? 'checkpoint_foreign' : undefined
  }

  /** The head counts the last checkpoint too, so that none is missing at the end. */
  end({ signed }: SealedHead): Failure | undefined {
    if (this.#last < signed) return { seq: signed, reason: 'checkpoint_missing' }
    return this.#last > signed ? { seq: this.#last, reason: 'forked' } : undefined
  }
}
