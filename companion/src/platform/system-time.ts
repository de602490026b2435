import type { TimePort } from '../session/session.ports.ts'

/** Timers and chance as browsers and phones both have them. */
export const systemTime: TimePort = {
  after: (ms, action) => {
    const timer = setTimeout(action, ms)
    return () => clearTimeout(timer)
  },
  random: () => Math.random(),
}
