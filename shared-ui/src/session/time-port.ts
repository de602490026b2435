/** Time, injected so that tests can move it. */
export interface TimePort {
  /** Epoch milliseconds. */
  readonly now: () => number
  /** Calls back once after `ms`; answers how to cancel. */
  readonly after: (ms: number, callback: () => void) => () => void
  /** 0 up to 1. */
  readonly random: () => number
}
