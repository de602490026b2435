/** So many wrong passwords are taken from one address in a window. */
export interface FailureCeiling {
  /**
   * Runs what looks at a guess, and counts it unless it turns out to be none: what throws `unauthorized` was wrong. It is
   * counted before, so that guesses that are looked at by several processes at once are never more than the ceiling. Throws
   * `rate_limited` for an address that has used them up.
   */
  guess<T>(address: string, look: () => Promise<T>): Promise<T>
}
