/** `mend`: something does not work or will not. `note`: works, and somebody should know. */
export type FindingState = 'ok' | 'note' | 'mend'

/** One line of the doctor. */
export interface Finding {
  readonly subject: string
  readonly state: FindingState
  /** What was seen. */
  readonly reason: string
  /** What to do about it, where there is something to do. */
  readonly todo?: string
}

/** The errors' own words, in one line; what connects says its code. */
export const wordsOf = (error: unknown): string => {
  const { message, code, cause } = error as { message?: string; code?: unknown; cause?: unknown }
  const words = (message || String(code ?? error)).split('\n', 1)[0] ?? ''
  return cause instanceof Error && cause.message !== words ? `${words} (${wordsOf(cause)})` : words
}

export const lineOf = ({ subject, state, reason, todo }: Finding): string =>
  `${(state === 'mend' ? 'MEND' : state).padEnd(5)} ${subject.padEnd(12)} ${reason}${todo === undefined ? '' : ` → ${todo}`}`
