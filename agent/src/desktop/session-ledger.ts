import type { LaneName } from '@integrity/protocol'
import type { HealthReport } from '../core/capture/types.ts'
import type { LaneListener } from '../core/session/ports.ts'
import type { LaneCounts, RecordedLaneView } from './lane-view.ts'

/** What the window tells of a running session and the session itself does not keep: counts, last samples, displays. */
export class SessionLedger implements LaneCounts, LaneListener {
  readonly captured = new Map<string, number>()
  readonly lastSampleAt = new Map<string, number>()
  readonly displays = new Map<string, RecordedLaneView['displays'][number]>()
  readonly withdrawn = new Set<LaneName>()
  readonly #now: () => number

  /** `now` gives epoch ms by this computer's clock. */
  constructor(now: () => number) {
    this.#now = now
  }

  stored(lane: string): void {
    this.captured.set(lane, (this.captured.get(lane) ?? 0) + 1)
  }

  sample(lane: LaneName): void {
    this.lastSampleAt.set(lane, this.#now())
  }

  observation(): void {
    this.stored('signals')
    this.sample('signals')
  }

  health({ lane, displayId, state, reason }: HealthReport): void {
    if (lane !== 'screen' || displayId === undefined) return
    this.displays.set(displayId, { id: displayId, state, ...(reason === undefined ? {} : { reason }) })
  }
}
