import type { EvidenceType } from '../lanes/lanes.evidence.ts'
import type { SessionConfig } from './sessions.config.ts'

/**
 * How much of each thing one session holds. No interview comes near; what goes beyond is refused in words, so that reading
 * a session costs the same whoever filled it.
 */
export const sessionBounds = {
  /** Displays that its lanes tell of. */
  displays: 16,
  /** Gaps, once those of one lane, display and reason that touch or overlap are joined. */
  gaps: 2000,
  /** Stretches of coverage, once neighbours are joined that observed all or nothing of what they expected. */
  windows: 5000,
  /** Kinds of event that are not in the registry. */
  otherKinds: 200,
} as const

const MiB = 1024 * 1024

/**
 * How much a session may store by the minutes that it has run: four times what an agent sends at its busiest, and `atOnce` beside
 * it for what comes in a burst. Bytes of events are those of their `data` as JSON.
 */
export const sessionRoom = {
  events: { atOnce: 20_000, perMinute: 480 },
  eventBytes: { atOnce: 16 * MiB, perMinute: 256 * 1024 },
  evidenceBytes: { atOnce: 4096 * MiB },
} as const

const generosity = 4
/** Displays whose pictures are reckoned with. */
const displays = 4
/** A still of a large display, a minute of film at 10 Mbit/s, a minute of sound as WAV. */
const sizes = { still: 2 * MiB, filmMinute: 75 * MiB, soundMinute: 12 * MiB } as const

/**
 * Bytes of evidence for which a session has room in a minute, by what its policy asks for. `wasOn` tells of a type that the policy
 * asked for earlier.
 */
export const evidenceBytesPerMinute = (
  { capture, audio, camera, sideView }: SessionConfig,
  wasOn: (type: EvidenceType) => boolean = () => false,
): number => {
  const on = (asked: boolean, type: EvidenceType): number => (asked || wasOn(type) ? 1 : 0)
  const asked =
    on(capture.enabled, 'screenshot') * ((displays * 60 * sizes.still) / capture.screenshotIntervalSeconds) +
    on(capture.recording, 'screen_clip') * displays * sizes.filmMinute +
    on(audio.microphone, 'audio_chunk') * sizes.soundMinute +
    on(audio.systemAudio && !audio.candidateOnly, 'system_audio_chunk') * sizes.soundMinute +
    on(camera.stills, 'camera_frame') * ((60 * sizes.still) / camera.stillIntervalSeconds) +
    on(camera.clips, 'camera_clip') * sizes.filmMinute +
    on(sideView.recording, 'side_view_clip') * sizes.filmMinute
  return Math.ceil(generosity * asked)
}
