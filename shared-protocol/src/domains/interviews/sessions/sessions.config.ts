import * as z from 'zod'
import type { EvidenceType } from '../lanes/lanes.evidence.ts'
import { laneName } from '../lanes/lanes.registry.ts'
import { aidName, aidNames, breaks, keptAid } from './sessions.aids.ts'

const flag = (byDefault: boolean, description: string) => z.boolean().default(byDefault).meta({ description })
const whole = (min: number, max: number, byDefault: number, description: string) =>
  z
    .number()
    .int()
    .min(min)
    .max(max)
    .default(byDefault)
    .meta({ description: `${description}; ${min} to ${max}` })

export const captureConfig = z.object({
  enabled: flag(true, 'screen lane on'),
  screenshotIntervalSeconds: whole(1, 3600, 10, 'seconds between stills of each display'),
  quality: whole(10, 100, 75, 'encoder quality of stills'),
  recording: flag(false, 'screen clips beside the stills'),
})
export const audioConfig = z.object({
  enabled: flag(true, 'switches all sound lanes off at once when false'),
  microphone: flag(true, 'microphone lane on'),
  systemAudio: flag(true, 'system-audio lane on'),
  transcript: flag(false, 'transcript lane on'),
  candidateOnly: flag(
    false,
    'only the side of the candidate is recorded: no system-audio lane, and no words of others in the transcript',
  ),
  chunkSeconds: whole(2, 60, 10, 'length of a sound chunk in seconds'),
})
export const cameraConfig = z.object({
  enabled: flag(true, 'webcam lane on'),
  stills: flag(true, 'webcam stills'),
  stillIntervalSeconds: whole(1, 3600, 15, 'seconds between webcam stills'),
  clips: flag(false, 'short webcam clips'),
  clipSeconds: whole(2, 60, 10, 'length of a webcam clip in seconds'),
})
export const sideViewConfig = z.object({
  enabled: flag(false, 'phone beside the candidate'),
  previewIntervalSeconds: whole(2, 300, 10, 'seconds between live preview stills'),
  recording: flag(false, 'side-view clips are kept'),
})

export const aidsConfig = z.object({
  offered: z
    .array(aidName)
    .max(aidNames.length)
    .default([])
    .meta({ description: 'aids that are agreed to as soon as a candidate declares them; the others need an answer' }),
  breaks: breaks.default({ count: 2, minutes: 10 }).meta({ description: 'the most that `offered` breaks mean' }),
  declared: z
    .array(keptAid)
    .max(aidNames.length)
    .default([])
    .meta({ description: 'what the candidate of this session declared; a policy has none' }),
})

/** The capture policy of a session, complete, with defaults. Every number is bounded. */
export const sessionConfig = z
  .object({
    retentionDays: whole(1, 3650, 90, 'days that evidence is kept after the session'),
    capture: captureConfig.prefault({}),
    audio: audioConfig.prefault({}),
    camera: cameraConfig.prefault({}),
    sideView: sideViewConfig.prefault({}),
    aids: aidsConfig.prefault({}),
    signals: flag(true, 'integrity events on'),
    observersOff: z
      .array(z.string().min(1).max(50))
      .max(20)
      .default([])
      .meta({ description: 'observers that the agent does not start; an agreed aid adds to them' }),
    windowTitles: flag(false, 'the foreground observer also reports window titles; consent then says so'),
    baseRates: flag(true, 'moments say in how many interviews of the same policy their rule found something'),
    pauseAllowed: flag(false, 'the candidate may pause the recording'),
    /** Lanes the candidate may decline; the others are required where they are on. */
    optionalLanes: z
      .array(laneName)
      .max(20)
      .default(['microphone', 'system_audio', 'transcript', 'camera', 'side_view', 'room_camera'])
      .meta({ description: 'lanes the candidate may decline' }),
    requiredApps: z
      .array(z.string().min(1).max(100))
      .max(20)
      .default([])
      .meta({ description: 'applications the interview needs' }),
  })
  .meta({ id: 'SessionConfig' })
export type SessionConfig = z.output<typeof sessionConfig>

/** The same schemas without their defaults, for a partial update that must not reset what it does not name. */
const sparse = <T extends z.ZodRawShape>(object: z.ZodObject<T>) => {
  const shape: Record<string, z.ZodType> = {}
  for (const [name, field] of Object.entries(object.shape)) {
    shape[name] = (field instanceof z.ZodDefault ? (field.unwrap() as z.ZodType) : (field as z.ZodType)).optional()
  }
  return z.object(shape) as z.ZodObject<{
    [K in keyof T]: z.ZodOptional<T[K] extends z.ZodDefault<infer I> ? I : T[K]>
  }>
}

const { capture: _c, audio: _a, camera: _m, sideView: _s, aids: _d, ...topLevel } = sessionConfig.shape

const sideViewPatch = sparse(sideViewConfig).optional()

/** A partial config: groups merge deeply into the session's own. The side view is also known by the interface's spelling. */
export const sessionConfigPatch = z
  .object({
    ...sparse(z.object(topLevel)).shape,
    capture: sparse(captureConfig).optional(),
    audio: sparse(audioConfig).optional(),
    camera: sparse(cameraConfig).optional(),
    aids: sparse(aidsConfig.omit({ declared: true })).optional(),
    sideView: sideViewPatch.meta({ description: 'also taken as `side-view`; one of the two' }),
    'side-view': sideViewPatch.meta({ 'x-other-spelling': true }),
  })
  .refine((patch) => patch.sideView === undefined || patch['side-view'] === undefined, {
    path: ['side-view'],
    message: 'is the same as sideView; send one of them',
  })
  .transform(({ 'side-view': spelled, ...patch }) => (spelled === undefined ? patch : { ...patch, sideView: spelled }))
  .meta({ id: 'SessionConfigPatch' })
export type SessionConfigPatch = z.output<typeof sessionConfigPatch>

/** Is this lane switched on by the config? */
export const laneEnabled = (config: SessionConfig, lane: z.output<typeof laneName>): boolean => {
  switch (lane) {
    case 'screen':
      return config.capture.enabled
    case 'microphone':
      return config.audio.enabled && config.audio.microphone
    case 'system_audio':
      return config.audio.enabled && config.audio.systemAudio && !config.audio.candidateOnly
    case 'transcript':
      return config.audio.enabled && config.audio.transcript
    case 'camera':
    case 'room_camera':
      return config.camera.enabled && (config.camera.stills || config.camera.clips)
    case 'side_view':
      return config.sideView.enabled
    case 'signals':
      return config.signals
  }
}

/** Does the config ask for this type of evidence? Its lane must be on as well. */
export const typeEnabled = (config: SessionConfig, type: EvidenceType): boolean => {
  switch (type) {
    case 'screen_clip':
      return config.capture.recording
    case 'camera_frame':
      return config.camera.stills
    case 'camera_clip':
      return config.camera.clips
    case 'side_view_clip':
      return config.sideView.recording
    default:
      return true
  }
}
