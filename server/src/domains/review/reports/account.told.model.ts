import {
  type AccountReporter,
  clip,
  type GapReason,
  lengthOf,
  overlapping,
  type Span,
  subtract,
  unionOf,
} from '@integrity/protocol'
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
const split = ({ fromAt, toAt }: Span, ms: number, [first, rest]: readonly [Span[], Span[]]): number => {
  const middle = Math.min(toAt, fromAt + Math.max(0, ms))
  if (middle > fromAt) first.push({ fromAt, toAt: middle })
  if (toAt > middle) rest.push({ fromAt: middle, toAt })
  return ms - (toAt - fromAt)
}

/** A window that is cut keeps its share of the seconds, as if they were spread evenly. */
const msIn = ({ fromAt, toAt }: Span, window: LaneWindow): ((seconds: number) => number) => {
  const share = (toAt - fromAt) / (window.toAt - window.fromAt)
  return (seconds) => Math.round(seconds * 1000 * share)
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
    const ms = msIn(part, window)
    const within = overlapping(gaps, part)
    const rest: Span[] = expectsLess ? [] : seen.missing
    let left = ms(window.observedSeconds)
    for (const free of within.length === 0 ? [part] : subtract([part], within))
      left = split(free, left, [seen.observed, rest])
    if (!expectsLess || rest.length === 0) continue
    let lost = ms(window.expectedSeconds) - ms(window.observedSeconds) - lengthOf(clip(within, part))
    for (const span of rest) lost = split(span, lost, [seen.missing, seen.notWanted])
  }
  return seen
}
