import { type PlanName, planNames } from '@integrity/protocol'
import type { SpanRow } from './plans.store.ts'

/** Plans in the order of the ladder. */
export const rankOf = (plan: PlanName): number => planNames.indexOf(plan)

export const covers = ({ fromAt, untilAt }: SpanRow, at: number): boolean =>
  fromAt <= at && (untilAt === null || untilAt > at)

const lasts = ({ untilAt }: SpanRow): number => untilAt ?? Number.POSITIVE_INFINITY

/** Of several that are in force the best plan counts, then more seats, then the one that lasts longer. */
export const bestOf = (spans: readonly SpanRow[]): SpanRow | undefined =>
  spans.toSorted((a, b) => rankOf(b.plan) - rankOf(a.plan) || b.seats - a.seats || lasts(b) - lasts(a))[0]

/** A stretch of time in which one plan counted; undefined: none, which is `free`. */
export interface Piece {
  readonly from: number
  readonly to: number
  readonly span: SpanRow | undefined
}

const minute = 60_000

/** What counted when in a stretch, piece by piece, to the minute: sessions are counted by the minute. */
export const piecesOf = (
  spans: readonly SpanRow[],
  { from, to }: { readonly from: number; readonly to: number },
): Piece[] => {
  const ends = spans.flatMap(({ fromAt, untilAt }) => [fromAt, untilAt ?? to])
  const inside = ends.map((at) => Math.floor(at / minute) * minute).filter((at) => at > from && at < to)
  const cuts = [...new Set([from, ...inside, to])].toSorted((a, b) => a - b)
  return cuts.slice(0, -1).map((at, n) => {
    const until = cuts[n + 1] ?? to
    // What counted at the end of a piece counted in it: its beginning may be that of the minute before.
    return { from: at, to: until, span: bestOf(spans.filter((span) => covers(span, until - 1))) }
  })
}
