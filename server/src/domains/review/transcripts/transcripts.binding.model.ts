import { hash } from 'node:crypto'
import type { SegmentRow } from './transcripts.types.ts'

/** What the payload of a batch's audit row says, so that the words as they stand can be held against all batches together. */
export interface WordsPayload {
  /** Of its segments, in the order of their numbers. */
  readonly hashes: readonly string[]
  /** Numbers of earlier changes whose segments these replaced. */
  readonly replaced: readonly number[]
}

/** SHA-256, in hex, over a segment as it is stored (docs/proof.md). */
export const wordsHash = (
  { orgId, sessionId }: { readonly orgId: string; readonly sessionId: string },
  row: SegmentRow,
): string =>
  hash(
    'sha256',
    JSON.stringify([
      ...['session-words/1', orgId, sessionId, row.changeSeq, row.id, row.segmentId, row.sequence, row.speaker],
      ...[row.startMs, row.endMs, row.language, row.final, row.confidence, row.updatedAt, row.text],
    ]),
    'hex',
  )
