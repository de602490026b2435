import type { CompanionActions, CompanionState } from '../session/companion.states.ts'

/** A screen gets the state of its name, and what can be done. */
export interface ScreenProps<Name extends CompanionState['name']> {
  readonly state: Extract<CompanionState, { name: Name }>
  readonly actions: CompanionActions
}
