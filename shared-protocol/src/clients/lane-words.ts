import { fillPlain } from './language.ts'

export interface AccountedLane {
  readonly lane: string
  readonly enabled: boolean
  readonly declined: boolean
  readonly expectedMs: number
  readonly observedMs: number
  readonly heldMs: number
}

/** Words and events are no recording: what was heard is held with the sound. */
export const hasRecording = (lane: string): boolean => lane !== 'transcript' && lane !== 'signals'

/** Who reports it, as the registry has it: that brings all its schemas into a page. */
const reporterOf = (lane: string): 'agent' | 'phone' | 'room' => {
  if (lane === 'side_view') return 'phone'
  return lane === 'room_camera' ? 'room' : 'agent'
}

type Name = 'off' | 'declined' | 'unused' | 'agent' | 'phone' | 'room' | 'words' | 'held' | 'notHeld' | 'seconds'

interface Written {
  /** The area `lane-account` in the language of whoever reads it. */
  readonly texts: Readonly<Record<`laneAccount.${Name}`, string>>
  /** A length of time, as the reader has it; otherwise seconds. */
  readonly length?: (ms: number) => string
}

/** What was reported of a lane, and what of that the service holds: the one never passes for the other. */
export const accountSentence = (
  { lane, enabled, declined, ...of }: AccountedLane,
  { texts, length }: Written,
): string => {
  if (of.expectedMs === 0 && !enabled) return texts['laneAccount.off']
  if (of.expectedMs === 0 && declined) return texts['laneAccount.declined']
  if (of.expectedMs === 0) return texts['laneAccount.unused']
  const inSeconds = (ms: number) => fillPlain(texts['laneAccount.seconds'], { seconds: Math.round(ms / 100) / 10 })
  const [observed, expected, held] = [of.observedMs, of.expectedMs, of.heldMs].map(length ?? inSeconds) as [
    string,
    string,
    string,
  ]
  const reported = fillPlain(texts[`laneAccount.${reporterOf(lane)}`], { observed, expected })
  if (!hasRecording(lane)) return fillPlain(texts['laneAccount.words'], { reported })
  return fillPlain(texts[of.heldMs === 0 ? 'laneAccount.notHeld' : 'laneAccount.held'], { reported, held })
}

interface Seconds {
  readonly expectedSeconds: number
  readonly observedSeconds: number
  /** Null where there is no recording to hold. */
  readonly heldSeconds: number | null
}

/** How a candidate reads the same: the name of the text, and what it is filled with. */
export const laneAmount = (
  { expectedSeconds, observedSeconds, heldSeconds }: Seconds,
  minutes: (seconds: number) => string,
) => ({
  name:
    heldSeconds === null
      ? ('stripReported' as const)
      : heldSeconds === 0
        ? ('stripNoneHeld' as const)
        : ('stripAmount' as const),
  values: { observed: minutes(observedSeconds), expected: minutes(expectedSeconds), held: minutes(heldSeconds ?? 0) },
})
