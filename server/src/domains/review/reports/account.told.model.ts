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

/** The first so many milliseconds of spans, and the rest. */
const splitAt = (spans: readonly Span[], ms: number): [first: Span[], rest: Span[]] => {
  const [first, rest]: [Span[], Span[]] = [[], []]
  let left = ms
  for (const { fromAt, toAt } of spans) {
    const middle = Math.min(toAt, fromAt + Math.max(0, left))
    if (middle > fromAt) first.push({ fromAt, toAt: middle })
    if (toAt > middle) rest.push({ fromAt: middle, toAt })
    left -= toAt - fromAt
  }
  return [first, rest]
}

/** A window that is cut keeps its share of the seconds, as if they were spread evenly. */
const cutTo = (windows: readonly LaneWindow[], whole: Span): (Span & { observedMs: number; expectedMs: number })[] =>
  windows.flatMap((window) => {
    const [fromAt, toAt] = [Math.max(window.fromAt, whole.fromAt), Math.min(window.toAt, whole.toAt)]
    if (toAt <= fromAt) return []
    const share = (toAt - fromAt) / (window.toAt - window.fromAt)
    const ms = (seconds: number) => Math.round(seconds * 1000 * share)
    return { fromAt, toAt, observedMs: ms(window.observedSeconds), expectedMs: ms(window.expectedSeconds) }
  })

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
  for (const window of cutTo(windows, whole)) {
    const within = overlapping(gaps, window)
    const free = within.length === 0 ? [window] : subtract([window], within)
    const [observed, rest] = splitAt(free, window.observedMs)
    const lost = window.expectedMs - window.observedMs - lengthOf(clip(within, window))
    const [missing, notWanted] = expectsLess ? splitAt(rest, lost) : [rest, []]
    seen.observed.push(...observed.map(({ fromAt, toAt }) => ({ fromAt, toAt })))
    seen.missing.push(...missing)
    seen.notWanted.push(...notWanted)
  }
  return seen
}
