import type { ByteRange } from '../../../kernel/content.ts'

/** So many bytes of what is kept, and then those of an evidence object. */
type Run = readonly [keptBytes: number, evidenceId: string, evidenceBytes: number]

/** How a bundle is put together: a stored part for what was written for it, and the evidence as it is in the store. */
export interface BundlePlan {
  /** Whether evidence is in age files, which means its sealed bytes. */
  readonly sealed: boolean
  readonly runs: readonly Run[]
}

export type Piece =
  | ({ readonly from: 'kept' } & ByteRange)
  | ({ readonly from: 'evidence'; readonly id: string } & ByteRange)

/** Which pieces make a range of a bundle, in their order; ranges are those within what is kept or within the object. */
export function* piecesOf(plan: BundlePlan, sizeBytes: number, range: ByteRange): Generator<Piece> {
  let at = 0
  let kept = 0
  const within = (length: number): ByteRange | undefined => {
    const [start, end] = [Math.max(range.start, at) - at, Math.min(range.end, at + length) - at]
    return start < end ? { start, end } : undefined
  }
  const ofKept = function* (length: number): Generator<Piece> {
    const part = within(length)
    if (part) yield { from: 'kept', start: kept + part.start, end: kept + part.end }
    at += length
    kept += length
  }
  for (const [keptBytes, id, evidenceBytes] of plan.runs) {
    yield* ofKept(keptBytes)
    const part = within(evidenceBytes)
    if (part) yield { from: 'evidence', id, ...part }
    at += evidenceBytes
  }
  yield* ofKept(sizeBytes - at)
}
