import {
  type EvidenceSource,
  evidenceSource,
  joinFrames,
  notFound,
  type ReelHead,
  type ReelSize,
  type reelEnd,
  reelLimits,
  reelMediaType,
  reelSpanMs,
} from '@integrity/protocol'
import type * as z from 'zod'
import { countAnswered } from '../../../kernel/answered-bytes.ts'
import { TreeHashes } from '../../../kernel/audit/audit.tree.ts'
import { type By, inTx, type Needs, type Reads } from '../../../kernel/call.ts'
import type { WholeContent } from '../../../kernel/content.ts'
import type { ActorOf } from '../../../kernel/identity/actor.ts'
import { inOrderAhead } from '../../../platform/in-order-ahead.ts'
import { noteOpened } from '../../interviews/reviews/moment-counts.service.ts'
import { getSession } from '../../interviews/sessions/sessions.read.service.ts'
import type { SessionRow } from '../../interviews/sessions/sessions.types.ts'
import { noteWatching } from '../../recording/audit/watching.service.ts'
import { askForBeside } from '../../recording/evidence/beside.make.service.ts'
import { contentsOf, type ItemContent, type ItemContents } from '../../recording/evidence/contents.service.ts'
import type { EvidenceRow } from '../../recording/evidence/evidence.types.ts'
import { isOfSource, itemsOfSource, playedAtOf } from '../../recording/evidence/spans.service.ts'
import { type Placed, roomFor, tooLarge } from './reels.cut.model.ts'

/** Items that are opened while one before them is sent. */
const ahead = 4
/** Of a session that goes on, who sees what came within so much time watches it live. Milliseconds. */
const liveMs = 60_000
/** Bytes that a small picture or the levels of an item are counted as: about what they have. */
const besideBytes = 1024

export interface WantedReel {
  readonly sessionId: string
  /** As it stands in the path, which may be anything. */
  readonly source: string
  readonly from?: number | undefined
  readonly to?: number | undefined
  readonly size: ReelSize
}

export type ReelCall = Reads &
  By<ActorOf<'api_key' | 'user'> | ActorOf<'link'>> &
  Needs<'audit' | 'clock' | 'db' | 'identities' | 'jobs' | 'keyring' | 'log' | 'rate' | 'sessionKeys' | 'store'>

interface ReelItem extends Placed {
  readonly row: EvidenceRow
}

interface Reel {
  readonly source: EvidenceSource
  readonly size: ReelSize
  readonly startedAt: number
  readonly items: readonly ReelItem[]
  /** What begins from here, epoch milliseconds, up to, not including, `untilAt` is in it. */
  readonly fromAt: number
  readonly untilAt: number
  /** When the next item begins; undefined where there is none. */
  readonly nextAt: number | undefined
}

const placed = (row: EvidenceRow, size: ReelSize): ReelItem => {
  const counts = size === 'full' && row.erasedAt === null && row.sizeBytes <= reelLimits.bytes
  return { row, at: playedAtOf(row), sizeBytes: counts ? row.sizeBytes : 0 }
}

type SourceSpan = Omit<Parameters<typeof itemsOfSource>[1], 'take'>

const firstAt = async (call: Reads, span: SourceSpan): Promise<number | undefined> => {
  const [first] = await itemsOfSource(call, { ...span, take: 1 })
  return first && playedAtOf(first)
}

/**
 * So many of a stretch that one reel can be cut of them, and until when they are all of it: where more have come at one instant
 * than a reel has otherwise, they are those of that instant, as no reel begins among them.
 */
const rowsOf = async (
  call: Reads,
  span: SourceSpan & { readonly untilAt: number },
): Promise<{ readonly rows: readonly EvidenceRow[]; readonly untilAt: number }> => {
  const rows = await itemsOfSource(call, { ...span, take: reelLimits.items + 1 })
  const [first, last] = [rows[0], rows.at(-1)]
  if (!first || !last || rows.length <= reelLimits.items || playedAtOf(first) !== playedAtOf(last))
    return { rows, untilAt: span.untilAt }
  const fromAt = playedAtOf(first)
  const untilAt = fromAt + 1
  return { rows: await itemsOfSource(call, { ...span, fromAt, untilAt, take: Number.MAX_SAFE_INTEGER }), untilAt }
}

/** What of a stretch has room in one reel, and where the next one begins. */
const cut = async (
  call: Reads,
  { startedAt }: Pick<SessionRow, 'startedAt'>,
  source: EvidenceSource,
  { sessionId, from, to, size }: WantedReel,
): Promise<Reel> => {
  const start = startedAt ?? 0
  const place = { sessionId, source }
  const end = to === undefined ? undefined : start + to
  const given = from === undefined ? undefined : start + from
  const fromAt = given ?? (await firstAt(call, { ...place, untilAt: end }))
  const reel = { source, size, startedAt: start }
  if (fromAt === undefined) return { ...reel, items: [], fromAt: start, untilAt: end ?? start, nextAt: undefined }
  const untilAt = Math.min(end ?? Infinity, fromAt + reelSpanMs(source, size))
  const found = await rowsOf(call, { ...place, fromAt, untilAt })
  const all = found.rows.map((row) => placed(row, size))
  const taken = roomFor(all, reelLimits)
  const behind = all[taken]?.at
  const nextAt = behind ?? (await firstAt(call, { ...place, fromAt: found.untilAt, untilAt: end }))
  const items = all.slice(0, taken).filter(({ row }) => isOfSource(row, source))
  return { ...reel, items, fromAt, untilAt: behind ?? found.untilAt, nextAt }
}

const headOf = ({ startedAt }: Reel, { row, at }: ReelItem, content: ItemContent): ReelHead => ({
  id: row.id,
  atMs: at - startedAt,
  durationMs: row.durationMs,
  contentType: row.contentType,
  sha256: row.sha256,
  ...('absent' in content && { absent: content.absent }),
})

const noBytes = new Uint8Array()

/** Which items of a reel have no room in it. */
const withoutRoom = ({ items, size }: Reel): ReadonlySet<ReelItem> => {
  if (size !== 'full') return new Set()
  const kept = items.filter(({ row }) => row.erasedAt === null)
  const without = tooLarge(items, reelLimits.bytes)
  return new Set(kept.filter((item) => item.row.sizeBytes > reelLimits.bytes || without.has(item)))
}

async function* framesOf(reel: Reel, contents: ItemContents, without: ReadonlySet<ReelItem>): AsyncGenerator<Buffer> {
  const { items, startedAt, nextAt } = reel
  const open = async (item: ReelItem): Promise<Buffer> => {
    const content: ItemContent = without.has(item) ? { absent: 'too_large' } : await contents.read(item.row)
    const body = 'bytes' in content ? content.bytes : noBytes
    return Buffer.from(joinFrames([{ head: headOf(reel, item, content), body }]).buffer)
  }
  yield* inOrderAhead(items, ahead, open)
  const end: z.input<typeof reelEnd> = { nextMs: nextAt === undefined ? null : nextAt - startedAt }
  yield Buffer.from(joinFrames([{ head: end, body: noBytes }]).buffer)
}

/** RFC 9162 over `<id> <sha256>` of each item that is shown, in the order of the reel. */
const rootOf = (items: readonly ReelItem[]): string => {
  const tree = new TreeHashes()
  for (const { row } of items) tree.add(Buffer.from(`${row.id} ${row.sha256}`))
  return tree.root().toString('hex')
}

/** Accounts for a reel: one row. What a person sees of a session as it goes on is their watching it. */
const account = async (call: ReelCall, session: SessionRow, reel: Reel): Promise<void> => {
  const { actor } = call
  const { source, size, startedAt, fromAt, untilAt } = reel
  const shown = reel.items.filter(({ row }) => row.erasedAt === null)
  const bytes = size === 'full' ? shown.reduce((sum, item) => sum + item.sizeBytes, 0) : shown.length * besideBytes
  await countAnswered(call, actor, bytes)
  const isLive = session.state !== 'ended' && untilAt > call.clock.now() - liveMs
  if (isLive && actor.kind === 'user') return noteWatching({ ...call, actor }, session.id)
  const stretch = { fromMs: fromAt - startedAt, toMs: untilAt - startedAt }
  const payload = { source, size, ...stretch, objects: shown.length, root: rootOf(shown) }
  const { id } = session
  await call.db.transact(async (tx) => {
    const within = inTx(call, tx)
    await call.audit.append(within, { action: 'evidence.played', target: id, sessionId: id, payload })
    // A program that fetches a recording has looked at nothing, and a small picture is no look.
    if (actor.kind === 'user' && size === 'full') await noteOpened(within, { sessionId: id, ...stretch })
  })
}

/** A stream whose first piece is there already, so that a store that cannot be used is an answer in words. */
async function* behind(first: IteratorResult<Buffer, void>, rest: AsyncGenerator<Buffer>): AsyncGenerator<Buffer> {
  if (first.done) return
  yield first.value
  yield* rest
}

/**
 * What a source recorded in a stretch of time, as frames; audited before the first byte leaves. Throws `not_found` for a
 * foreign session and for what is no source.
 */
export const readReel = async (call: ReelCall, wanted: WantedReel): Promise<WholeContent> => {
  const session = await getSession(call, wanted.sessionId)
  const source = evidenceSource.safeParse(wanted.source)
  if (!source.success) throw notFound('source')
  const reel = await cut(call, session, source.data as EvidenceSource, wanted)
  const without = withoutRoom(reel)
  const rows = reel.items.filter((item) => !without.has(item)).map(({ row }) => row)
  const contents = await contentsOf(call, { rows, size: reel.size })
  const frames = framesOf(reel, contents, without)
  const first = await frames.next()
  return {
    contentType: reelMediaType,
    body: behind(first, frames),
    sandboxed: true,
    given: async () => {
      await account(call, session, reel)
      const { fromAt, untilAt } = reel
      if (contents.lacks(rows))
        await askForBeside(call, { sessionId: session.id, source: reel.source, fromAt, untilAt })
    },
  }
}
