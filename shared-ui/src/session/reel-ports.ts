import { IntegrityError } from '@integrity/client/errors'
import { type CheckingPorts, checkerOf, type RegisteredKey, type Said } from '../player/checking.ts'
import type { EnginePorts } from '../player/engine.ts'
import { type ReelItem, type ReelSpan, readReel } from '../player/reel.ts'

/** What is said of one item beside the reel; it is held against it. */
export interface SaidItem extends Omit<Said, 'signature'> {
  readonly id: string
  readonly captureSignature: Said['signature']
}

/** A page of what was captured in a stretch of time. */
export interface SaidPage {
  readonly items: readonly SaidItem[]
  readonly nextCursor: string | null
}

export interface ReelService {
  readonly sessionId: string
  /** When the session started, epoch milliseconds. */
  readonly startedAt: number
  /** Undefined for whoever may not see which evidence exists, and so its signatures. `to` is not part of it. */
  readonly list: ((span: { from: string; to: string }, cursor: string | undefined) => Promise<SaidPage>) | undefined
  readonly keys: () => Promise<readonly RegisteredKey[]>
  readonly reel: (span: ReelSpan, signal: AbortSignal) => Promise<Response>
  /** An item for which no reel has room; undefined where it can be had in a file alone. */
  readonly item: ((id: string, signal: AbortSignal) => Promise<Response>) | undefined
}

/** The list of evidence is asked for so much time, milliseconds: less than usually is one answer, as pictures wait for it. */
const pageMs = 120_000

interface Book extends CheckingPorts {
  /** Asks beside the reel for what its items will be held against. */
  readonly open: (atMs: number) => void
}

/** What the list of evidence says of the items of a session, asked for where it is first needed. */
const createBook = ({ startedAt, list, keys }: ReelService): Book => {
  const pages = new Map<number, Promise<ReadonlyMap<string, Said>>>()
  const read = async (ask: NonNullable<ReelService['list']>, page: number): Promise<ReadonlyMap<string, Said>> => {
    const found = new Map<string, Said>()
    const iso = (atMs: number) => new Date(startedAt + atMs).toISOString()
    const span = { from: iso(page * pageMs), to: iso((page + 1) * pageMs) }
    for (let cursor: string | undefined; ; ) {
      const { items, nextCursor } = await ask(span, cursor)
      for (const { id, captureSignature, ...said } of items) found.set(id, { ...said, signature: captureSignature })
      if (nextCursor === null) return found
      cursor = nextCursor
    }
  }
  const pageOf = (ask: NonNullable<ReelService['list']>, atMs: number) => {
    const page = Math.floor(atMs / pageMs)
    const known = pages.get(page)
    if (known) return known
    const asked = read(ask, page)
    pages.set(page, asked)
    asked.catch(() => pages.delete(page))
    return asked
  }
  return {
    open: (atMs) => {
      if (list) void pageOf(list, atMs)
    },
    saidOf: async ({ id, atMs }: ReelItem) => (list ? (await pageOf(list, atMs)).get(id) : undefined),
    keys,
  }
}

/** The answer broke off on its way. */
const brokenOff = (cause: unknown): IntegrityError =>
  cause instanceof IntegrityError ? cause : new IntegrityError({ code: 'no_answer', message: 'it broke off', cause })

/** How the reels of an interview come to a player. */
export const reelPortsOf = (service: ReelService): EnginePorts => {
  const { item } = service
  const book = createBook(service)
  return {
    now: () => performance.now(),
    check: checkerOf(service.sessionId, book),
    load: async (span, onItem, signal) => {
      if (span.size === 'full') book.open(span.fromMs)
      const { body } = await service.reel(span, signal)
      if (!body) throw brokenOff(undefined)
      const told = (one: ReelItem) =>
        onItem(!item && one.absent === 'too_large' ? { ...one, absent: 'file_only' } : one)
      return readReel(body as ReadableStream<Uint8Array<ArrayBuffer>>, told).catch((cause: unknown) => {
        throw brokenOff(cause)
      })
    },
    loadItem: async (id, signal) => {
      const answer = await item?.(id, signal)
      if (!answer) throw brokenOff(undefined)
      return answer.bytes().catch((cause: unknown) => {
        throw brokenOff(cause)
      })
    },
  }
}
