import type { AgentEvidenceType } from '@integrity/protocol'
import type { CapturedItem, Gap, HealthReport, LaneSink } from '../../src/core/capture/types.ts'

/** A lane sink that keeps everything in memory, in order. */
export type RecordingSink = LaneSink & {
  items: CapturedItem[]
  unchangedFrames: { displayId: string; at: number }[]
  gaps: Gap[]
  healthReports: HealthReport[]
  ofKind(kind: AgentEvidenceType): CapturedItem[]
}

export const recordingSink = (): RecordingSink => {
  const items: CapturedItem[] = []
  const unchangedFrames: { displayId: string; at: number }[] = []
  const gaps: Gap[] = []
  const healthReports: HealthReport[] = []
  return {
    items,
    unchangedFrames,
    gaps,
    healthReports,
    item: async (item) => {
      items.push(item)
      return true
    },
    unchanged: (displayId, at) => {
      unchangedFrames.push({ displayId, at })
    },
    gap: (gap) => {
      gaps.push(gap)
    },
    health: (report) => {
      healthReports.push(report)
    },
    ofKind: (kind) => items.filter((item) => item.kind === kind),
  }
}
