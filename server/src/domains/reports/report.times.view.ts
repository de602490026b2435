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

const partsIn = (timeZone: string) => {
  const format = new Intl.DateTimeFormat('en-GB', {
    ...{ timeZone, hourCycle: 'h23', day: 'numeric', month: 'short', year: 'numeric' },
    ...{ hour: '2-digit', minute: '2-digit', second: '2-digit' },
  })
  return (at: number) => {
    const parts = Object.fromEntries(format.formatToParts(at).map(({ type, value }) => [type, value]))
    const day = `${parts['day']} ${parts['month']}`
    return { day, year: parts['year'], time: `${parts['hour']}:${parts['minute']}:${parts['second']}` }
  }
}
const inZone = (timeZone: string, from: number, to: number): ((at: number) => string) => {
  const parts = partsIn(timeZone)
  const goesPastMidnight = parts(from).day !== parts(to).day
  return (at) => {
    const { day, time } = parts(at)
    return goesPastMidnight || day !== parts(from).day ? `${day} ${time}` : time
  }
}

const isUtc = (timeZone: string): boolean => /^(?:Etc\/)?(?:UTC|GMT|UCT|Zulu|Universal)$/i.test(timeZone)

/** Of a session from its beginning to its end, epoch milliseconds. */
export const clockOf = (from: number, to: number, timeZone: string | null): SessionClock => {
  const zone = timeZone !== null && !isUtc(timeZone) ? timeZone : null
  const utc = inZone('UTC', from, to)
  const local = zone === null ? () => '' : inZone(zone, from, to)
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
