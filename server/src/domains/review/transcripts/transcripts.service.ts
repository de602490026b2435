import { invalid, ServiceError, type transcriptSegmentInput } from '@integrity/protocol'
import type * as z from 'zod'
import { type AskedPeriod, askedPeriod, type PeriodQuery } from '../../../kernel/asked-period.ts'
import { rangeText } from '../../../kernel/audit/audit.records.ts'
import type { Needs, Reads, WriteCall } from '../../../kernel/call.ts'
import type { ActorOf } from '../../../kernel/identity/actor.ts'
import { type List, type PageOf, type PageQuery, readPage } from '../../../kernel/paging.ts'
import { noteChange } from '../../interviews/reviews/changes.service.ts'
import { admitDelivery, admitLane, clockToleranceMs } from '../../interviews/sessions/sessions.policy.ts'
import { getSession, lockSession, noteContact } from '../../interviews/sessions/sessions.read.service.ts'
import type { SessionRow } from '../../interviews/sessions/sessions.types.ts'
import { type WordsPayload, wordsHash } from './transcripts.binding.model.ts'
import { decodeCursor, encodeCursor } from './transcripts.cursor.model.ts'
import type { TranscriptGap } from './transcripts.parts.ts'
import {
  countChanges,
  countSpoken,
  findSegments,
  firstChangeBehind,
  keyOfSegment,
  listChanges,
  listGaps,
  listSegments,
  replaceSegments,
  type SpokenIn,
  takeChanges,
  transcriptHead,
} from './transcripts.store.ts'
import type { SegmentRow } from './transcripts.types.ts'

type SegmentInput = z.output<typeof transcriptSegmentInput>
type Content = Omit<SegmentRow, 'id' | 'updatedAt' | 'changeSeq'>

/** A stretch without words counts as a gap from this length on. */
const gapMs = 5000

/** Consent, policy, and that it was said while the session ran, as of media. A whole batch is taken or refused. */
const admit = (session: SessionRow, segments: readonly SegmentInput[], now: number): void => {
  admitDelivery(session, now)
  const { startedAt, endedAt } = session
  if (startedAt === null) throw new ServiceError('conflict', 'this session has not started')
  for (const [index, { endMs }] of segments.entries()) {
    const at = startedAt + endMs
    admitLane(session, 'transcript', at)
    const refuse = (message: string) => invalid(`segments.${index}.endMs`, message)
    if (endedAt !== null && at > endedAt) throw refuse('spoken after the session ended')
    if (at > now + clockToleranceMs) throw refuse('spoken in the future: is the clock right?')
  }
}

const contentOf = (segment: SegmentInput): Content => ({
  segmentId: segment.segmentId,
  sequence: segment.sequence,
  speaker: segment.speaker,
  startMs: segment.startMs,
  endMs: segment.endMs,
  text: segment.text,
  language: segment.language ?? null,
  final: segment.final ? 1 : 0,
  confidence: segment.confidence ?? null,
})

const sameContent = (before: Content, after: Content): boolean =>
  (Object.keys(after) as (keyof Content)[]).every((name) => before[name] === after[name])

/**
 * What a batch changes. The last word on a segment counts, but firm words are never replaced by ones that are not:
 * batches of an agent that was offline may arrive out of order.
 */
const changesOf = (known: readonly SegmentRow[], batch: readonly Content[]): Content[] => {
  const before = new Map<string, Content>(known.map((row) => [row.segmentId, row]))
  const changed = new Map<string, Content>()
  for (const content of batch) {
    const current = changed.get(content.segmentId) ?? before.get(content.segmentId)
    if (current && ((current.final === 1 && content.final === 0) || sameContent(current, content))) continue
    // Taken out first, so that the order of changes is the order in which they came.
    changed.delete(content.segmentId)
    changed.set(content.segmentId, content)
  }
  return [...changed.values()]
}

/** Numbers of changes are no personal data, so the row itself can say which ones it stands for. */
const noteWords = async (
  call: WriteCall<ActorOf<'agent'>>,
  sessionId: string,
  { rows, before, known }: { rows: readonly SegmentRow[]; before: number; known: ReadonlyMap<string, SegmentRow> },
): Promise<void> => {
  const place = { orgId: call.scope.orgId, sessionId }
  const hashes = rows.map((row) => wordsHash(place, row))
  const replaced = rows.flatMap(({ segmentId }) => known.get(segmentId)?.changeSeq ?? [])
  await call.audit.append(call, {
    action: 'session.transcript_changed',
    target: rangeText(sessionId, before, rows.length),
    sessionId,
    ...(rows.length > 0 && { payload: { hashes, replaced } satisfies WordsPayload }),
  })
}

/** What an agent is told of segments that it sent. */
export interface Upserted {
  /** How many were new or changed. */
  readonly upserted: number
  readonly leftOut: number
  readonly leftOutBecause: string | null
}

const othersLeftOut = 'this session keeps the words of the candidate alone; those of other speakers were left out'

/**
 * Stores segments, each once for its `segmentId`. The same content again changes nothing and counts as none. Where the
 * policy keeps the candidate's lane alone, what others said is left out.
 */
export const upsertSegments = async (
  call: WriteCall<ActorOf<'agent'>>,
  { sessionId, segments }: { readonly sessionId: string; readonly segments: readonly SegmentInput[] },
): Promise<Upserted> => {
  const { tx, scope } = call
  const session = await lockSession(call, sessionId)
  const now = call.clock.now()
  admit(session, segments, now)
  const { candidateOnly } = session.config.audio
  const batch = segments.filter(({ speaker }) => !candidateOnly || speaker === 'candidate').map(contentOf)
  const leftOut = segments.length - batch.length
  const ids = [...new Set(batch.map((content) => content.segmentId))]
  const known = new Map((await findSegments(tx, scope, sessionId, ids)).map((row) => [row.segmentId, row]))
  const changed = changesOf([...known.values()], batch)
  const added = changed.filter(({ segmentId }) => !known.has(segmentId)).length
  const before = await takeChanges(tx, scope, sessionId, { count: changed.length, added })
  const rows = changed.map((content, index) => ({
    ...content,
    id: known.get(content.segmentId)?.id ?? call.newId('seg'),
    updatedAt: now,
    changeSeq: before + index + 1,
  }))
  await noteContact(call, sessionId)
  const replaced = rows.map((row) => row.segmentId).filter((segmentId) => known.has(segmentId))
  if (rows.length > 0) await replaceSegments(tx, scope, sessionId, rows, replaced)
  await noteWords(call, sessionId, { rows, before, known })
  if (session.state === 'ended' && rows.length > 0) await noteChange(call, { session, cause: 'evidence' })
  return { upserted: rows.length, leftOut, leftOutBecause: leftOut > 0 ? othersLeftOut : null }
}

/** Every segment of a session in the order of speech, page by page. The caller has found the session. */
export async function* segmentPages(call: Reads, sessionId: string): AsyncGenerator<SegmentRow[]> {
  const take = 500
  for (let last: SegmentRow | undefined; ; ) {
    const after = last && keyOfSegment(last)
    const page = await listSegments(call.reader, call.scope, sessionId, { after, skip: 0, take })
    yield page
    if (page.length < take) return
    last = page.at(-1)
  }
}

export interface TranscriptPage {
  readonly page: PageOf<SegmentRow>
  readonly total: number
  readonly gaps: readonly TranscriptGap[]
  readonly cursor: string
}

const bySpeech = (a: SegmentRow, b: SegmentRow): number =>
  a.startMs - b.startMs || a.sequence - b.sequence || (a.id < b.id ? -1 : 1)

/** Segments count their milliseconds from the start of the session. */
const spokenIn = ({ startedAt }: SessionRow, period: AskedPeriod | undefined): SpokenIn | undefined => {
  const start = startedAt ?? 0
  return period && { fromMs: period.fromAt - start, untilMs: period.untilAt - start }
}

/** The earliest changes after the cursor, so that a poller that takes only first pages still gets everything. */
const readChanges = async (
  { reader, scope }: Reads,
  sessionId: string,
  since: string,
  { query, period }: { readonly query: PageQuery; readonly period: SpokenIn | undefined },
) => {
  const from = decodeCursor(sessionId, since)
  const list: List<SegmentRow> = {
    of: ['transcript', scope, sessionId, since, period],
    kinds: ['number'],
    keyOf: ({ changeSeq }) => [changeSeq],
    fetch: (stretch) => listChanges(reader, scope, sessionId, from, stretch, period),
  }
  const page = await readPage(list, query)
  const total = await countChanges(reader, scope, sessionId, from, period)
  const known = Math.max(from, ...page.rows.map((row) => row.changeSeq))
  return { page: { ...page, rows: page.rows.toSorted(bySpeech) }, total, known }
}

const readAll = async (
  { reader, scope }: Reads,
  sessionId: string,
  { query, period }: { readonly query: PageQuery; readonly period: SpokenIn | undefined },
) => {
  // Before the rows: what changes between the two reads is then told again rather than lost.
  const { seq: upTo, segments } = await transcriptHead(reader, scope, sessionId)
  const total = period ? await countSpoken(reader, scope, sessionId, period) : segments
  const list: List<SegmentRow> = {
    of: ['transcript', scope, sessionId, period],
    kinds: ['number', 'number', 'string'],
    keyOf: keyOfSegment,
    fetch: (stretch) => listSegments(reader, scope, sessionId, stretch, period),
  }
  const page = await readPage(list, query)
  const last = page.nextCursor === null ? undefined : page.rows.at(-1)
  const behind = last ? await firstChangeBehind(reader, scope, sessionId, last) : null
  return { page, total, known: behind === null ? upTo : Math.min(upTo, behind - 1) }
}

/**
 * The transcript in the order of speech (start, sequence, id), or with `since` what changed after that cursor.
 * `cursor` covers everything up to the end of the page and nothing behind it: polling with it, whether or not the
 * pages between were read, misses nothing and may repeat a segment. `gaps` are those of the whole transcript: stretches
 * of at least 5 s between a word and the next one. With a period it is what began to be spoken in it.
 */
export const readTranscript = async (
  call: Reads & Needs<'transcriptGaps'>,
  {
    sessionId,
    query,
  }: { readonly sessionId: string; readonly query: PageQuery & PeriodQuery & { since?: string | undefined } },
): Promise<TranscriptPage> => {
  const { reader, scope } = call
  const session = await getSession(call, sessionId)
  const asked = { query, period: spokenIn(session, askedPeriod(query)) }
  const { page, total, known } =
    query.since === undefined
      ? await readAll(call, session.id, asked)
      : await readChanges(call, session.id, query.since, asked)
  const { seq, segments } = await transcriptHead(reader, scope, session.id)
  const asIs = `${session.id} ${seq} ${segments}`
  const gaps = await call.transcriptGaps.getOrMake(asIs, () => listGaps(reader, scope, session.id, gapMs))
  return { page, total, gaps, cursor: encodeCursor(session.id, known) }
}
