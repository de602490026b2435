/** The server's time as this device knows it. */
export interface ServerTime {
  /** Epoch milliseconds. */
  readonly now: () => number
  /** How far the server's clock is ahead of the device's, milliseconds; 0 while they agree. */
  readonly ahead: number
  /** Takes the `Date` of an answer (RFC 9110, 6.6.1: whole seconds), with when it was asked for and came. */
  readonly observe: (date: string, askedAt: number, cameAt: number) => void
}

/** A difference that rounding and the way there and back can explain is none. */
const certainMs = 2_000

/**
 * What is sent carries the time it was captured at, and a phone or a computer in a room may be hours off. What the service
 * says of its own clock is believed instead, once the difference is larger than the measurement's own error.
 */
export const createServerTime = (local: () => number = Date.now): ServerTime => {
  let ahead = 0
  return {
    now: () => local() + ahead,
    get ahead() {
      return ahead
    },
    observe: (date, askedAt, cameAt) => {
      const server = Date.parse(date)
      if (Number.isNaN(server)) return
      // The second that the header names may be all but over.
      const difference = server + 500 - (askedAt + cameAt) / 2
      const error = certainMs + (cameAt - askedAt) / 2
      ahead = Math.abs(difference) > error ? Math.round(difference) : 0
    },
  }
}
