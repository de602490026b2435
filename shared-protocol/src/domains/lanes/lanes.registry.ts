import * as z from 'zod'

/**
 * What can be collected from a candidate, one entry for each lane: what the consent page says, and the switch
 * in the session's config that turns it on. The server enforces from the same entries.
 */
export const lanes = {
  screen: {
    title: 'Your screen',
    text: 'Pictures of your displays while the interview runs, one every {interval} seconds and one when the picture changes because another program comes to the front. Everything visible on them can be seen by the reviewers.',
    config: 'capture.enabled',
  },
  microphone: {
    title: 'Your microphone',
    text: 'The sound your microphone hears during the interview.',
    config: 'audio.microphone',
  },
  system_audio: {
    title: "Your computer's sound",
    text: 'What your computer plays through its speakers or headphones, kept apart from your microphone.',
    config: 'audio.systemAudio',
  },
  transcript: {
    title: 'A written transcript',
    text: 'The words spoken, written down by a program on your computer.',
    config: 'audio.transcript',
  },
  camera: {
    title: 'Your camera',
    text: 'Pictures from your camera, one every {interval} seconds.',
    config: 'camera.enabled',
  },
  side_view: {
    title: 'Your phone as a side camera',
    text: 'A second view of your desk from your phone. The small live picture is shown and not kept; clips are kept only if the organisation asks for them.',
    config: 'sideView.enabled',
  },
  room_camera: {
    title: 'The camera in the room',
    text: 'Pictures from the browser in the interview room, one every {interval} seconds.',
    config: 'camera.enabled',
  },
  signals: {
    title: 'What happens on the computer',
    text: 'Technical events: displays, cameras and sound devices connected or removed (with their names), the name of the program in front, screen lock, sleep, idle time, changes of the network and of the clock, signs that the computer is a virtual machine, that the clipboard was used, and programs from a published list of remote-control and screen-sharing tools. Never window titles, key strokes or clipboard content.',
    config: 'signals',
  },
} as const satisfies Record<string, { title: string; text: string; config: string }>

export type LaneName = keyof typeof lanes
export const laneNames = Object.keys(lanes) as [LaneName, ...LaneName[]]
/** Lanes the desktop agent asks for; the phone and the room ask for their own. */
export const agentLanes = ['screen', 'microphone', 'system_audio', 'transcript', 'camera', 'signals'] as const

export const laneName = z.enum(laneNames)

/** Lanes whose coverage is counted in seconds. */
export const timedLanes = ['screen', 'microphone', 'system_audio', 'camera'] as const

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
  not_reported: 'Nothing was reported for this time.',
} as const
export type GapReason = keyof typeof gapReasons
export const gapReason = z.enum(Object.keys(gapReasons) as [GapReason, ...GapReason[]])
