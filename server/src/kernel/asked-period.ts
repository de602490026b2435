/** What a list is bounded by, as it came: instants as text, the second one left out. */
export interface PeriodQuery {
  readonly from?: string | undefined
  readonly to?: string | undefined
}

/** Epoch milliseconds; `untilAt` is left out. */
export interface AskedPeriod {
  readonly fromAt: number
  readonly untilAt: number
}

/** Undefined where neither is named: a list without bounds is another one. */
export const askedPeriod = ({ from, to }: PeriodQuery): AskedPeriod | undefined => {
  if (from === undefined && to === undefined) return undefined
  return {
    fromAt: from === undefined ? 0 : Date.parse(from),
    untilAt: to === undefined ? Number.MAX_SAFE_INTEGER : Date.parse(to),
  }
}
