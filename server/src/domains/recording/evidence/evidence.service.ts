import { type EvidenceType, evidenceTypeNames, notFound, ServiceError } from '@integrity/protocol'
import type { AskedPeriod } from '../../../kernel/asked-period.ts'
import type { Needs, Reads, WriteCall, Writes } from '../../../kernel/call.ts'
import { downloadLink } from '../../../kernel/download-links.ts'
import { type List, type PageQuery, pageView, readPage } from '../../../kernel/paging.ts'
import { getSession } from '../../interviews/sessions/sessions.read.service.ts'
import {
  type CountRow,
  findByBytes,
  findByClientId,
  findEvidence,
  findLastCaptured,
  listByPosition,
  listCounts,
  markUndecodable,
  type Place,
} from './evidence.store.ts'
import type { EvidenceRow } from './evidence.types.ts'
import { evidenceView } from './evidence.view.ts'
import { countRooms } from './held.store.ts'
import { keyOfPlay, listByCapture } from './playback.store.ts'
import { countInSpan, listInSpan, type Span } from './spans.store.ts'

export const findEvidenceOf = (call: Reads, evidenceId: string): Promise<EvidenceRow | undefined> =>
  findEvidence(call.reader, call.scope, evidenceId)

export const getEvidence = async (call: Reads, evidenceId: string): Promise<EvidenceRow> => {
  const row = await findEvidenceOf(call, evidenceId)
  if (!row) throw notFound('evidence')
  return row
}

/** A tombstone is found, its content is not. */
export const contentErased = () => new ServiceError('not_found', 'the content of this evidence was erased')

/** What a session already holds under this clientId, and which row's object holds the same bytes. */
export const findStored = async (
  call: Reads,
  item: Place & { readonly clientId: string; readonly sha256: string },
): Promise<{ same: EvidenceRow | undefined; bytes: EvidenceRow | undefined }> => {
  const { reader, scope } = call
  const same = await findByClientId(reader, scope, item, item.clientId)
  return { same, bytes: same ?? (await findByBytes(reader, scope, item, item.sha256)) }
}

export interface ListOptions {
  readonly evidenceType?: EvidenceType | undefined
  /** `playback`: by the instant of capture, sound as it was numbered; `stored` (the usual one): as they came. */
  readonly order?: 'stored' | 'playback'
  /** What was captured in it, in the order in which it is played. */
  readonly period?: AskedPeriod | undefined
}

const totalOf = (counts: readonly CountRow[], type: EvidenceType | undefined): number =>
  counts.reduce((sum, row) => (type === undefined || row.evidenceType === type ? sum + row.objects : sum), 0)

/** A page of a session's evidence; `total` comes from kept counts. Throws `not_found` for a foreign session. */
export const listEvidence = async (
  call: Reads,
  {
    sessionId,
    options,
    query,
  }: { readonly sessionId: string; readonly options: ListOptions; readonly query: PageQuery },
) => {
  const { reader, scope } = call
  await getSession(call, sessionId)
  const total = options.period
    ? await countInSpan(reader, scope, spanOf(sessionId, options.evidenceType, options.period))
    : totalOf(await listCounts(reader, scope, sessionId), options.evidenceType)
  return pageView(await readPage(listOf(call, sessionId, options), query), total, evidenceView)
}

const spanOf = (sessionId: string, evidenceType: EvidenceType | undefined, period: AskedPeriod): Span => ({
  ...period,
  sessionId,
  evidenceTypes: evidenceType === undefined ? evidenceTypeNames : [evidenceType],
})

const listOf = (
  { reader, scope }: Reads,
  sessionId: string,
  { evidenceType, order, period }: ListOptions,
): List<EvidenceRow> => {
  const of = ['evidence', scope, sessionId, evidenceType, order, period]
  if (period)
    return {
      of,
      kinds: ['number', 'number', 'number'],
      keyOf: keyOfPlay,
      fetch: (stretch) => listInSpan(reader, scope, spanOf(sessionId, evidenceType, period), stretch),
    }
  if (order === 'playback' && evidenceType !== undefined)
    return {
      of,
      kinds: ['number', 'number', 'number'],
      keyOf: keyOfPlay,
      fetch: (stretch) => listByCapture(reader, scope, { sessionId, evidenceType }, stretch),
    }
  return {
    of,
    kinds: ['number'],
    keyOf: ({ position, typePosition }) => [evidenceType === undefined ? position : typePosition],
    // Positions are dense: rows before this place are as many as its position says.
    dense: true,
    fetch: ({ after, skip, take }) =>
      listByPosition(reader, scope, sessionId, evidenceType, { limit: take, offset: Number(after?.[0] ?? 0) + skip }),
  }
}

/** Every object of a session in the order of storing, tombstones too, page by page. The caller has found the session. */
export async function* evidencePages(call: Reads, sessionId: string): AsyncGenerator<EvidenceRow[]> {
  const limit = 500
  for (let offset = 0; ; offset += limit) {
    const page = await listByPosition(call.reader, call.scope, sessionId, undefined, { limit, offset })
    yield page
    if (page.length < limit) return
  }
}

/** Objects of a session in the order of storing, tombstones too, behind so many others. The caller has found the session. */
export const storedAfter = (
  call: Reads,
  { sessionId, after, limit }: { readonly sessionId: string; readonly after: number; readonly limit: number },
): Promise<EvidenceRow[]> => listByPosition(call.reader, call.scope, sessionId, undefined, { limit, offset: after })

/** The still of a display or of the camera that was captured last. */
export const latestStill = async (call: Reads, sessionId: string): Promise<EvidenceRow | undefined> => {
  const types = ['screenshot', 'camera_frame'] as const
  const stills = await Promise.all(
    types.map((evidenceType) => findLastCaptured(call.reader, call.scope, { sessionId, evidenceType })),
  )
  return stills
    .filter((still) => still !== undefined)
    .reduce<EvidenceRow | undefined>(
      (last, next) => (last && last.capturedAt >= next.capturedAt ? last : next),
      undefined,
    )
}

/** Some of a session's evidence was looked at, and could not be decoded. */
export const noteUndecodable = (
  { tx, scope }: Pick<Writes, 'tx' | 'scope'>,
  { sessionId, evidenceIds }: { readonly sessionId: string; readonly evidenceIds: readonly string[] },
): Promise<void> => markUndecodable(tx, scope, sessionId, evidenceIds)

/** For the report: what is there of each type. `objects` counts tombstones too, `sizeBytes` only what is kept. */
export const evidenceInventory = (call: Reads, sessionId: string): Promise<CountRow[]> =>
  listCounts(call.reader, call.scope, sessionId)

/** How much of it the cameras in rooms sent, whose type is that of the webcam's pictures. */
export const countFromRooms = (call: Reads, sessionId: string): Promise<number> =>
  countRooms(call.reader, call.scope, sessionId)

/** Reads one object's metadata and records who did. */
export const viewEvidence = async (call: WriteCall, evidenceId: string) => {
  const row = await getEvidence(call, evidenceId)
  await call.audit.append(call, {
    action: 'evidence.viewed',
    target: row.id,
    sessionId: row.sessionId,
  })
  return evidenceView(row)
}

/** A URL that opens an object's bytes without a key for five minutes. Whoever gives it out accounts for it. */
export const downloadUrlOf = (call: Parameters<typeof downloadLink>[0], evidenceId: string) =>
  downloadLink(call, { kind: 'evidence', objectId: evidenceId, path: `/v1/api/evidence/${evidenceId}/content` })

/** The same for an object that is there, audited. Throws `not_found` once it was erased. */
export const mintDownloadUrl = async (call: WriteCall & Needs<'config' | 'downloadKey'>, evidenceId: string) => {
  const row = await getEvidence(call, evidenceId)
  if (row.erasedAt !== null) throw contentErased()
  const minted = downloadUrlOf(call, row.id)
  await call.audit.append(call, {
    action: 'evidence.download_link_created',
    target: row.id,
    sessionId: row.sessionId,
    payload: { expiresAt: minted.expiresAt },
  })
  return minted
}
