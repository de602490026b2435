import type { Clock } from '../shared/clock.ts'
import { createCameraDriver } from './drivers/camera.ts'
import { createFfmpegMicrophoneDriver, createSoxMicrophoneDriver } from './drivers/microphone.ts'
import { createScreenClipsDriver } from './drivers/screen-clips.ts'
import { createScreenStillsDriver, nativeGrabber, x11Grabber } from './drivers/screen-stills.ts'
import { createSystemAudioDriver } from './drivers/system-audio.ts'
import { createLane, type Lane, type LaneOptions } from './lane.ts'
import type { CaptureConfig, LaneName, LaneSink } from './types.ts'

export type CreateLanesOptions = {
  /** The lanes that have consent; no other is made. */
  lanes: LaneName[]
  sink: LaneSink
  config: CaptureConfig
  clock?: Clock
  onTrouble?: LaneOptions['onTrouble']
}

/** Makes the consented lanes with this machine's drivers, in order of preference. None is started. */
export const createLanes = ({ lanes, sink, config, clock, onTrouble }: CreateLanesOptions): Map<LaneName, Lane> => {
  const drivers: Record<LaneName, () => Pick<LaneOptions, 'drivers' | 'extras'>> = {
    screen: () => ({
      drivers: [createScreenStillsDriver(nativeGrabber, clock), createScreenStillsDriver(x11Grabber, clock)],
      extras: config.screen.clips.enabled ? [createScreenClipsDriver(clock)] : [],
    }),
    microphone: () => ({ drivers: [createSoxMicrophoneDriver(clock), createFfmpegMicrophoneDriver(clock)] }),
    system_audio: () => ({ drivers: [createSystemAudioDriver(clock)] }),
    camera: () => ({ drivers: [createCameraDriver(clock)] }),
  }
  const made = new Map<LaneName, Lane>()
  for (const lane of new Set(lanes)) {
    made.set(lane, createLane({ lane, ...drivers[lane](), sink, config, clock, onTrouble }))
  }
  return made
}
