import type { AidName } from '../sessions/sessions.aids.ts'
import { integrityEventKinds, isIntegrityEventKind } from './integrity-events.kinds.ts'
import type { ObserverName } from './integrity-events.observations.ts'

/** Observers whose events say nothing once an aid is agreed: the agent does not start them. */
export const aidObservers = {
  second_display: ['displays'],
  screen_reader: ['idle', 'clipboard', 'excluded_windows', 'input_origin'],
  dictation: ['idle', 'clipboard', 'listeners', 'input_origin'],
  on_screen_keyboard: ['idle', 'excluded_windows', 'input_origin'],
  helper: [],
  notes: ['foreground', 'clipboard'],
  ai_tool: ['foreground', 'clipboard'],
  breaks: [],
  no_camera: ['picture_unchanged'],
  sound_only: [],
  reduced_data: [],
} as const satisfies Record<AidName, readonly ObserverName[]>

/** Whether events of a kind come from an observer that a session has off. */
export const isObserverOff = (observersOff: readonly string[], kind: string): boolean => {
  const observer = isIntegrityEventKind(kind) ? integrityEventKinds[kind].observer : null
  return observer !== null && observersOff.includes(observer)
}
