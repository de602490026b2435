import { type LaneName, lanes } from '../../interviews/lanes/lanes.registry.ts'

export interface AccountedLane {
  readonly lane: LaneName
  readonly enabled: boolean
  readonly declined: boolean
  readonly expectedMs: number
  readonly observedMs: number
  readonly heldMs: number
}

const reporters = {
  agent: 'The application on the computer',
  phone: 'The phone',
  room: 'The page in the room',
} as const

const seconds = (ms: number): string => `${Math.round(ms / 100) / 10} s`

/** What was reported of a lane, and what of that the service holds: the one never passes for the other. */
export const accountSentence = ({ lane, enabled, declined, ...of }: AccountedLane): string => {
  if (of.expectedMs === 0 && !enabled) return 'Not part of this interview.'
  if (of.expectedMs === 0 && declined) return 'Declined by the candidate.'
  if (of.expectedMs === 0) return 'Nothing was expected of it.'
  const reported = `${reporters[lanes[lane].from]} reported ${seconds(of.observedMs)} of ${seconds(of.expectedMs)}`
  // Words are no recording: what was heard is held with the sound.
  if (lane === 'transcript') return `${reported}.`
  if (of.heldMs === 0) return `${reported}; the service holds no recording of it.`
  return `${reported}; the service holds ${seconds(of.heldMs)}.`
}
