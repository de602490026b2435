import { type GapReason, type LaneName, momentAroundSeconds } from '@integrity/protocol'
import type { LaneWindow } from '../lanes/lanes.types.ts'
import type { Moment, MomentFacts, Span } from './moments.types.ts'

const aroundMs = momentAroundSeconds * 1000

const overlap = (a: Span, b: Span): number => Math.max(0, Math.min(a.toAt, b.toAt) - Math.max(a.fromAt, b.fromAt))
const inSeconds = (ms: number): number => Math.round(ms / 100) / 10

/** The windows that count for each lane: its own, or those of its first display where it says nothing itself. */
const countedWindows = (windows: readonly LaneWindow[]): Map<LaneName, readonly LaneWindow[]> =>
  new Map(
    [...Map.groupBy(windows, ({ lane }) => lane)].map(([lane, all]) => {
      const first = all.reduce((least, { displayId }) => (displayId < least ? displayId : least), all[0]!.displayId)
      return [lane, all.filter(({ displayId }) => displayId === first)]
    }),
  )

/** Of a span, for which windows' samples were seen, as if they were spread evenly over each window. */
const observedMs = (windows: readonly LaneWindow[], span: Span): number => {
  let ms = 0
  for (const window of windows) {
    const length = window.toAt - window.fromAt
    const shared = length > 0 ? overlap(window, span) / length : 0
    ms += shared * window.observedSeconds * 1000
  }
  return Math.min(ms, span.toAt - span.fromAt)
}

/** No part of the time outside of the session. */
const within = ({ startedAt, until }: MomentFacts['session'], span: Span): Span => {
  const fromAt = Math.max(span.fromAt, startedAt ?? span.fromAt)
  return { fromAt, toAt: Math.max(fromAt, Math.min(span.toAt, until)) }
}

/** Of each lane that the policy asks for: what it recorded around a moment, and why not the rest. */
export const recordingAround = (facts: MomentFacts) => {
  const counted = countedWindows(facts.windows)
  const lanes = facts.coverage
    .filter(({ enabled }) => enabled)
    .map(({ lane, declined, gaps }) => ({
      ...{ lane, declined, windows: counted.get(lane) ?? [] },
      gaps: gaps.map((gap) => ({ reason: gap.reason, fromAt: Date.parse(gap.fromAt), toAt: Date.parse(gap.toAt) })),
    }))
  return ({ at, untilAt }: Pick<Moment, 'at' | 'untilAt'>) => {
    const span = within(facts.session, { fromAt: at - aroundMs, toAt: (untilAt ?? at) + aroundMs })
    return lanes.map(({ lane, declined, windows, gaps }) => ({
      lane,
      declined,
      seconds: inSeconds(span.toAt - span.fromAt),
      observed: inSeconds(observedMs(windows, span)),
      gaps: [...new Set<GapReason>(gaps.filter((gap) => overlap(gap, span) > 0).map(({ reason }) => reason))].sort(),
    }))
  }
}

/** Milliseconds of a span for which samples of a lane were seen. */
export const observedIn = (windows: readonly LaneWindow[], lane: LaneName): ((span: Span) => number) => {
  const counted = countedWindows(windows).get(lane) ?? []
  return (span) => observedMs(counted, span)
}

/** Of each lane: seconds that were seen in the session's first minute. */
export const firstMinute =
  ({ session, windows }: MomentFacts) =>
  (lane: LaneName): Readonly<Record<string, unknown>> | null => {
    if (session.startedAt === null) return null
    const span = within(session, { fromAt: session.startedAt, toAt: session.startedAt + 60_000 })
    return { seconds: inSeconds(span.toAt - span.fromAt), observed: inSeconds(observedIn(windows, lane)(span)) }
  }
