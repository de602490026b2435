import type { Outcome } from '../ipc/channels.ts'
import type { Problem } from '../ipc/window-state.ts'

export const done: Outcome = { done: true }
export const refuse = (problem: Problem): Outcome => ({ done: false, problem })
/** For a command that does not fit what is on the screen; the window offers none of these. */
export const outOfPlace: Outcome = refuse({ code: 'unexpected' })
