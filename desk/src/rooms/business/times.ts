const dayPattern = /^\d{4}-\d\d-\d\d$/
const dayMs = 86_400_000

/** Day and time by the clock of UTC, as records are kept. */
export const utcTime = (at: string, locale: string): string =>
  new Date(at).toLocaleString(locale, { dateStyle: 'medium', timeStyle: 'medium', timeZone: 'UTC' })

/** A day of UTC (`2026-11-28`) in words. */
export const utcDay = (day: string, locale: string): string =>
  new Date(`${day}T00:00:00Z`).toLocaleDateString(locale, { dateStyle: 'medium', timeZone: 'UTC' })

/** The day of UTC that an instant (epoch milliseconds) is in. */
export const dayOf = (at: number): string => new Date(at).toISOString().slice(0, 10)

/** A day of the calendar. */
export const isDay = (text: string | undefined): text is string =>
  text !== undefined && dayPattern.test(text) && !Number.isNaN(Date.parse(`${text}T00:00:00Z`))

/** The instants between which some days of UTC are, the last one included. */
export const boundsOf = (
  from: string | undefined,
  to: string | undefined,
): { readonly from?: string; readonly to?: string } => ({
  ...(isDay(from) ? { from: `${from}T00:00:00.000Z` } : {}),
  ...(isDay(to) ? { to: new Date(Date.parse(`${to}T00:00:00Z`) + dayMs).toISOString() } : {}),
})
