import type { GapReason, Span } from '@integrity/protocol'
import type { Spool } from '../../spool/spool.ts'

/** A window (without a reason) or a gap, as events say it. */
export interface ToldSpan extends Span {
  readonly reason: GapReason | undefined
}

interface Told {
  readonly lane: string
  readonly displayId?: string
  readonly fromAt: string
  readonly toAt: string
  readonly reason?: GapReason
}

/** What windows and gaps among these events say, by lane, or lane and display. */
export const spansOf = (
  events: readonly { readonly kind: string; readonly data: Readonly<Record<string, unknown>> }[],
): Map<string, ToldSpan[]> => {
  const told = events.flatMap(({ kind, data }) =>
    kind === 'lane.gap' || kind === 'lane.coverage' ? [data as unknown as Told] : [],
  )
  const bySubject = Map.groupBy(told, ({ lane, displayId }) => (displayId ? `${lane} ${displayId}` : lane))
  return new Map(
    [...bySubject].map(([subject, all]) => [
      subject,
      all.map(({ fromAt, toAt, reason }) => ({ fromAt: Date.parse(fromAt), toAt: Date.parse(toAt), reason })),
    ]),
  )
}

/** As `spansOf`, of all events that a spool holds. */
export const toldSpans = (spool: Spool): Map<string, ToldSpan[]> => {
  const events = []
  for (let batch = spool.nextEvents(); batch.length > 0; batch = spool.nextEvents()) events.push(...batch)
  return spansOf(events)
}
