/** A half-open stretch of time, `fromAt` in it and `toAt` not, epoch milliseconds. One that ends where it begins is empty. */
export interface Span {
  readonly fromAt: number
  readonly toAt: number
}

/** Spans that are sorted, not empty, and neither overlap nor touch: what every function here gives. */
export type Spans = readonly Span[]

const byBeginning = (a: Span, b: Span): number => a.fromAt - b.fromAt

const isSettled = (spans: Spans, withinMs: number): boolean => {
  let until = Number.NEGATIVE_INFINITY
  for (const { fromAt, toAt } of spans) {
    if (toAt <= fromAt || fromAt <= until || fromAt - until < withinMs) return false
    until = toAt
  }
  return true
}

/** One more span at the end of such as are in order, joined with the last one if that is closer than `withinMs` or touches. */
const append = (joined: Span[], span: Span, withinMs: number): void => {
  const last = joined.at(-1)
  if (!last || (span.fromAt > last.toAt && span.fromAt - last.toAt >= withinMs)) joined.push(span)
  else if (span.toAt > last.toAt) joined[joined.length - 1] = { fromAt: last.fromAt, toAt: span.toAt }
}

/** The instants that at least one span covers, where holes shorter than `withinMs` count as covered. */
export const joinNeighbours = (spans: Spans, withinMs: number): Spans => {
  if (isSettled(spans, withinMs)) return spans
  const joined: Span[] = []
  for (const span of spans.filter(({ fromAt, toAt }) => toAt > fromAt).sort(byBeginning)) append(joined, span, withinMs)
  return joined
}

/** Two lists that are in order, merged. */
const unionOfTwo = (a: Spans, b: Spans): Spans => {
  if (a.length === 0) return b
  const joined: Span[] = []
  let n = 0
  for (const span of a) {
    for (; n < b.length && b[n]!.fromAt < span.fromAt; n += 1) append(joined, b[n]!, 0)
    append(joined, span, 0)
  }
  for (; n < b.length; n += 1) append(joined, b[n]!, 0)
  return joined
}

/** The instants that at least one span of any list covers. */
export const unionOf = (...lists: readonly Spans[]): Spans => {
  let union: Spans = []
  for (const list of lists) if (list.length > 0) union = unionOfTwo(union, joinNeighbours(list, 0))
  return union
}

/** The instants of the one that the other does not cover. */
export const subtract = (spans: Spans, taken: Spans): Span[] => {
  const without = unionOf(taken)
  const left: Span[] = []
  let next = 0
  for (const { fromAt, toAt } of unionOf(spans)) {
    let begin = fromAt
    while (next < without.length && without[next]!.toAt <= begin) next += 1
    for (let n = next; n < without.length && without[n]!.fromAt < toAt; n += 1) {
      if (without[n]!.fromAt > begin) left.push({ fromAt: begin, toAt: without[n]!.fromAt })
      begin = Math.max(begin, without[n]!.toAt)
    }
    if (begin < toAt) left.push({ fromAt: begin, toAt })
  }
  return left
}

/** The instants that both cover. */
export const intersect = (a: Spans, b: Spans): Span[] => {
  const [first, second] = [unionOf(a), unionOf(b)]
  const both: Span[] = []
  for (let m = 0, n = 0; m < first.length && n < second.length; ) {
    const fromAt = Math.max(first[m]!.fromAt, second[n]!.fromAt)
    const toAt = Math.min(first[m]!.toAt, second[n]!.toAt)
    if (toAt > fromAt) both.push({ fromAt, toAt })
    if (first[m]!.toAt < second[n]!.toAt) m += 1
    else n += 1
  }
  return both
}

/** Milliseconds that at least one span covers. */
export const lengthOf = (spans: Spans): number =>
  unionOf(spans).reduce((total, { fromAt, toAt }) => total + (toAt - fromAt), 0)

/** Each of these, as it is but for its ends, as far as it is in a span; what lies outside is left out. */
export const clip = <T extends Span>(items: readonly T[], within: Span): T[] => {
  const clipped: T[] = []
  for (const item of items) {
    const fromAt = Math.max(item.fromAt, within.fromAt)
    const toAt = Math.min(item.toAt, within.toAt)
    if (toAt > fromAt) clipped.push(fromAt === item.fromAt && toAt === item.toAt ? item : { ...item, fromAt, toAt })
  }
  return clipped
}

/** Of items that are sorted and do not overlap, the index of the first that ends after an instant. */
export const firstEndingAfter = (sorted: readonly Span[], at: number): number => {
  let [low, high] = [0, sorted.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (sorted[middle]!.toAt > at) high = middle
    else low = middle + 1
  }
  return low
}

/** Of items that are sorted and do not overlap, those that reach into a span, whole; found without a look at the others. */
export const overlapping = <T extends Span>(sorted: readonly T[], { fromAt, toAt }: Span): readonly T[] => {
  const first = firstEndingAfter(sorted, fromAt)
  let end = first
  while (end < sorted.length && sorted[end]!.fromAt < toAt) end += 1
  return sorted.slice(first, end)
}
