/**
 * Sessions are counted by when they were made, in buckets of a minute, of 32 minutes, and so on to two years: any stretch
 * of time is a few dozen of them, and at most two minutes whose sessions are looked at one by one.
 */
const factor = 32
export const bucketWidths: readonly number[] = [0, 1, 2, 3, 4].map((level) => factor ** level * 60_000)

/** Buckets of one width, `until` left out; it may be infinite. */
export interface Span {
  readonly width: number
  readonly from: number
  readonly until: number
}
export interface Cover {
  readonly spans: readonly Span[]
  /** What no whole bucket covers, as instants, the second left out. */
  readonly edges: readonly (readonly [number, number])[]
}

/** The buckets that make up the time from one instant up to another, which is left out. */
export const coverTime = (from: number, until: number): Cover => {
  const [minute = 1] = bucketWidths
  let low = Math.ceil(from / minute)
  let high = Math.floor(until / minute)
  if (low >= high) return { spans: [], edges: from < until ? [[from, until]] : [] }
  const ends: [number, number][] = [
    [from, low * minute],
    [high * minute, until],
  ]
  const spans: Span[] = []
  const add = (width: number, first: number, end: number): void => {
    if (first < end) spans.push({ width, from: first, until: end })
  }
  for (const [level, width] of bucketWidths.entries()) {
    const inner = { low: Math.ceil(low / factor), high: Math.floor(high / factor) }
    if (level === bucketWidths.length - 1 || inner.low >= inner.high) {
      add(width, low, high)
      break
    }
    add(width, low, inner.low * factor)
    add(width, inner.high * factor, high)
    low = inner.low
    high = inner.high
  }
  return { spans, edges: ends.filter(([first, end]) => first < end) }
}
