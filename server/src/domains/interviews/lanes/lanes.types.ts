import type { GapReason, LaneName, readKinds } from '@integrity/protocol'
import type * as z from 'zod'

export type ReadKind = keyof typeof readKinds
/** An event that the service reads. `at` is when it was observed, epoch milliseconds. */
export type LaneReport = {
  [K in ReadKind]: { kind: K; data: z.output<(typeof readKinds)[K]>; at: number; clientId: string }
}[ReadKind]

export interface LaneWindow {
  readonly lane: LaneName
  readonly displayId: string
  readonly fromAt: number
  readonly toAt: number
  readonly expectedSeconds: number
  readonly observedSeconds: number
}

export interface LaneGap {
  readonly lane: LaneName
  readonly displayId: string
  readonly fromAt: number
  readonly toAt: number
  readonly reason: GapReason
}
