/** `0:04:09` of milliseconds; never negative, whatever a clock does. */
export const elapsed = (ms: number): string => {
  const seconds = Math.max(0, Math.floor(ms / 1000))
  const two = (n: number) => String(n).padStart(2, '0')
  return `${Math.floor(seconds / 3600)}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`
}

/** A share of 0 to 1. */
export const percent = (share: number, code: string): string =>
  Math.min(1, Math.max(0, share)).toLocaleString(code, { style: 'percent', maximumFractionDigits: 0 })

/** The time of day, to the second where it is to be compared with a clock. */
export const timeOfDay = (at: number, locale: string, seconds = true): string =>
  new Date(at).toLocaleTimeString(locale, {
    hour: '2-digit',
    minute: '2-digit',
    ...(seconds ? { second: '2-digit' } : {}),
  })
