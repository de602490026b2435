/**
 * A list for `IN`, its length rounded up to a power of two by repeating the last value: a statement for each length
 * would have to be prepared each time.
 */
export const padded = (ids: readonly string[]): { marks: string; values: string[] } => {
  const length = 2 ** Math.ceil(Math.log2(Math.max(1, ids.length)))
  const values = Array.from({ length }, (_none, index) => ids[Math.min(index, ids.length - 1)] ?? '')
  return { marks: values.map(() => '?').join(', '), values }
}
