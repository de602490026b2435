/** Whose dialogs and settings a person sees. `…App`: the app itself asks, and not a page in a browser. */
export type System = 'ios' | 'android' | 'computer' | 'iosApp' | 'androidApp'

export interface Surroundings {
  readonly system: System
  /** What a dialog calls the one who asks. */
  readonly site: string
  /** Where an app can lead there itself. */
  readonly openSettings: (() => void) | undefined
}
