export interface SegmentRow {
  readonly id: string
  /** The client's own id. */
  readonly segmentId: string
  readonly sequence: number
  readonly speaker: 'candidate' | 'interviewer' | 'unknown'
  /** Since the session started. */
  readonly startMs: number
  readonly endMs: number
  readonly text: string
  readonly language: string | null
  readonly final: 0 | 1
  readonly confidence: number | null
  readonly updatedAt: number
  /** Place in the session's order of changes; a segment that changes again gets a new one. */
  readonly changeSeq: number
}
