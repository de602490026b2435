import type { Outcome } from '../shared/ipc/channels.ts'
import type { Problem } from '../shared/ipc/window-state.ts'

export type Refused = Extract<Outcome, { done: false }>

export const done: Outcome = { done: true }
export const refuse = (problem: Problem): Refused => ({ done: false, problem })
/** For a command that does not fit what is on the screen; the window offers none of these. */
export const outOfPlace: Refused = refuse({ code: 'unexpected' })
