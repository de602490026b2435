import type { View } from './view.ts'

/** What is wanted and what has arrived, together: `loading` waits for it, `failed` could not get it. */
export type Phase = 'paused' | 'playing' | 'loading' | 'scrubbing' | 'ended' | 'failed'

export interface Playing {
  readonly phase: Phase
  /** Whether it plays as soon as it can. */
  readonly wanted: boolean
  readonly atMs: number
  readonly rate: number
  readonly views: ReadonlyMap<string, View>
  readonly problem: unknown
}
