import { clip, type GapReason, type LaneName, momentAroundSeconds, overlapping, type Span } from '@integrity/protocol'
import type { SourceAccount } from './account.types.ts'
import type { Moment, MomentFacts } from './moments.types.ts'

const aroundMs = momentAroundSeconds * 1000

const inSeconds = (ms: number): number => Math.round(ms / 100) / 10

/** The account of a lane as a whole. */
const accountOfLane = (sources: readonly SourceAccount[], lane: LaneName): SourceAccount | undefined =>
  sources.find((one) => one.lane === lane && one.displayId === null)

const msOf = (spans: readonly Span[]): number => spans.reduce((ms, { fromAt, toAt }) => ms + toAt - fromAt, 0)

/** No part of the time outside of the session. */
const within = ({ startedAt, until }: MomentFacts['session'], span: Span): Span => {
  const fromAt = Math.max(span.fromAt, startedAt ?? span.fromAt)
  return { fromAt, toAt: Math.max(fromAt, Math.min(span.toAt, until)) }
}

/** Of each lane that the policy asks for: what it recorded around a moment, and why not the rest. */
export const recordingAround = (facts: MomentFacts) => {
  const lanes = facts.coverage
    .filter(({ enabled, account, lane }) => enabled && (account.length > 0 || lane !== 'room_camera'))
    .map(({ lane, declined }) => ({
      lane,
      declined,
      stretches: accountOfLane(facts.sources, lane)?.stretches ?? [],
    }))
  return ({ at, untilAt }: Pick<Moment, 'at' | 'untilAt'>) => {
    const span = within(facts.session, { fromAt: at - aroundMs, toAt: (untilAt ?? at) + aroundMs })
    return lanes.map(({ lane, declined, stretches }) => {
      const there = clip(overlapping(stretches, span), span)
      const missing = there.filter(({ state }) => state === 'gap' || state === 'paused')
      return {
        lane,
        declined,
        seconds: inSeconds(span.toAt - span.fromAt),
        observed: inSeconds(msOf(there.filter(({ state }) => state === 'observed'))),
        gaps: [...new Set<GapReason>(missing.flatMap(({ reason }) => reason ?? []))].sort(),
      }
    })
  }
}

/** Milliseconds of a span for which samples of a lane were seen. */
export const observedIn = (sources: readonly SourceAccount[], lane: LaneName): ((span: Span) => number) => {
  const observed = accountOfLane(sources, lane)?.stretches.filter(({ state }) => state === 'observed') ?? []
  return (span) => msOf(clip(overlapping(observed, span), span))
}

/** Of each lane: seconds that were seen in the session's first minute. */
export const firstMinute =
  ({ session, sources }: MomentFacts) =>
  (lane: LaneName): Readonly<Record<string, unknown>> | null => {
    if (session.startedAt === null) return null
    const span = within(session, { fromAt: session.startedAt, toAt: session.startedAt + 60_000 })
    return { seconds: inSeconds(span.toAt - span.fromAt), observed: inSeconds(observedIn(sources, lane)(span)) }
  }
