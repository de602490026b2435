import type { GapReason, LaneName } from '@integrity/protocol'

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
