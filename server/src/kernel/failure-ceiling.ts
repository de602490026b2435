/** What is guessed, and from where. Failures at one thing shut out from that thing alone. */
export interface Guess {
  readonly what: string
  readonly address: string
  /** Whether what the look threw says that the guess was wrong. */
  readonly isWrong: (error: unknown) => boolean
}

/** The limit of wrong guesses from one address in a window. */
export interface FailureCeiling {
  /**
   * Runs what looks at a guess, and counts it unless it turns out to be none. It is counted before, so that guesses that are
   * looked at by several processes at once are never more than the ceiling. Throws `rate_limited` for an address that has
   * used them up. In a process an address has one looked at at a time, so that right ones never fill the ceiling of others.
   */
  guess<T>(guess: Guess, look: () => Promise<T>): Promise<T>
  /** The same for a password: what throws `unauthorized` was wrong. Whoever calls has the address take turns. */
  guessPassword<T>(address: string, look: () => Promise<T>): Promise<T>
}
