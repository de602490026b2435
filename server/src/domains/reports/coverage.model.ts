import { type GapReason, type LaneName, laneEnabled, timedLanes } from '@integrity/protocol'
import type { LaneGap, LaneWindow } from '../lanes/lanes.types.ts'
import type { SessionRow } from '../sessions/sessions.types.ts'
import { type SideViewInput, sideViewReports } from './coverage.side-view.model.ts'

interface Span {
  readonly fromAt: number
  readonly toAt: number
}

/** A silence shorter than this at the edges of a session is start-up and shut-down, not a gap. Milliseconds. */
const unreportedMs = 15_000

const byBeginning = (a: Span, b: Span): number => a.fromAt - b.fromAt

/** What is left of a span after others are taken out of it; `taken` in any order. */
export const subtract = (span: Span, taken: readonly Span[]): Span[] => {
  const left: Span[] = []
  let { fromAt } = span
  for (const next of taken.filter((t) => t.toAt > t.fromAt).sort(byBeginning)) {
    if (next.fromAt >= span.toAt) break
    if (next.fromAt > fromAt) left.push({ fromAt, toAt: next.fromAt })
    fromAt = Math.max(fromAt, next.toAt)
  }
  return fromAt < span.toAt ? [...left, { fromAt, toAt: span.toAt }] : left
}

const seconds = (ms: number): number => Math.round(ms / 100) / 10
const length = (span: Span): number => Math.max(0, span.toAt - span.fromAt)
const sum = (numbers: readonly number[]): number => numbers.reduce((total, n) => total + n, 0)

/** Milliseconds that at least one of these spans covers. */
const covered = (spans: readonly Span[]): number => {
  let ms = 0
  let until = Number.NEGATIVE_INFINITY
  for (const { fromAt, toAt } of [...spans].sort(byBeginning)) {
    ms += Math.max(0, toAt - Math.max(fromAt, until))
    until = Math.max(until, toAt)
  }
  return ms
}

/** Milliseconds of the gaps that lie in no window; where two gaps overlap, the time counts once. */
const outside = (gaps: readonly Span[], windows: readonly Span[]): number =>
  covered([...windows, ...gaps]) - covered(windows)

/** Expected counts what the lane's windows expected, and gaps outside them: time in which nobody could even expect. */
const totals = (windows: readonly LaneWindow[], gaps: readonly Span[]) => ({
  expected: seconds(sum(windows.map((w) => w.expectedSeconds)) * 1000 + outside(gaps, windows)),
  observed: seconds(sum(windows.map((w) => w.observedSeconds)) * 1000),
})

/** Overlapping gaps of one reason are one gap: a restart can report the same hole from two sides. */
const joinGaps = (gaps: readonly LaneGap[]): LaneGap[] => {
  const joined: LaneGap[] = []
  const newest = new Map<string, number>()
  for (const gap of [...gaps].sort(byBeginning)) {
    const key = `${gap.reason} ${gap.displayId}`
    const index = newest.get(key) ?? -1
    const before = joined[index]
    if (before && before.toAt >= gap.fromAt) joined[index] = { ...before, toAt: Math.max(before.toAt, gap.toAt) }
    else newest.set(key, joined.push(gap) - 1)
  }
  return joined
}

/** Without the gaps of a display that say no more than one of the whole lane, for the same reason, says already. */
const withoutRepeated = (joined: readonly LaneGap[]): LaneGap[] => {
  const said = new Map<GapReason, LaneGap>()
  const laneFirst = joined.toSorted((a, b) => a.fromAt - b.fromAt || a.displayId.length - b.displayId.length)
  return laneFirst.filter((gap) => {
    if (gap.displayId !== '') return gap.toAt > (said.get(gap.reason)?.toAt ?? Number.NEGATIVE_INFINITY)
    said.set(gap.reason, gap)
    return true
  })
}

const unreported = (
  session: SessionRow,
  lane: LaneName,
  windows: readonly LaneWindow[],
  gaps: readonly LaneGap[],
): LaneGap[] => {
  if (session.startedAt === null || session.endedAt === null) return []
  // A lane that was agreed to in the middle of the session is expected from then on.
  const agreedAt = Date.parse(session.consent?.lanes[lane]?.at ?? '') || 0
  const whole = { fromAt: Math.max(session.startedAt, agreedAt), toAt: session.endedAt }
  return subtract(whole, [...windows, ...gaps])
    .filter((span) => length(span) >= unreportedMs)
    .map((span) => ({ ...span, lane, displayId: '', reason: 'not_reported' satisfies GapReason }))
}

/**
 * What lies after the end is no part of the session: lanes run on until the agent learns of it. A window that is cut
 * keeps its share of the seconds, as if they were spread evenly.
 */
const untilEnd = ({ session, windows, gaps }: CoverageInput): { windows: LaneWindow[]; gaps: LaneGap[] } => {
  const end = session.endedAt ?? Number.POSITIVE_INFINITY
  const inside = <T extends Span>(span: T): boolean => span.fromAt < end || span.toAt <= end
  const cut = (w: LaneWindow): LaneWindow => {
    if (w.toAt <= end) return w
    const share = (end - w.fromAt) / (w.toAt - w.fromAt)
    const { expectedSeconds, observedSeconds } = w
    return { ...w, toAt: end, expectedSeconds: expectedSeconds * share, observedSeconds: observedSeconds * share }
  }
  return {
    windows: windows.filter(inside).map(cut),
    gaps: gaps.filter(inside).map((gap) => ({ ...gap, toAt: Math.min(gap.toAt, end) })),
  }
}

export interface CoverageInput {
  readonly session: SessionRow
  readonly windows: readonly LaneWindow[]
  readonly gaps: readonly LaneGap[]
  /** Stored evidence objects of each lane. */
  readonly objects: ReadonlyMap<LaneName, number>
  /** Without it nothing is said of the phone's lane. */
  readonly sideView?: SideViewInput
}

/** A lane that was asked for has an answer of its own; one that the policy switched on since may have none yet. */
const wasAnswered = ({ consent }: SessionRow, lane: LaneName): boolean => consent?.lanes[lane] !== undefined

const laneCoverage = (input: CoverageInput, lane: LaneName) => {
  const { session } = input
  const given = session.consent?.lanes[lane]
  const enabled = laneEnabled(session.config, lane)
  const declined = enabled && wasAnswered(session, lane) && (!given?.granted || given.withdrawnAt !== null)
  const ofLane = input.windows.filter((w) => w.lane === lane)
  const byDisplay = Map.groupBy(ofLane, (w) => w.displayId)
  const displayIds = [...byDisplay.keys()].filter(Boolean).sort()
  const windows = byDisplay.get('') ?? byDisplay.get(displayIds[0] ?? '') ?? []
  const reported = withoutRepeated(joinGaps(input.gaps.filter((g) => g.lane === lane && g.reason !== 'declined')))
  const stands = enabled && given?.granted === true && given.withdrawnAt === null
  // The phone's lane comes with all its gaps: what is expected of it does not begin and end with the session.
  const never = stands && lane !== 'side_view' ? unreported(session, lane, windows, reported) : []
  const gaps = declined && ofLane.length === 0 ? [] : [...reported, ...never]
  return {
    lane,
    enabled,
    declined,
    ...totals(
      windows,
      gaps.filter((gap) => gap.displayId === ''),
    ),
    objects: input.objects.get(lane) ?? 0,
    displays: displayIds.map((displayId) => ({
      displayId,
      ...totals(byDisplay.get(displayId) ?? [], []),
    })),
    gaps: gaps.map(({ fromAt, toAt, reason, displayId }) => ({
      fromAt: new Date(fromAt).toISOString(),
      toAt: new Date(toAt).toISOString(),
      seconds: seconds(toAt - fromAt),
      reason,
      displayId: displayId === '' ? null : displayId,
    })),
  }
}

/** Expected against observed for each lane whose coverage is counted in seconds. */
export const coverageOf = (input: CoverageInput) => {
  const clipped = { ...input, ...untilEnd(input) }
  const phone = { ...input, ...sideViewReports(input.session, input.sideView ?? { phones: [], answers: [] }) }
  return [...timedLanes.map((lane) => laneCoverage(clipped, lane)), laneCoverage(phone, 'side_view')]
}
