/** The hours of a session as it is read: in UTC, and in the zone of its appointment. */
export interface SessionClock {
  /** Null where there is no appointment, or UTC is its zone. */
  readonly zone: string | null
  /** With its day where the session goes past midnight. Epoch milliseconds. */
  readonly utc: (at: number) => string
  /** The same in the zone; empty without one. */
  readonly local: (at: number) => string
  /** One after the other. */
  readonly both: (at: number) => string
}

interface Parts {
  readonly day: string
  readonly year: string
  readonly time: string
}

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sept', 'Oct', 'Nov', 'Dec']
/** The same words as a zone's, a report may have thousands of them. */
const inUtc = (at: number): Parts => {
  const date = new Date(at)
  const day = `${date.getUTCDate()} ${months[date.getUTCMonth()]}`
  return { day, year: String(date.getUTCFullYear()), time: date.toISOString().slice(11, 19) }
}

const partsIn = (timeZone: string): ((at: number) => Parts) => {
  const format = new Intl.DateTimeFormat('en-GB', {
    timeZone,
    hourCycle: 'h23',
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  })
  return (at) => {
    const parts = Object.fromEntries(format.formatToParts(at).map(({ type, value }) => [type, value]))
    const time = `${parts['hour']}:${parts['minute']}:${parts['second']}`
    return { day: `${parts['day']} ${parts['month']}`, year: parts['year'] ?? '', time }
  }
}

/** With the day where the session goes past midnight, and where it is another than the session's. */
const shownAs = (parts: (at: number) => Parts, from: number, to: number): ((at: number) => string) => {
  const first = parts(from).day
  const goesPastMidnight = parts(to).day !== first
  return (at) => {
    const { day, time } = parts(at)
    return goesPastMidnight || day !== first ? `${day} ${time}` : time
  }
}

const isUtc = (timeZone: string): boolean => /^(?:Etc\/)?(?:UTC|GMT|UCT|Zulu|Universal)$/i.test(timeZone)

/** Of a session from its beginning to its end, epoch milliseconds. */
export const clockOf = (from: number, to: number, timeZone: string | null): SessionClock => {
  const zone = timeZone !== null && !isUtc(timeZone) ? timeZone : null
  const utc = shownAs(inUtc, from, to)
  const local = zone === null ? () => '' : shownAs(partsIn(zone), from, to)
  return { zone, utc, local, both: (at) => (zone === null ? utc(at) : `${utc(at)} (${local(at)})`) }
}

/** A day and a time, with the zone: `2026-11-26 14:30:05 UTC`. */
export const utc = (instant: string | null): string =>
  instant === null ? '–' : `${instant.slice(0, 19).replace('T', ' ')} UTC`

/** The same in a zone: `26 Nov 2026 20:00:05 (Asia/Kolkata)`. */
export const inWords = (at: number, timeZone: string): string => {
  const { day, year, time } = partsIn(timeZone)(at)
  return `${day} ${year} ${time} (${timeZone})`
}

/** `26 h 0 min 2 s`; below a minute with tenths. */
export const length = (ms: number): string => {
  if (ms < 59_950) return `${Math.round(ms / 100) / 10} s`
  const all = Math.round(ms / 1000)
  const [hours, minutes] = [Math.floor(all / 3600), Math.floor((all % 3600) / 60)]
  return [...(hours > 0 ? [`${hours} h`] : []), `${minutes} min`, `${all % 60} s`].join(' ')
}
