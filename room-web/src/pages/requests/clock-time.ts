/** The time of day to the second, in the zone of whoever reads. */
export const clockTime = (at: string, locale: string): string =>
  new Date(at).toLocaleTimeString(locale, { hour: 'numeric', minute: '2-digit', second: '2-digit' })
