import type { CaptureConfig, DriverSink, ItemMeta } from '../../core/capture/types.ts'
import type { Clock } from '../../shared/clock.ts'
import { type Fingerprint, hashText, sameFrame } from './fingerprint.ts'
import { lookIntervalMs } from './pictures.ts'

/** Frames are looked at even when stills are rare, so that a dead grabber shows within the time-out. */
export const screenLookMs = (config: CaptureConfig): number => lookIntervalMs(config.screen.stillIntervalMs)

/** A frame of one display, in memory. `encode` makes a WebP picture of it, at a quality of 1 to 100. */
export interface StillFrame {
  displayId: string
  width: number
  height: number
  print: Fingerprint
  encode: (quality: number) => Promise<Buffer>
  /** One for whoever looks through many, at most 160 pixels a side and 4 kB. */
  small: () => Promise<Buffer | undefined>
  meta?: ItemMeta
}

interface LastStill {
  print: Fingerprint
  lookedMono: number
  deliveredMono: number
}

export interface StillRecorder {
  /** Takes a frame seen at `at` (epoch ms); `trigger` says what asked for it out of turn. */
  look(frame: StillFrame, at: number, trigger: string | undefined): Promise<void>
}

/**
 * Decides which frames of displays become stills: one an interval and one for each trigger, unless the display shows
 * what its last still shows, which is told instead; then one at every keyframe interval all the same.
 */
export const createStillRecorder = (sink: DriverSink, config: CaptureConfig, clock: Clock): StillRecorder => {
  const last = new Map<string, LastStill>()
  const { stillIntervalMs, keyframeIntervalMs, quality } = config.screen
  return {
    look: async ({ displayId, width, height, print, encode, small, meta }, at, trigger) => {
      const mono = clock.monotonicMs()
      sink.sample({ at, displayId, varies: print.varies })
      const before = last.get(displayId)
      // The nearest look is taken: a timer that fires a moment early must not cost a whole sampling interval.
      const due = stillIntervalMs - screenLookMs(config) / 2
      if (before && trigger === undefined && mono - before.lookedMono < due) return
      const stale = !before || mono - before.deliveredMono >= keyframeIntervalMs
      if (!stale && sameFrame(before.print, print)) {
        before.lookedMono = mono
        return sink.unchanged(displayId, at)
      }
      const bytes = await encode(quality)
      await sink.item({
        kind: 'screenshot',
        lane: 'screen',
        displayId,
        capturedAt: at,
        monotonicMs: mono,
        contentType: 'image/webp',
        bytes,
        small: await small(),
        meta: { ...meta, width, height, hash: hashText(print), trigger: trigger ?? 'interval' },
      })
      last.set(displayId, { print, lookedMono: mono, deliveredMono: mono })
    },
  }
}
