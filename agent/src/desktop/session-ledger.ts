import type { LaneName } from '@integrity/protocol'
import type { CapturePort, ObserversPort } from '../core/session/ports.ts'
import type { LaneCounts, RecordedLaneView } from './lane-view.ts'

/** What the window tells of a running session and the session itself does not keep: counts, last samples, displays. */
export class SessionLedger implements LaneCounts {
  readonly captured = new Map<string, number>()
  readonly lastSampleAt = new Map<string, number>()
  readonly displays = new Map<string, RecordedLaneView['displays'][number]>()
  readonly withdrawn = new Set<LaneName>()

  stored(lane: string): void {
    this.captured.set(lane, (this.captured.get(lane) ?? 0) + 1)
  }

  /** The same observers, whose observations are also counted. */
  watchObservers(observers: ObserversPort, now: () => number): ObserversPort {
    return {
      capabilities: () => observers.capabilities(),
      start: (sink, config) =>
        observers.start(
          {
            emit: (observation) => {
              this.stored('signals')
              this.lastSampleAt.set('signals', now())
              sink.emit(observation)
            },
            gap: (gap) => sink.gap(gap),
          },
          config,
        ),
      stop: () => observers.stop(),
    }
  }

  /** The same lanes, whose reports are also read here. `now` gives epoch ms by this computer's clock. */
  watch(capture: CapturePort, now: () => number): CapturePort {
    return {
      apply: (lanes, config, sink) =>
        capture.apply(lanes, config, {
          item: (item) => sink.item(item),
          unchanged: (displayId, at) => sink.unchanged(displayId, at),
          gap: (gap) => sink.gap(gap),
          health: (report) => {
            const { lane, displayId, state, reason } = report
            if (lane === 'screen' && displayId !== undefined)
              this.displays.set(displayId, { id: displayId, state, ...(reason === undefined ? {} : { reason }) })
            sink.health(report)
          },
          sample: (lane) => {
            this.lastSampleAt.set(lane, now())
          },
        }),
      pause: () => capture.pause(),
      resume: () => capture.resume(),
      stop: () => capture.stop(),
      setQuality: (level) => capture.setQuality(level),
      takeCoverage: () => capture.takeCoverage(),
      health: () => capture.health(),
    }
  }
}
