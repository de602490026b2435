import type { LaneName } from '@integrity/protocol'
import type { CapturedItem, HealthReport, Sample } from '../core/capture/types.ts'
import type { LaneListener } from '../core/session/ports.ts'
import type { Clock } from '../shared/clock.ts'
import type { Preview } from '../shared/ipc/window-state.ts'
import type { LaneCounts, RecordedLaneView } from './lane-view.ts'
import { LastMoments } from './last-moments.ts'
import type { Listeners } from './listeners.ts'

/** What the window tells of a running session and the session itself does not keep: counts, last samples, displays. */
export class SessionLedger implements LaneCounts, LaneListener {
  readonly captured = new Map<string, number>()
  readonly lastSampleAt = new Map<string, number>()
  readonly displays = new Map<string, RecordedLaneView['displays'][number]>()
  readonly withdrawn = new Set<LaneName>()
  readonly moments: LastMoments
  readonly #clock: Pick<Clock, 'wallMs'>

  /** By this computer's clock. */
  constructor(clock: Pick<Clock, 'wallMs'>, previews: Pick<Listeners<Preview>, 'tell'>) {
    this.#clock = clock
    this.moments = new LastMoments((preview) => previews.tell(preview))
  }

  stored(lane: string): void {
    this.captured.set(lane, (this.captured.get(lane) ?? 0) + 1)
  }

  sample(lane: LaneName, { levelDb }: Pick<Sample, 'levelDb'> = {}): void {
    this.lastSampleAt.set(lane, this.#clock.wallMs())
    if (levelDb !== undefined) this.moments.level(lane, levelDb)
  }

  item(item: CapturedItem): void {
    void this.moments.item(item)
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
