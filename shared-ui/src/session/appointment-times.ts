/** When an interview is to take place, as the service says it. */
interface Appointment {
  readonly startsAt: string
  readonly durationMinutes: number
  /** IANA name. */
  readonly timeZone: string
}

/** Day and hours as the clocks of a zone show them, and what that zone is called then. */
export interface ZonedTime {
  readonly when: string
  readonly zone: string
}

export interface AppointmentTimes {
  readonly own: ZonedTime
  /** In the zone the appointment was made in, where its clocks show something else at that time. */
  readonly theirs: ZonedTime | undefined
}

const dayAndHours = {
  weekday: 'long',
  day: 'numeric',
  month: 'long',
  year: 'numeric',
  hour: 'numeric',
  minute: '2-digit',
} as const satisfies Intl.DateTimeFormatOptions

/** What clocks show, to be compared. */
const wallTime = (at: Date, timeZone: string): string =>
  at.toLocaleString('en', { timeZone, dateStyle: 'short', timeStyle: 'short' })

const zoneName = (at: Date, timeZone: string, locale: string): string =>
  new Intl.DateTimeFormat(locale, { timeZone, timeZoneName: 'long' })
    .formatToParts(at)
    .find(({ type }) => type === 'timeZoneName')?.value ?? timeZone

/** A zone that this browser does not know, being older than the zone, is left out. */
const isKnown = (timeZone: string): boolean => {
  try {
    return Boolean(new Intl.DateTimeFormat('en', { timeZone }))
  } catch {
    return false
  }
}

/** When an interview is, in words of the language (BCP 47). `ownZone` is the reader's (IANA name). */
export const appointmentTimes = (
  { startsAt, durationMinutes, timeZone }: Appointment,
  locale: string,
  ownZone: string,
): AppointmentTimes => {
  const start = new Date(startsAt)
  const end = new Date(start.getTime() + durationMinutes * 60_000)
  const inZone = (zone: string): ZonedTime => ({
    when: new Intl.DateTimeFormat(locale, { ...dayAndHours, timeZone: zone }).formatRange(start, end),
    zone: zoneName(start, zone, locale),
  })
  const differs = isKnown(timeZone) && wallTime(start, timeZone) !== wallTime(start, ownZone)
  return { own: inZone(ownZone), theirs: differs ? inZone(timeZone) : undefined }
}

/** Day and time of an instant, in the reader's zone. */
export const dayAndTime = (at: string, locale: string): string =>
  new Date(at).toLocaleString(locale, { dateStyle: 'long', timeStyle: 'short' })

/** So many minutes, in words of the language. */
export const minutesWords = (minutes: number, locale: string): string =>
  minutes.toLocaleString(locale, { style: 'unit', unit: 'minute', unitDisplay: 'long' })

/** Day of an instant, in the reader's zone. */
export const day = (at: string | number, locale: string): string =>
  new Date(at).toLocaleDateString(locale, { dateStyle: 'long' })

/** From one minute to another, on the reader's clock; one time where it is the same minute. */
export const timeSpan = (from: string, to: string, locale: string): string =>
  new Intl.DateTimeFormat(locale, { timeStyle: 'short' }).formatRange(new Date(from), new Date(to))
