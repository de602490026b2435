import { createLane, type Lane, type LaneOptions } from '../../core/capture/lane.ts'
import type { CaptureConfig, Driver, LaneName, LaneSink } from '../../core/capture/types.ts'
import type { Clock } from '../../shared/clock.ts'
import { createCameraDriver } from '../camera/camera.ts'
import type { PageLinks } from '../page/page-links.ts'
import { createWebCameraDriver } from '../page/web-camera.ts'
import { createWebScreenDriver } from '../page/web-screen.ts'
import { createWebScreenClipsDriver } from '../page/web-screen-clips.ts'
import { createWebMicrophoneDriver, createWebSystemAudioDriver } from '../page/web-sound.ts'
import { createScreenClipsDriver } from '../screen/screen-clips.ts'
import { createScreenStillsDriver, nativeGrabber, x11Grabber } from '../screen/screen-stills.ts'
import { createPulseMicrophoneDriver, createSoxMicrophoneDriver } from '../sound/microphone.ts'
import { createPulseSystemAudioDriver } from '../sound/system-audio.ts'

export interface CreateLanesOptions {
  /** The lanes that have consent; no other is made. */
  lanes: LaneName[]
  sink: LaneSink
  config: CaptureConfig
  clock?: Clock
  onTrouble?: LaneOptions['onTrouble']
  /** The conversation with the hidden capture page, where there is one: the same for every call. */
  web?: PageLinks
  platform?: NodeJS.Platform
}

type LaneDrivers = Pick<LaneOptions, 'drivers' | 'extras'>

const nodeDrivers = (lane: LaneName, clock: Clock | undefined): Driver[] => {
  switch (lane) {
    case 'screen':
      return [createScreenStillsDriver(nativeGrabber, clock), createScreenStillsDriver(x11Grabber, clock)]
    case 'microphone':
      return [createPulseMicrophoneDriver(clock), createSoxMicrophoneDriver(clock)]
    case 'system_audio':
      return [createPulseSystemAudioDriver(clock)]
    case 'camera':
      return [createCameraDriver(clock)]
  }
}

const webDriver = (lane: LaneName, web: PageLinks, clock: Clock | undefined, platform: NodeJS.Platform): Driver => {
  switch (lane) {
    case 'screen':
      return createWebScreenDriver(web, clock)
    case 'microphone':
      return createWebMicrophoneDriver(web, clock, platform)
    case 'system_audio':
      return createWebSystemAudioDriver(web, clock, platform)
    case 'camera':
      return createWebCameraDriver(web, clock)
  }
}

/**
 * The drivers of a lane in order of preference. On Linux those of Node know the displays and the sound server best; on
 * macOS and Windows permission is given to the program that holds the capture page, which is therefore tried first.
 */
const driversOf = (
  lane: LaneName,
  { config, clock, web, platform = process.platform }: CreateLanesOptions,
): LaneDrivers => {
  const node = nodeDrivers(lane, clock)
  const page = web ? [webDriver(lane, web, clock, platform)] : []
  const nodeFirst = platform === 'linux'
  const drivers = nodeFirst ? [...node, ...page] : [...page, ...node]
  if (lane !== 'screen' || !config.screen.clips.enabled) return { drivers }
  return {
    drivers,
    extras: [web && !nodeFirst ? createWebScreenClipsDriver(web, clock) : createScreenClipsDriver(clock)],
  }
}

/** Makes the consented lanes with this machine's drivers, in order of preference. None is started. */
export const createLanes = (options: CreateLanesOptions): Map<LaneName, Lane> => {
  const { lanes, sink, config, clock, onTrouble } = options
  const made = new Map<LaneName, Lane>()
  for (const lane of new Set(lanes)) {
    made.set(lane, createLane({ lane, ...driversOf(lane, options), sink, config, clock, onTrouble }))
  }
  return made
}
