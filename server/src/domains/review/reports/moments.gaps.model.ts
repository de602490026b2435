import { type GapReason, type LaneName, laneNames, momentGapSeconds, type Span } from '@integrity/protocol'
import { firstMinute } from './moments.around.model.ts'
import type { Finding, MomentFacts } from './moments.types.ts'

interface Gap extends Span {
  readonly lane: LaneName
  readonly reason: GapReason
  readonly displayId: string | null
}
/** Gaps of one cause, the earliest first. */
interface Incident {
  readonly fromAt: number
  toAt: number
  readonly gaps: Gap[]
}

const gapsOf = ({ coverage }: MomentFacts): Gap[] =>
  coverage.flatMap(({ lane, gaps }) =>
    gaps.map(({ reason, displayId, fromAt, toAt }) => ({
      lane,
      reason,
      displayId,
      fromAt: Date.parse(fromAt),
      toAt: Date.parse(toAt),
    })),
  )

const placeOf = (lane: LaneName): number => laneNames.indexOf(lane)
const byBeginning = (a: Gap, b: Gap): number =>
  a.fromAt - b.fromAt || placeOf(a.lane) - placeOf(b.lane) || ((a.displayId ?? '') < (b.displayId ?? '') ? -1 : 1)

const lengthOf = ({ fromAt, toAt }: Span): number => toAt - fromAt

/**
 * Gaps of one reason that overlap have one cause. That nothing was reported is none: such gaps are one where they are of about
 * the same time.
 */
const isPartOf = (incident: Incident, gap: Gap): boolean => {
  const shared = Math.min(incident.toAt, gap.toAt) - gap.fromAt
  return gap.reason === 'not_reported' ? shared * 2 >= Math.max(lengthOf(incident), lengthOf(gap)) : shared > 0
}

/** Gaps of one reason in the incidents that they make. */
export const incidentsOf = (gaps: readonly Gap[]): Incident[] => {
  const incidents: Incident[] = []
  let open: Incident[] = []
  for (const gap of gaps.toSorted(byBeginning)) {
    open = open.filter(({ toAt }) => toAt > gap.fromAt)
    const incident = open.find((one) => isPartOf(one, gap))
    if (incident) {
      incident.toAt = Math.max(incident.toAt, gap.toAt)
      incident.gaps.push(gap)
      continue
    }
    const begun = { fromAt: gap.fromAt, toAt: gap.toAt, gaps: [gap] }
    incidents.push(begun)
    open.push(begun)
  }
  return incidents
}

const isLong = (span: Span): boolean => lengthOf(span) >= momentGapSeconds * 1000

/** What a display is called goes with an erasure: those of one instant are told apart by their order. */
const keysOf = (gaps: readonly Gap[]): string[] => {
  const seen = new Map<string, number>()
  return gaps.map(({ lane, reason, fromAt }) => {
    const place = `${lane} ${reason} ${new Date(fromAt).toISOString()}`
    const nth = seen.get(place) ?? 0
    seen.set(place, nth + 1)
    return `${place} ${nth}`
  })
}

/** Times of which some lane has nothing for long: what several lanes miss at once for one reason is one finding. */
export const laneGaps = (facts: MomentFacts): Finding[] => {
  const startOf = firstMinute(facts)
  const byReason = Map.groupBy(gapsOf(facts), ({ reason }) => reason)
  return [...byReason.values()].flatMap(incidentsOf).flatMap(({ fromAt, toAt, gaps }) => {
    const long = gaps.filter(isLong)
    const [first] = long
    if (!first) return []
    const [key, ...parts] = keysOf(long)
    const lanes = laneNames.filter((lane) => gaps.some((gap) => gap.lane === lane))
    const { lane, displayId, reason } = first
    return {
      key: key!,
      parts,
      lanes,
      at: fromAt,
      untilAt: toAt,
      reading: { lanes, lane, displayId, reason, seconds: Math.round((toAt - fromAt) / 100) / 10 },
      atStart: startOf(lane),
    }
  })
}
