import type { SessionConfig } from '@integrity/protocol'
import { type CaptureConfig, defaultCaptureConfig, type LaneName } from '../../core/capture/types.ts'
import type { QualityLevel } from '../../core/upload/bandwidth.ts'
import type { Environment } from '../../shared/child-process.ts'

/** What this machine's command line says about its sources. */
export interface Sources {
  readonly cameraFile?: string | undefined
  /** A device such as `/dev/video0`. */
  readonly cameraDevice?: string | undefined
  readonly micSource?: string | undefined
  readonly systemSource?: string | undefined
  readonly env?: Environment | undefined
}

/** Share of the policy's still quality at each level. */
const qualityShares: Readonly<Record<QualityLevel, number>> = { 0: 1, 1: 0.8, 2: 0.6, 3: 0.4 }
const leastQuality = 10

const cameraSource = ({ cameraFile, cameraDevice }: Sources): Pick<CaptureConfig['camera'], 'source'> => {
  if (cameraFile !== undefined) return { source: { kind: 'file', path: cameraFile } }
  return cameraDevice === undefined ? {} : { source: { kind: 'device', path: cameraDevice } }
}

/** The session's policy as the lanes' drivers take it. */
export const toCaptureConfig = (config: SessionConfig, sources: Sources, level: QualityLevel): CaptureConfig => {
  const { capture, audio, camera } = config
  const stillIntervalMs = capture.screenshotIntervalSeconds * 1000
  const sound = (source: string | undefined) => ({
    ...defaultCaptureConfig.microphone,
    chunkSeconds: audio.chunkSeconds,
    ...(source === undefined ? {} : { source }),
  })
  return {
    screen: {
      ...defaultCaptureConfig.screen,
      stillIntervalMs,
      keyframeIntervalMs: Math.max(defaultCaptureConfig.screen.keyframeIntervalMs, stillIntervalMs),
      quality: Math.max(leastQuality, Math.round(capture.quality * qualityShares[level])),
      clips: { ...defaultCaptureConfig.screen.clips, enabled: capture.recording },
    },
    microphone: sound(sources.micSource),
    systemAudio: sound(sources.systemSource),
    camera: {
      ...defaultCaptureConfig.camera,
      stills: camera.stills,
      stillIntervalMs: camera.stillIntervalSeconds * 1000,
      clips: camera.clips,
      clipSeconds: camera.clipSeconds,
      ...cameraSource(sources),
    },
    ...(sources.env ? { env: sources.env } : {}),
  }
}

/** The part of it that a lane goes by. */
export const sectionOf = (config: CaptureConfig, lane: LaneName): unknown =>
  lane === 'system_audio' ? config.systemAudio : config[lane]
