/** What the clocks of a zone show. */
export interface WallTime {
  /** `2026-11-27` */
  readonly date: string
  /** `14:30` */
  readonly time: string
}

const minuteMs = 60_000
const dayStartsAt = 7
const dayEndsAt = 21

/** The clocks of a zone (IANA name) at an instant, as if they were those of UTC; epoch milliseconds. */
const wallAt = (zone: string, at: number): number => {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
  })
  const parts = Object.fromEntries(format.formatToParts(at).map(({ type, value }) => [type, Number(value)]))
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0 } = parts
  return Date.UTC(year, month - 1, day, hour, minute)
}

/** What the clocks of a zone (IANA name) show at an instant, ISO 8601. */
export const wallTimeOf = (zone: string, at: string): WallTime => {
  const [date = '', time = ''] = new Date(wallAt(zone, Date.parse(at))).toISOString().split('T')
  return { date, time: time.slice(0, 5) }
}

/**
 * The instant at which the clocks of a zone (IANA name) show this, ISO 8601; undefined where it is no time, or where the clocks
 * leap over it. Of two, as clocks are put back, it is the first.
 */
export const instantOf = (zone: string, { date, time }: WallTime): string | undefined => {
  const wanted = Date.parse(`${date}T${time}:00.000Z`)
  // A browser may take 30 February for a day in March.
  if (Number.isNaN(wanted) || !new Date(wanted).toISOString().startsWith(`${date}T${time}`)) return undefined
  // A zone is at most 14 hours from UTC, and changes its clocks by at most a few.
  const offsets = [-1, 1].map((side) => {
    const near = wanted + side * 24 * 60 * minuteMs
    return wallAt(zone, near) - near
  })
  const found = offsets.map((offset) => wanted - offset).filter((at) => wallAt(zone, at) === wanted)
  return found.length === 0 ? undefined : new Date(Math.min(...found)).toISOString()
}

/** What whoever makes an appointment is asked to look at again; nothing forbids it. */
export type Concern = 'past' | 'night'

/** @param now epoch milliseconds */
export const concernsOf = (zone: string, at: string, now: number): Concern[] => {
  const hour = new Date(wallAt(zone, Date.parse(at))).getUTCHours()
  return [
    ...(Date.parse(at) < now ? (['past'] as const) : []),
    ...(hour < dayStartsAt || hour >= dayEndsAt ? (['night'] as const) : []),
  ]
}
