import * as z from 'zod'

/**
 * What can be collected from a candidate, one entry for each lane, with the switch in the session's config that turns
 * it on. The server enforces from the same entries; what the candidate reads of them is in `lanes.texts.ts`.
 */
export const lanes = {
  screen: { config: 'capture.enabled' },
  microphone: { config: 'audio.microphone' },
  system_audio: { config: 'audio.systemAudio' },
  transcript: { config: 'audio.transcript' },
  camera: { config: 'camera.enabled' },
  side_view: { config: 'sideView.enabled' },
  room_camera: { config: 'camera.enabled' },
  signals: { config: 'signals' },
} as const satisfies Record<string, { config: string }>

export type LaneName = keyof typeof lanes
export const laneNames = Object.keys(lanes) as [LaneName, ...LaneName[]]
/** Lanes the desktop agent asks for; the phone and the room ask for their own. */
export const agentLanes = ['screen', 'microphone', 'system_audio', 'transcript', 'camera', 'signals'] as const

export const laneName = z.enum(laneNames)

/**
 * Lanes whose coverage the agent counts in seconds; the transcript's are seconds of the sound that the sound lanes
 * heard. The phone's lane is counted by the service, from what the phone says of itself.
 */
export const timedLanes = ['screen', 'microphone', 'system_audio', 'transcript', 'camera'] as const

/** Why a lane has a hole. Observed facts only. */
export const gapReasons = {
  declined: 'The candidate declined this lane.',
  permission_denied: 'The operating system did not permit it.',
  permission_lapsed: 'The operating system withdrew its permission.',
  unplugged: 'The device went away.',
  asleep_or_locked: 'The computer was asleep or locked.',
  offline: 'The agent could not reach the service long enough to lose what it had kept.',
  agent_stopped: 'The agent was not running.',
  not_observable: 'This machine cannot observe it.',
  paused: 'Paused on request, as the policy allows.',
  driver_failed: 'The capture program failed and was restarted.',
  storage_full: "The computer's space for unsent items was full.",
  interrupted: 'The phone said that its view was interrupted.',
  in_background: "The phone's page was not in front.",
  not_reported: 'Nothing was reported for this time.',
} as const
export type GapReason = keyof typeof gapReasons
export const gapReason = z.enum(Object.keys(gapReasons) as [GapReason, ...GapReason[]])
