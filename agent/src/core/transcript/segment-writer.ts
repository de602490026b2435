import { randomUUID } from 'node:crypto'
import type { Clock } from '../../shared/clock.ts'
import type { Recognised } from './types.ts'

export type Speaker = 'candidate' | 'interviewer' | 'unknown'

/** A segment as the service takes it. Times are milliseconds since the session started. */
export interface Segment {
  readonly segmentId: string
  readonly sequence: number
  readonly speaker: Speaker
  readonly startMs: number
  readonly endMs: number
  readonly text: string
  readonly language?: string | undefined
  readonly final: boolean
  readonly confidence?: number | undefined
}

/** Where segments become durable; a later one with the same id takes the place of the earlier. */
export interface SegmentStore {
  /** Counts the segments of a session from 0, over restarts. */
  nextSequence(): number
  /** Durable when it returns. */
  put(segment: Segment): void
}

/** Words that are not firm yet are told at most this often for each speaker. */
const partialEveryMs = 2000
/** The service takes no longer text in one segment. */
const longestText = 4000

export interface SegmentWriterOptions {
  readonly speaker: Speaker
  readonly language: string | undefined
  readonly store: SegmentStore
  readonly clock: Clock
}

/** Makes segments of what an engine says: the same segment from its first words until they are firm. */
export class SegmentWriter {
  readonly #options: SegmentWriterOptions
  #open: { readonly segmentId: string; readonly sequence: number } | undefined
  #lastPartial = Number.NEGATIVE_INFINITY

  constructor(options: SegmentWriterOptions) {
    this.#options = options
  }

  /** `recognised` with its times put to the session's. Throws what the store throws. */
  write({ startMs, endMs, text, final, confidence }: Recognised): void {
    const { store, speaker, language, clock } = this.#options
    if (!final) {
      const now = clock.monotonicMs()
      if (text === '' || now - this.#lastPartial < partialEveryMs) return
      this.#lastPartial = now
    }
    // Words that were told and are taken back leave an empty segment; none that was never told.
    if (text === '' && !this.#open) return
    const identity = this.#open ?? { segmentId: randomUUID(), sequence: store.nextSequence() }
    this.#open = final ? undefined : identity
    const from = Math.max(0, Math.round(startMs))
    store.put({
      ...identity,
      speaker,
      startMs: from,
      endMs: Math.max(from, Math.round(endMs)),
      text: text.slice(0, longestText),
      language,
      final,
      confidence,
    })
  }

  /** The engine is gone: words that were not firm stay as they were told. */
  abandon(): void {
    this.#open = undefined
  }
}
