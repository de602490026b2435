import type { LiveView } from './live.ts'
import type { PlacementView } from './placement.ts'
import type { Sending } from './sender.ts'
import type { Pairing, Step } from './session.types.ts'

export type CodeProblem =
  | 'not_a_code'
  | 'not_found'
  /** Another phone is paired, the interview is over, or it has no side view. */
  | 'conflict'
  | 'too_many'
  | 'unreachable'

/** Everything the app can show, one at a time. */
export type CompanionState =
  | { readonly name: 'opening' }
  | { readonly name: 'unsupported'; readonly why: 'camera' | 'storage' }
  /** Another tab of this phone has the app open. */
  | { readonly name: 'elsewhere'; readonly pairing?: Pairing | undefined }
  | { readonly name: 'code'; readonly busy: boolean; readonly problem: CodeProblem | undefined }
  | {
      readonly name: 'consent'
      readonly pairing: Pairing
      readonly busy: boolean
      readonly problem: boolean
      /** The text is another one than a moment ago. */
      readonly changed: boolean
    }
  | { readonly name: 'declined'; readonly pairing: Pairing }
  | { readonly name: 'placement'; readonly pairing: Pairing; readonly placement: PlacementView }
  | {
      readonly name: 'live'
      readonly pairing: Pairing
      readonly live: LiveView
      readonly sending: Sending
      /** How far the service's clock is ahead of this phone's, milliseconds. */
      readonly clockAhead: number
    }
  | {
      readonly name: 'leaving'
      readonly pairing: Pairing
      readonly why: 'unpaired' | 'ended'
      readonly sending: Sending
    }
  | {
      readonly name: 'done'
      readonly why: 'unpaired' | 'ended' | 'gone'
      /** Shown until the page is left; nothing of it is kept on the phone. */
      readonly pairing?: Pairing | undefined
    }

/** What the states that go on by themselves are made of. */
export interface Views {
  readonly pairing: Pairing
  readonly placement: PlacementView | undefined
  readonly live: LiveView | undefined
  readonly sending: Sending | undefined
  readonly clockAhead: number
}

/** The state on show, of the views as they are now; undefined where it is made of none. */
export const shownAnew = (shown: CompanionState, views: Views): CompanionState | undefined => {
  const { pairing, placement, live, sending, clockAhead } = views
  if (shown.name === 'placement' && placement) return { name: 'placement', pairing, placement }
  if (shown.name === 'live' && live && sending) return { name: 'live', pairing, live, sending, clockAhead }
  if (shown.name === 'leaving' && sending) return { name: 'leaving', pairing, why: shown.why, sending }
  return undefined
}

/** What the candidate can do. */
export interface CompanionActions {
  enter(text: string): void
  answer(accepted: boolean, locale: string): void
  /** The app speaks this language now: a document that is being read is fetched in it. */
  relocalise(locale: string): void
  reconsider(): void
  openCamera(): void
  /** Of the placement: it is so, or no longer. */
  tick(step: Step): void
  takePhoto(): void
  retakePhoto(): void
  sendPhoto(): void
  unpair(): void
  /** Leaves without sending the rest. */
  abandon(): void
  /** The app goes on in this tab. */
  takeOver(): void
  /** From the end to a new code. */
  again(): void
}
