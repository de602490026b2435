import type { EvidenceSource } from '@integrity/protocol'
import type { Reads } from '../../../kernel/call.ts'
import { sourceOf, typesOfSource } from './evidence.source.model.ts'
import type { EvidenceRow } from './evidence.types.ts'
import { everFrom, everUntil, type IndexRow, listForIndex, listInSpan } from './spans.store.ts'

interface SourceSpan {
  readonly sessionId: string
  readonly source: EvidenceSource
  /** Epoch milliseconds; from the first item unless given. */
  readonly fromAt?: number | undefined
  /** Left out itself; to the last item unless given. */
  readonly untilAt?: number | undefined
  /** So many at most. */
  readonly take: number
}

/** When it is played. Epoch milliseconds. */
export const playedAtOf = ({ playedAt, capturedAt }: Pick<EvidenceRow, 'capturedAt' | 'playedAt'>): number =>
  playedAt ?? capturedAt

/** The first so many of what a source recorded in a stretch of time, tombstones too, as it is played. The caller has found the session. */
export const itemsOfSource = (
  { reader, scope }: Reads,
  { source, fromAt = everFrom, untilAt = everUntil, sessionId, take }: SourceSpan,
): Promise<EvidenceRow[]> =>
  listInSpan(
    reader,
    scope,
    { sessionId, source, fromAt, untilAt, evidenceTypes: typesOfSource(source) },
    { skip: 0, take },
  )

/** Whether a row that was found for a source is of it: rows from before the column say so in what the agent said of them. */
export const isOfSource = (row: EvidenceRow, source: EvidenceSource): boolean =>
  row.source !== null || sourceOf(row) === source

export interface IndexItem extends Omit<IndexRow, 'source' | 'metadata' | 'sentBy' | 'evidenceType'> {
  readonly source: EvidenceSource
}

/** What is kept of a session, in the order in which it is played, the first so many of its types. The caller has found the session. */
export const indexItems = async (
  { reader, scope }: Reads,
  { sessionId, take }: { readonly sessionId: string; readonly take: number },
): Promise<IndexItem[]> => {
  const rows = await listForIndex(reader, scope, sessionId, take)
  return rows
    .map(({ metadata, sentBy, evidenceType, source, ...row }) => ({
      ...row,
      source: sourceOf({ metadata, sentBy, evidenceType, source }),
    }))
    .sort((a, b) => playedAtOf(a) - playedAtOf(b))
}
