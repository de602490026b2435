import type { Item } from '../../recording/evidence/evidence.types.ts'

/** What was captured at one instant. */
export interface Shot {
  readonly index: number
  readonly at: number
  /** Place among the shots of the run, from 0. */
  readonly number: number
  readonly interviewSeconds: number
  /** The instant of the shot before, or of the start. */
  readonly since: number
}

export interface Made extends Pick<Item, 'contentType' | 'capturedAt' | 'durationMs' | 'metadata'> {
  readonly bytes: Buffer
}

/** A sound, whose length is known. */
export interface MadeSound extends Made {
  readonly durationMs: number
}
