import type { Surroundings, System } from './system.types.ts'

interface Seen {
  readonly userAgent: string
  readonly maxTouchPoints: number
}

/** An iPad says that it is a Mac; no Mac has a screen for fingers. */
export const systemOf = ({ userAgent, maxTouchPoints }: Seen): System => {
  if (/iPhone|iPad|iPod/.test(userAgent) || (/Macintosh/.test(userAgent) && maxTouchPoints > 1)) return 'ios'
  return /Android/.test(userAgent) ? 'android' : 'computer'
}

export const surroundings = (): Surroundings => ({
  system: systemOf(navigator),
  site: location.hostname,
  openSettings: undefined,
})
