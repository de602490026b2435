import type { KeyObject } from 'node:crypto'
import type { Reader } from '../../platform/db/types.ts'
import { type AuditRow, genesisHash, payloadHash, rowHash } from './audit.chain.ts'
import { readCheckpoints, readLastCheckpoint, type StoredCheckpoint } from './audit.checkpoint.store.ts'
import { verifyCheckpoint } from './audit.checkpoint.ts'
import { type ChainSeal, type SealedHead, unsealedAt } from './audit.seal.ts'
import { type ChainHead, followsLater, type RowWithPayload, readHead, readRows } from './audit.verify.store.ts'

export type ChainFailure =
  /** The row does not hash to its own hash, or does not continue the row before it. */
  | 'altered'
  /** No row has this number, but a later one exists. */
  | 'missing'
  /** Another row stands here, and the one that belongs here stands later. */
  | 'reordered'
  /** The payload beside the row is not the one it commits to. An erased payload is no failure. */
  | 'payload_altered'
  /** The head or a stored checkpoint says that the chain was longer. */
  | 'cut_off'
  /** The head or a stored checkpoint states another row here, or none; or a checkpoint's signature does not hold. */
  | 'forked'
  /** The head, behind this row, was not written by a server with the master key: cut, written anew, or put back. */
  | 'unsealed'

export type ChainReport =
  | {
      readonly ok: true
      readonly rows: number
      /** The last row. */
      readonly head: ChainHead
      /** Stored checkpoints that state this chain, and how many of them carry a signature of the given key. */
      readonly checkpoints: { readonly matched: number; readonly verified: number }
    }
  | {
      readonly ok: false
      /** Rows that were found good before the failure. */
      readonly rows: number
      /** As the organisation's head said when this began. */
      readonly head: ChainHead
      readonly firstFailure: { readonly seq: number; readonly reason: ChainFailure }
    }

export interface VerifyOptions {
  readonly seal: ChainSeal
  /** The key whose signatures are checked. A checkpoint that is not by it is held only to what it states. */
  readonly checkpointKey?: KeyObject
  /** Rows held in memory at a time. */
  readonly pageSize?: number
}

/** Whatever stands in the column: a row that was tampered with is to be named, not to fail. */
export const isoOf = (at: number): string => {
  const date = new Date(at)
  return Number.isNaN(date.valueOf()) ? String(at) : date.toISOString()
}

/** A stored row as the chain commits to it. */
export const chained = (row: RowWithPayload): AuditRow => ({
  orgId: row.orgId,
  seq: row.seq,
  at: isoOf(row.at),
  actor: { kind: row.actorKind, id: row.actorId },
  action: row.action,
  target: row.target,
  sessionId: row.sessionId,
  payloadHash: row.payloadHash,
  prevHash: row.prevHash,
})

const payloadHolds = (row: RowWithPayload): boolean =>
  row.payload === null ||
  row.salt === null ||
  (row.payloadHash !== null && payloadHash(Buffer.from(row.salt, 'hex'), row.payload) === row.payloadHash)

/** Goes through the stored checkpoints beside the rows, in the same order and a page at a time. */
class Checkpoints {
  matched = 0
  verified = 0
  readonly #reader: Reader
  readonly #orgId: string
  readonly #upTo: number
  readonly #options: VerifyOptions
  #page: StoredCheckpoint[] = []
  #last = 0
  #ended = false

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
      this.#page = await readCheckpoints(this.#reader, this.#orgId, { after: this.#last, upTo: this.#upTo, limit })
      this.#last = this.#page.at(-1)?.size ?? this.#last
      this.#ended = this.#page.length < limit
    }
    return this.#page[0]
  }

  /** True unless there is a checkpoint of exactly this size that says something else. */
  async agree(row: RowWithPayload): Promise<boolean> {
    const stored = await this.next()
    if (stored?.size !== row.seq) return true
    this.#page.shift()
    const reading = verifyCheckpoint(this.#options.checkpointKey, this.#orgId, stored.note)
    if (reading.status === 'invalid' || reading.head.seq !== row.seq || reading.head.hash !== row.hash) return false
    this.matched += 1
    if (reading.status === 'verified') this.verified += 1
    return true
  }
}

/** Walks one chain from its first row; remembers only where it is. */
class Walk {
  rows = 0
  hash = genesisHash
  readonly #reader: Reader
  readonly #orgId: string
  readonly #checkpoints: Checkpoints
  readonly #start: ChainHead

  constructor(reader: Reader, orgId: string, checkpoints: Checkpoints, start: ChainHead) {
    this.#reader = reader
    this.#orgId = orgId
    this.#checkpoints = checkpoints
    this.#start = start
  }

  /** Takes as many of the rows as are good; says what is wrong with the one behind them. */
  async take(rows: readonly RowWithPayload[]): Promise<{ row: RowWithPayload; reason: ChainFailure } | undefined> {
    for (const row of rows) {
      let reason = this.#check(row)
      if (reason === 'unlinked')
        reason = (await followsLater(this.#reader, this.#orgId, this.hash, row.seq)) ? 'reordered' : 'altered'
      if (!reason && this.#checkpoints.mayBeOf(row.seq) && !(await this.#checkpoints.agree(row))) reason = 'forked'
      if (reason) return { row, reason }
      this.rows = row.seq
      this.hash = row.hash
    }
    return undefined
  }

  #check(row: RowWithPayload): ChainFailure | 'unlinked' | undefined {
    if (row.seq < 1) return 'forked'
    if (row.seq !== this.rows + 1) return 'missing'
    if (row.prevHash !== this.hash) return 'unlinked'
    if (rowHash(chained(row)) !== row.hash) return 'altered'
    if (!payloadHolds(row)) return 'payload_altered'
    return row.seq === this.#start.seq && row.hash !== this.#start.hash ? 'forked' : undefined
  }
}

/** What the end of the rows is held against: the head as it was before, and as it is now if rows came in meanwhile. */
const checkEnd = async (reader: Reader, orgId: string, walk: Walk, start: ChainHead, checkpoints: Checkpoints) => {
  if (walk.rows < start.seq) return { seq: walk.rows + 1, reason: 'cut_off' } as const
  if (walk.rows > start.seq) {
    const now = await readHead(reader, orgId)
    const seq = now?.seq ?? 0
    if (seq < walk.rows) return { seq: seq + 1, reason: 'forked' } as const
    if (seq === walk.rows && now?.hash !== walk.hash) return { seq, reason: 'forked' } as const
  }
  const beyond = await checkpoints.next()
  return beyond ? ({ seq: walk.rows + 1, reason: 'cut_off' } as const) : undefined
}

const plain = ({ seq, hash }: ChainHead): ChainHead => ({ seq, hash })

const checkSeal = (seal: ChainSeal, orgId: string, head: SealedHead) =>
  seal.holds(orgId, head) ? undefined : ({ seq: Math.max(1, unsealedAt(head)), reason: 'unsealed' } as const)

/**
 * Verifies an organisation's whole chain: every row's hash and link, every payload that is still there, the head, and
 * every stored checkpoint. Streams by the key and holds a page, and the next one that is on its way. Rows may be appended while it runs.
 * Throws when the organisation has no chain at all.
 */
export const verifyChain = async (reader: Reader, orgId: string, options: VerifyOptions): Promise<ChainReport> => {
  const { pageSize = 5000 } = options
  // Before the rows, so that what is appended meanwhile never looks like a difference.
  const lastCheckpoint = await readLastCheckpoint(reader, orgId)
  const start = await readHead(reader, orgId)
  if (!start) throw new Error(`organisation ${orgId} has no audit chain`)
  const checkpoints = new Checkpoints(reader, orgId, lastCheckpoint?.size ?? 0, options)
  const walk = new Walk(reader, orgId, checkpoints, start)
  // Rows are numbered from 1; below it there are none, unless somebody put one there.
  let next = readRows(reader, orgId, Number.MIN_SAFE_INTEGER, pageSize)
  for (;;) {
    const page = await next
    const last = page.length < pageSize ? undefined : page.at(-1)
    // The next page is read while this one is hashed.
    if (last) {
      next = readRows(reader, orgId, last.seq, pageSize)
      next.catch(() => undefined)
    }
    const found = await walk.take(page)
    if (found) {
      const seq = found.reason === 'missing' ? walk.rows + 1 : found.row.seq
      return { ok: false, rows: walk.rows, head: plain(start), firstFailure: { seq, reason: found.reason } }
    }
    if (!last) break
  }
  const firstFailure =
    (await checkEnd(reader, orgId, walk, start, checkpoints)) ?? checkSeal(options.seal, orgId, start)
  if (firstFailure)
    return { ok: false, rows: Math.min(walk.rows, firstFailure.seq - 1), head: plain(start), firstFailure }
  const { matched, verified } = checkpoints
  const head = { seq: walk.rows, hash: walk.rows === 0 ? '' : walk.hash }
  return { ok: true, rows: walk.rows, head, checkpoints: { matched, verified } }
}
