/** How long something took, in words of the language (BCP 47): `1 h 4 min`, `12.3 s`. */
export const spanWords = (ms: number, locale: string): string => {
  const unit = (value: number, name: 'hour' | 'minute' | 'second') =>
    value.toLocaleString(locale, { style: 'unit', unit: name, unitDisplay: 'short', maximumFractionDigits: 1 })
  if (ms < 60_000) return unit(Math.round(ms / 100) / 10, 'second')
  const minutes = Math.floor(ms / 60_000)
  const parts =
    minutes >= 60
      ? [unit(Math.floor(minutes / 60), 'hour'), unit(minutes % 60, 'minute')]
      : [unit(minutes, 'minute'), unit(Math.round((ms % 60_000) / 1000), 'second')]
  return parts.join(' ')
}

/** How long an answer took: `12 ms`, and from a second on as any other span. */
export const tookWords = (ms: number, locale: string): string =>
  ms < 1000
    ? ms.toLocaleString(locale, { style: 'unit', unit: 'millisecond', unitDisplay: 'short', maximumFractionDigits: 0 })
    : spanWords(ms, locale)

/** The time of day to the second, in the reader's zone. */
export const clockTime = (at: string, locale: string): string => new Date(at).toLocaleTimeString(locale)

/** Day and time, short enough for a column, in the reader's zone. */
export const shortTime = (at: string, locale: string): string =>
  new Date(at).toLocaleString(locale, { dateStyle: 'medium', timeStyle: 'short' })
