import { agreedBreaks } from '@integrity/protocol'
import type { SessionState } from './session-machine.types.ts'

const minuteMs = 60_000

const agreedOf = ({ config }: SessionState) => (config ? agreedBreaks(config) : undefined)

/** How many of the agreed breaks can still be taken; undefined where none was agreed. */
export const breaksLeft = (state: SessionState): number | undefined => {
  const agreed = agreedOf(state)
  return agreed && Math.max(0, agreed.count - (state.breaks?.taken ?? 0))
}

/** Whether a break may begin now: one that was agreed and not taken yet. */
export const mayBreak = (state: SessionState): boolean => state.phase === 'recording' && (breaksLeft(state) ?? 0) > 0

/** A break begins; it ends by itself. */
export const takeBreak = (state: SessionState, at: number): SessionState => ({
  ...state,
  phase: 'paused',
  breaks: { taken: (state.breaks?.taken ?? 0) + 1, endsAt: at + (agreedOf(state)?.minutes ?? 0) * minuteMs },
})

/** Whether the break that runs is over. */
export const breakOver = ({ phase, breaks }: SessionState, at: number): boolean =>
  phase === 'paused' && breaks?.endsAt !== undefined && at >= breaks.endsAt

/** The breaks that were taken, without one that runs. */
export const endBreak = (state: SessionState): SessionState =>
  state.breaks ? { ...state, breaks: { taken: state.breaks.taken } } : state
