import * as z from 'zod'

/** What is known of a lane. */
export interface LaneFacts {
  /** The switch in the session's config that turns it on. */
  readonly config: string
  /** Who asks for its consent and delivers it. */
  readonly from: 'agent' | 'phone' | 'room'
  /** A device of the candidate's computer records it, which the operating system must permit. */
  readonly recorded: boolean
  /**
   * Its coverage is counted in seconds by the agent; the transcript's are seconds of the sound that the sound lanes heard.
   * The phone's lane is counted by the service, from what the phone says of itself.
   */
  readonly timed: boolean
}

/**
 * What can be collected from a candidate, one entry for each lane. The server enforces from the same entries; what the
 * candidate reads of them is in `consent-texts.ts`.
 */
export const lanes = {
  screen: { config: 'capture.enabled', from: 'agent', recorded: true, timed: true },
  microphone: { config: 'audio.microphone', from: 'agent', recorded: true, timed: true },
  system_audio: { config: 'audio.systemAudio', from: 'agent', recorded: true, timed: true },
  transcript: { config: 'audio.transcript', from: 'agent', recorded: false, timed: true },
  camera: { config: 'camera.enabled', from: 'agent', recorded: true, timed: true },
  side_view: { config: 'sideView.enabled', from: 'phone', recorded: false, timed: false },
  room_camera: { config: 'camera.enabled', from: 'room', recorded: false, timed: false },
  signals: { config: 'signals', from: 'agent', recorded: false, timed: false },
} as const satisfies Record<string, LaneFacts>

export type LaneName = keyof typeof lanes
export const laneNames = Object.keys(lanes) as [LaneName, ...LaneName[]]
export const laneName = z.enum(laneNames)

type LaneWith<Fact> = { [Lane in LaneName]: (typeof lanes)[Lane] extends Fact ? Lane : never }[LaneName]

/** Lanes the desktop agent asks for; the phone and the room ask for their own. */
export type AgentLane = LaneWith<{ from: 'agent' }>
export const isAgentLane = (lane: LaneName): lane is AgentLane => lanes[lane].from === 'agent'
export const agentLanes: readonly AgentLane[] = laneNames.filter(isAgentLane)

/** Lanes that a device of the computer records. */
export type RecordedLane = LaneWith<{ recorded: true }>
export const isRecordedLane = (lane: LaneName): lane is RecordedLane => lanes[lane].recorded
export const recordedLanes: readonly RecordedLane[] = laneNames.filter(isRecordedLane)

/** Lanes whose coverage the agent counts in seconds. */
export type TimedLane = LaneWith<{ timed: true }>
export const timedLanes: readonly TimedLane[] = laneNames.filter((lane): lane is TimedLane => lanes[lane].timed)

/** How a lane does, by the samples that it gives. */
export const laneHealthStates = ['up', 'degraded', 'down'] as const
export type LaneHealthState = (typeof laneHealthStates)[number]
export const laneHealth = z.enum(laneHealthStates)
/** Of the words that say why, in characters. */
export const maxHealthReason = 200

/** Why a lane has a hole. Observed facts only. */
export const gapReasons = {
  declined: 'The candidate declined this lane.',
  permission_denied: 'The operating system did not permit it.',
  permission_lapsed: 'The operating system withdrew its permission.',
  unplugged: 'The device went away.',
  asleep_or_locked: 'The computer was asleep or locked.',
  offline: 'The computer was offline so long that part of what it had stored was lost.',
  agent_stopped: 'The agent was not running.',
  not_observable: 'This machine cannot observe it.',
  paused: 'Paused on request, as the policy allows.',
  break: 'The candidate took a break.',
  driver_failed: 'The capture program failed and was restarted.',
  storage_full: "The computer's space for unsent items was full.",
  interrupted: 'The phone said that its view was interrupted.',
  in_background: "The phone's page was not in front.",
  starting: 'The recording was starting.',
  stopping: 'The recording was stopping.',
  not_reported: 'Nothing was reported for this time.',
} as const
export type GapReason = keyof typeof gapReasons
export const gapReason = z.enum(Object.keys(gapReasons) as [GapReason, ...GapReason[]])
