interface Dated {
  /** BCP 47, the language alone. */
  readonly code: string
  /** BCP 47 of how its dates stand in letters. */
  readonly dates: string
}

/**
 * A language as its reader's device has it (`en-GB` for `en`), for dates, times and numbers; as in letters where it does not say.
 * The clock and the digits that letters are written with hold everywhere: nobody says `4:13 pm बजे`.
 */
export const regional = ({ code, dates }: Dated, preferred: readonly string[]): string => {
  const own = preferred.find((tag) => tag.toLowerCase().split('-')[0] === code)
  if (own === undefined) return dates
  const [, clockAndDigits] = dates.split('-u-')
  return clockAndDigits === undefined || own.includes('-u-') ? own : `${own}-u-${clockAndDigits}`
}
