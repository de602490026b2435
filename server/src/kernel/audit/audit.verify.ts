import type { Reader } from '../../platform/db/types.ts'
import { type AuditRow, genesisHash, payloadHash, rowHash } from './audit.chain.ts'
import { readLastCheckpoint } from './audit.checkpoint.store.ts'
import { type ChainSeal, type SealedHead, unsealedAt } from './audit.seal.ts'
import { Checkpoints } from './audit.verify.checkpoints.ts'
import { type ChainHead, followsLater, type RowWithPayload, readHead, readRows } from './audit.verify.store.ts'
import type { ChainFailure, ChainReport, Failure, VerifyOptions } from './audit.verify.types.ts'

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

/** Walks one chain from its first row; remembers only where it is. */
class Walk {
  rows = 0
  hash = genesisHash
  firstAt: number | undefined
  readonly #reader: Reader
  readonly #orgId: string
  readonly #checkpoints: Checkpoints
  readonly #start: ChainHead
  readonly #visit: VerifyOptions['visit']

  constructor(
    reader: Reader,
    orgId: string,
    { checkpoints, start, visit }: { checkpoints: Checkpoints; start: ChainHead; visit: VerifyOptions['visit'] },
  ) {
    this.#reader = reader
    this.#orgId = orgId
    this.#checkpoints = checkpoints
    this.#start = start
    this.#visit = visit
  }

  /** Takes as many of the rows as are good; says what is wrong with the one behind them. */
  async take(rows: readonly RowWithPayload[]): Promise<Failure | undefined> {
    for (const row of rows) {
      let reason = this.#check(row)
      if (reason === 'unlinked')
        reason = (await followsLater(this.#reader, this.#orgId, this.hash, row.seq)) ? 'reordered' : 'altered'
      if (reason) return { seq: reason === 'missing' ? this.rows + 1 : row.seq, reason }
      const other = this.#checkpoints.mayBeOf(row.seq) ? await this.#checkpoints.check(row) : undefined
      if (other) return other
      this.firstAt ??= row.at
      this.rows = row.seq
      this.hash = row.hash
      this.#visit?.(row)
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

const failed = (walk: Walk, { seq, hash }: ChainHead, firstFailure: Failure): ChainReport => {
  const rows = Math.max(0, Math.min(walk.rows, firstFailure.seq - 1))
  return { ok: false, rows, head: { seq, hash }, firstFailure }
}

/** The first checkpoint is due a minute after the first row. */
const firstDueMs = 300_000

const checkFirst = (walk: Walk, { signed }: SealedHead, { now }: VerifyOptions): Failure | undefined =>
  signed === 0 && now !== undefined && walk.firstAt !== undefined && now - walk.firstAt > firstDueMs
    ? { seq: 1, reason: 'checkpoint_missing' }
    : undefined

const checkSeal = (seal: ChainSeal, orgId: string, head: SealedHead): Failure | undefined =>
  seal.holds(orgId, head) ? undefined : { seq: Math.max(1, unsealedAt(head)), reason: 'unsealed' }

/**
 * Verifies an organisation's whole chain: every row's hash and link, every payload that is still there, the head, and
 * every stored checkpoint. Streams by the key and holds a page, and the next one that is on its way. Rows may be appended while it runs.
 * Throws when the organisation has no chain at all.
 */
export const verifyChain = async (reader: Reader, orgId: string, options: VerifyOptions): Promise<ChainReport> => {
  const { pageSize = 5000 } = options
  // Before the rows, so that what is appended meanwhile never looks like a difference.
  const last = await readLastCheckpoint(reader, orgId)
  const start = await readHead(reader, orgId)
  if (!start) throw new Error(`organisation ${orgId} has no audit chain`)
  // A checkpoint is kept together with the head that counts it, so none up to there is still to come.
  const checkpoints = new Checkpoints(reader, orgId, Math.max(last?.size ?? 0, start.signed), options)
  const walk = new Walk(reader, orgId, { checkpoints, start, visit: options.visit })
  // Rows are numbered from 1; below it there are none, unless somebody put one there.
  let next = readRows(reader, orgId, Number.MIN_SAFE_INTEGER, pageSize)
  for (;;) {
    const page = await next
    const end = page.length < pageSize ? undefined : page.at(-1)
    // The next page is read while this one is hashed.
    if (end) {
      next = readRows(reader, orgId, end.seq, pageSize)
      next.catch(() => undefined)
    }
    const found = await walk.take(page)
    if (found) return failed(walk, start, found)
    if (!end) break
  }
  const found =
    (await checkEnd(reader, orgId, walk, start, checkpoints)) ??
    checkpoints.end(start) ??
    checkFirst(walk, start, options) ??
    checkSeal(options.seal, orgId, start)
  if (found) return failed(walk, start, found)
  const head = { seq: walk.rows, hash: walk.rows === 0 ? '' : walk.hash }
  return { ok: true, rows: walk.rows, head, checkpoints: checkpoints.matched }
}
