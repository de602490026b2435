import { IntegrityError } from '@integrity/client/errors'
import { type CheckingPorts, checkerOf, type Said } from '@integrity/shared-ui/player/checking'
import type { EnginePorts } from '@integrity/shared-ui/player/engine'
import { type ReelItem, readReel } from '@integrity/shared-ui/player/reel'
import type { DeskCaller, ReadResult } from '../../data/desk-api.ts'

interface Asked {
  readonly own: DeskCaller
  readonly id: string
  /** When the session started, epoch milliseconds. */
  readonly startedAt: number
  /** Whether the person may see which evidence exists, and so its signatures. */
  readonly mayList: boolean
  /** The service refuses what was read before: a sign-in has ended, a right was taken away, or the interview is gone. */
  readonly onRefused: (error: IntegrityError) => void
}

/** The list of evidence is asked for so much time, milliseconds: less than usually is one answer, as pictures wait for it. */
const pageMs = 120_000
const patienceMs = 60_000

type Listed = ReadResult<'portal.evidence.list'>['items'][number]

const saidOf = ({ sha256, evidenceType, capturedAt, durationMs, captureSignature }: Listed): Said => ({
  ...{ sha256, evidenceType, capturedAt, durationMs, signature: captureSignature },
})

interface Book extends CheckingPorts {
  /** Asks beside the reel for what its items will be held against. */
  readonly open: (atMs: number) => void
}

/** What the list of evidence says of the items of a session, asked for where it is first needed. */
const createBook = ({ own, id, startedAt, mayList }: Asked): Book => {
  const pages = new Map<number, Promise<ReadonlyMap<string, Said>>>()
  const read = async (page: number): Promise<ReadonlyMap<string, Said>> => {
    const found = new Map<string, Said>()
    const iso = (atMs: number) => new Date(startedAt + atMs).toISOString()
    const span = { from: iso(page * pageMs), to: iso((page + 1) * pageMs), limit: 100 }
    for (let cursor: string | undefined; ; ) {
      const query = { ...span, ...(cursor === undefined ? {} : { cursor }) }
      const { data } = await own.call('portal.evidence.list', { params: { id }, query })
      for (const item of data.items) found.set(item.id, saidOf(item))
      if (data.nextCursor === null) return found
      cursor = data.nextCursor
    }
  }
  const pageOf = (page: number) => {
    const known = pages.get(page)
    if (known) return known
    const asked = read(page)
    pages.set(page, asked)
    asked.catch(() => pages.delete(page))
    return asked
  }
  return {
    open: (atMs) => {
      if (mayList) void pageOf(Math.floor(atMs / pageMs))
    },
    saidOf: async ({ id: item, atMs }: ReelItem) =>
      mayList ? (await pageOf(Math.floor(atMs / pageMs))).get(item) : undefined,
    keys: async () => {
      const { data } = await own.call('portal.captureChain.get', { params: { id } })
      return data.chains.map(({ key, documentHash, signature }) => ({ key, documentHash, signature }))
    },
  }
}

/** The answer broke off on its way. */
const brokenOff = (cause: unknown): IntegrityError =>
  cause instanceof IntegrityError ? cause : new IntegrityError({ code: 'no_answer', message: 'it broke off', cause })

const refusals: readonly IntegrityError['kind'][] = ['unauthorized', 'forbidden', 'not_found']

/** How the reels of an interview come to the player of whoever is signed in. */
export const reelPortsOf = (asked: Asked): EnginePorts => {
  const { own, id, onRefused } = asked
  const refused = (error: unknown): never => {
    if (error instanceof IntegrityError && refusals.includes(error.kind)) onRefused(error)
    throw error
  }
  const book = createBook(asked)
  return {
    now: () => performance.now(),
    check: checkerOf(id, book),
    load: async ({ source, size, fromMs: from, toMs: to }, onItem, signal) => {
      if (size === 'full') book.open(from)
      const input = { params: { id, source }, query: { from, to, size }, signal, timeoutMs: patienceMs }
      const { body } = (await own.call('portal.reels.get', input).catch(refused)).data as Response
      if (!body) throw brokenOff(undefined)
      return readReel(body as ReadableStream<Uint8Array<ArrayBuffer>>, onItem).catch((cause: unknown) => {
        throw brokenOff(cause)
      })
    },
    loadItem: async (item, signal) => {
      const answer = await own.call('portal.evidence.content', { params: { id: item }, signal, timeoutMs: patienceMs })
      return (answer.data as Response).bytes().catch((cause: unknown) => {
        throw brokenOff(cause)
      })
    },
  }
}
