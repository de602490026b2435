import { invalid, maxPeriodDays } from '@integrity/protocol'

const dayMs = 86_400_000
const usualDays = 30
/** The first day that a date of four digits for the year cannot name. */
const beyondDates = Date.UTC(10_000, 0, 1) / dayMs

/** Days from 1970 in UTC, `until` left out. */
export interface Days {
  readonly from: number
  readonly until: number
}

/** The whole days of UTC that `from` and `to` are in, as they were asked for: 30 up to now unless they say otherwise. */
export const daysOf = (
  asked: { readonly from?: string | undefined; readonly to?: string | undefined },
  now: number,
): Days => {
  // `to` is exclusive: at midnight it does not reach into the day that begins.
  const until = Math.ceil((asked.to === undefined ? now + 1 : Date.parse(asked.to)) / dayMs)
  if (until > beyondDates) throw invalid('to', 'must lie in a year of four digits')
  const from = asked.from === undefined ? until - usualDays : Math.floor(Date.parse(asked.from) / dayMs)
  if (until - from > maxPeriodDays + 1) throw invalid('from', `must not be more than ${maxPeriodDays} days before to`)
  return { from, until }
}

/** `2026-11-23`. */
export const dateOf = (day: number): string => new Date(day * dayMs).toISOString().slice(0, 10)

/** Every day of a stretch, with what is known of it. */
export const everyDay = <Row extends { readonly day: number }, Shown>(
  { from, until }: Days,
  rows: readonly Row[],
  show: (day: number, row: Row | undefined) => Shown,
): Shown[] => {
  const known = new Map(rows.map((row) => [row.day, row]))
  return Array.from({ length: Math.max(0, until - from) }, (_, n) => show(from + n, known.get(from + n)))
}
