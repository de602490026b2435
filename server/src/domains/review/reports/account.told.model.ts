import { type AccountReporter, firstEndingAfter, type GapReason, type Span, unionOf } from '@integrity/protocol'
import type { LaneGap, LaneWindow } from '../../interviews/lanes/lanes.types.ts'
import type { Layer } from './account.layers.model.ts'

/** Where gaps of several reasons overlap, the first of these is said: the more it explains, the earlier. */
const byWorth = [
  'break',
  'paused',
  'permission_denied',
  'permission_lapsed',
  'not_observable',
  'unplugged',
  'asleep_or_locked',
  'storage_full',
  'driver_failed',
  'interrupted',
  'in_background',
  'agent_stopped',
  'offline',
  'starting',
  'stopping',
  'not_reported',
] as const satisfies readonly Exclude<GapReason, 'declined'>[]

/** Gaps that were told, a layer for each reason. Whether a lane was declined its consent says, and nobody else. */
export const gapLayers = (gaps: readonly LaneGap[], reportedBy: AccountReporter): Layer[] => {
  const spansOf = Map.groupBy(gaps, ({ reason }) => reason)
  return byWorth.map((reason) => ({
    spans: unionOf(spansOf.get(reason) ?? []),
    state: reason === 'paused' ? ('paused' as const) : ('gap' as const),
    reason,
    reportedBy,
  }))
}

interface Seen {
  readonly observed: Span[]
  readonly missing: Span[]
  /** Of a window that expected less than its length, where that is another's to say. */
  readonly notWanted: Span[]
}

/** Puts a span into the one list until that has so many milliseconds, and what is left into the other; how many are then missing. */
const split = (span: Span, ms: number, [first, rest]: readonly [Span[], Span[]]): number => {
  const { fromAt, toAt } = span
  const middle = Math.min(toAt, fromAt + Math.max(0, ms))
  if (middle === toAt) first.push(span)
  else {
    if (middle > fromAt) first.push({ fromAt, toAt: middle })
    rest.push({ fromAt: middle, toAt })
  }
  return ms - (toAt - fromAt)
}

/** What of a window no gap covers, in two lists: the first so many milliseconds and the rest; how many the gaps cover. */
const freeOf = (
  { fromAt, toAt }: Span,
  gaps: readonly Span[],
  { ms, into }: { readonly ms: number; readonly into: readonly [Span[], Span[]] },
): number => {
  let [left, begin, covered] = [ms, fromAt, 0]
  for (let n = firstEndingAfter(gaps, fromAt); n < gaps.length && gaps[n]!.fromAt < toAt; n += 1) {
    const gap = gaps[n]!
    if (gap.fromAt > begin) left = split({ fromAt: begin, toAt: gap.fromAt }, left, into)
    covered += Math.min(gap.toAt, toAt) - Math.max(gap.fromAt, fromAt)
    begin = gap.toAt
  }
  if (begin < toAt) split({ fromAt: begin, toAt }, left, into)
  return covered
}

/**
 * What windows say once the gaps are taken out. One that observed less than is then left does not say where: the rest is put
 * at its end. `expectsLess`: the lane may expect less than its time, as a transcript does of silence.
 */
export const seenIn = (
  windows: readonly LaneWindow[],
  gaps: readonly Span[],
  { whole, expectsLess }: { readonly whole: Span; readonly expectsLess: boolean },
): Seen => {
  const seen: Seen = { observed: [], missing: [], notWanted: [] }
  for (const window of windows) {
    const part = { fromAt: Math.max(window.fromAt, whole.fromAt), toAt: Math.min(window.toAt, whole.toAt) }
    if (part.toAt <= part.fromAt) continue
    // A window that is cut keeps its share of the seconds, as if they were spread evenly.
    const msOfSecond = (1000 * (part.toAt - part.fromAt)) / (window.toAt - window.fromAt)
    const ms = Math.round(window.observedSeconds * msOfSecond)
    const rest: Span[] = expectsLess ? [] : seen.missing
    const covered = freeOf(part, gaps, { ms, into: [seen.observed, rest] })
    if (!expectsLess) continue
    let lost = Math.round(window.expectedSeconds * msOfSecond) - ms - covered
    for (const span of rest) lost = split(span, lost, [seen.missing, seen.notWanted])
  }
  return seen
}
