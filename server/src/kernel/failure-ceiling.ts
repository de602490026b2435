/** So many wrong passwords are taken from one address in a window. */
export interface FailureCeiling {
  /** Throws `rate_limited` for an address that has used them up. */
  check(address: string): Promise<void>
  count(address: string): Promise<void>
}
