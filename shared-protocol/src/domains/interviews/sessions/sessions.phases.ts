/** What is known of a phase. */
export interface PhaseFacts {
  readonly sentence: string
  /** The lanes run, or are paused and may run again. */
  readonly capturing: boolean
  /** Nothing more happens by itself. */
  readonly over: boolean
}

const under = (sentence: string) => ({ sentence, capturing: false as const, over: false as const })
const capturing = (sentence: string) => ({ ...under(sentence), capturing: true as const })
const over = (sentence: string) => ({ ...under(sentence), over: true as const })

/** Where a session stands on the candidate's computer, in the order in which the agent walks through it. */
export const sessionPhases = {
  joining: under('The join code or link is being redeemed.'),
  consenting: under('The candidate reads what would be collected.'),
  registering: under('The answer is on its way to the service.'),
  recording: capturing('What was agreed is recorded.'),
  paused: capturing('The candidate paused the recording, as the policy allows.'),
  finishing: under('The recording is over; what is left is sent.'),
  done: over('Everything was sent.'),
  refused: over('The candidate agreed to nothing.'),
  failed: over('It cannot go on; what is unsent is kept and not sent.'),
} as const satisfies Record<string, PhaseFacts>

export type SessionPhase = keyof typeof sessionPhases
export const sessionPhaseNames = Object.keys(sessionPhases) as [SessionPhase, ...SessionPhase[]]

type PhaseWith<Fact> = { [P in SessionPhase]: (typeof sessionPhases)[P] extends Fact ? P : never }[SessionPhase]

export type CapturingPhase = PhaseWith<{ capturing: true }>
export const isCapturingPhase = (phase: SessionPhase): phase is CapturingPhase => sessionPhases[phase].capturing

export type OverPhase = PhaseWith<{ over: true }>
export const isOverPhase = (phase: SessionPhase): phase is OverPhase => sessionPhases[phase].over
