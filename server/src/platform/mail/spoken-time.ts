import { languages } from '@integrity/protocol/texts/languages'

/** How dates are written in a language, or else as in English. */
const datesOf = (locale: string): string => (languages.find(({ code }) => code === locale) ?? languages[0]).dates

const format = (locale: string, timeZone: string, at: number, options: Intl.DateTimeFormatOptions): string =>
  new Intl.DateTimeFormat(datesOf(locale), { timeZone, ...options })
    .format(at)
    // Some of the blanks that the formatter uses show as boxes in plain text.
    .replaceAll(/\p{Zs}/gu, ' ')

const day = { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' } as const
const time = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const

const zoneName = (locale: string, timeZone: string, at: number): string => {
  const parts = new Intl.DateTimeFormat(datesOf(locale), { timeZone, timeZoneName: 'long' }).formatToParts(at)
  return parts.find(({ type }) => type === 'timeZoneName')?.value ?? timeZone
}

/** `Saturday 5 September 2026, 09:00`, without the zone. */
const spoken = (locale: string, timeZone: string, at: number): string =>
  `${format(locale, timeZone, at, day)}, ${format(locale, timeZone, at, time)}`

/** `Saturday 5 September 2026, 09:00, Central European Summer Time (Europe/Berlin)`; `at` in epoch milliseconds. */
export const spokenTime = (locale: string, timeZone: string, at: number): string =>
  `${spoken(locale, timeZone, at)}, ${zoneName(locale, timeZone, at)} (${timeZone})`

/** The same instant in UTC: `Saturday 5 September 2026, 07:00 UTC`. */
export const spokenUtc = (locale: string, at: number): string => `${spoken(locale, 'UTC', at)} UTC`
