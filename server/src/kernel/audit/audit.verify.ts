import { ServiceError } from '@integrity/protocol'
import type { Reader } from '../../platform/db/types.ts'
import { genesisHash, rowHash } from './audit.chain.ts'
import { readLastCheckpoint } from './audit.checkpoint.store.ts'
import { chained, type digest, type GoodPage, payloadHolds, type RowWithPayload } from './audit.digest.ts'
import { type ChainSeal, type SealedHead, unsealedAt } from './audit.seal.ts'
import { Checkpoints } from './audit.verify.checkpoints.ts'
import { type ChainHead, followsLater, readHead, readRows } from './audit.verify.store.ts'
import type { ChainFailure, ChainReport, Failure, VerifyOptions } from './audit.verify.types.ts'

const hashAt = (hashes: string, n: number): string => hashes.slice(n * 64, n * 64 + 64)

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
      this.#visit?.(row.seq, row.hash)
    }
    return undefined
  }

  /** The same for a page that was found good where it was read. */
  async takeGood({ rows, hashes, firstAt }: GoodPage): Promise<Failure | undefined> {
    this.firstAt ??= firstAt
    for (let n = 0; n < rows; n += 1) {
      const seq = this.rows + 1
      const wanted = this.#visit !== undefined || seq === this.#start.seq || this.#checkpoints.mayBeOf(seq)
      if (wanted) {
        const hash = hashAt(hashes, n)
        if (seq === this.#start.seq && hash !== this.#start.hash) return { seq, reason: 'forked' }
        const other = this.#checkpoints.mayBeOf(seq) ? await this.#checkpoints.check({ seq, hash }) : undefined
        if (other) return other
        this.#visit?.(seq, hash)
      }
      this.rows = seq
    }
    if (rows > 0) this.hash = hashAt(hashes, rows - 1)
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

interface Chain {
  readonly reader: Reader
  readonly orgId: string
  readonly start: ChainHead
}

/** Before the first row: they are numbered from 1, and below it there are none, unless somebody put one there. */
const beforeAll = Number.MIN_SAFE_INTEGER

/** Its `digest` is called where the rows are read. */
const digestModule = new URL('./audit.digest.ts', import.meta.url)
/** Pages that are asked for at once: several threads may read, each a page, and none of them waits for this one. */
const pagesAhead = 4

/**
 * Pages that are looked through where they are read, several at once: each is a chain of its own, and here they are joined.
 * What is not good there, and all where no thread reads, is walked row by row here.
 */
const walkPages = async (
  walk: Walk,
  { reader, orgId, start }: Chain,
  options: VerifyOptions,
): Promise<Failure | undefined> => {
  const { pageSize = 5000, digestRows: limit = pageSize } = options
  const ahead: Promise<GoodPage | null>[] = []
  let asked = 0
  const ask = (): void => {
    const page = reader.digest?.<ReturnType<typeof digest>>(digestModule, { orgId, after: asked || beforeAll, limit })
    page?.catch(() => undefined)
    ahead.push(page ?? Promise.resolve(null))
    asked += limit
  }
  for (;;) {
    while (ahead.length === 0 || (ahead.length < pagesAhead && asked < start.seq)) ask()
    const page = await ahead.shift()
    if (!page || (page.rows > 0 && page.follows !== walk.hash)) return walkRows(reader, orgId, walk, pageSize)
    const failure = await walk.takeGood(page)
    if (failure || page.rows < limit) return failure
  }
}

/** The same row by row; the next page is read while this one is hashed. */
const walkRows = async (reader: Reader, orgId: string, walk: Walk, pageSize: number): Promise<Failure | undefined> => {
  let next = readRows(reader, orgId, walk.rows === 0 ? beforeAll : walk.rows, pageSize)
  for (;;) {
    const page = await next
    const end = page.length < pageSize ? undefined : page.at(-1)
    if (end) {
      next = readRows(reader, orgId, end.seq, pageSize)
      next.catch(() => undefined)
    }
    const failure = await walk.take(page)
    if (failure || !end) return failure
  }
}

/**
 * Verifies an organisation's whole chain: every row's hash and link, every payload that is still there, the head, and
 * every stored checkpoint. Streams by the key and holds a few pages. Rows may be appended while it runs.
 * Throws when the organisation has no chain at all.
 */
export const verifyChain = async (reader: Reader, orgId: string, options: VerifyOptions): Promise<ChainReport> => {
  // Before the rows, so that what is appended meanwhile never looks like a difference.
  const last = await readLastCheckpoint(reader, orgId)
  const start = await readHead(reader, orgId)
  if (!start) throw new ServiceError('not_found', `there is no organisation ${orgId} here, or it has no audit chain`)
  // A checkpoint is kept together with the head that counts it, so none up to there is still to come.
  const checkpoints = new Checkpoints(reader, orgId, Math.max(last?.size ?? 0, start.signed), options)
  const walk = new Walk(reader, orgId, { checkpoints, start, visit: options.visit })
  const failure = await walkPages(walk, { reader, orgId, start }, options)
  if (failure) return failed(walk, start, failure)
  const found =
    (await checkEnd(reader, orgId, walk, start, checkpoints)) ??
    checkpoints.end(start) ??
    checkFirst(walk, start, options) ??
    checkSeal(options.seal, orgId, start)
  if (found) return failed(walk, start, found)
  const head = { seq: walk.rows, hash: walk.rows === 0 ? '' : walk.hash }
  return { ok: true, rows: walk.rows, head, checkpoints: checkpoints.matched }
}
