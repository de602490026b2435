import { type LaneName, laneEnabled, overlapping, subtract } from '@integrity/protocol'
import { accountSentence } from '@integrity/protocol/clients/lane-words'
import { laneAccountTexts } from '@integrity/protocol/texts/areas/lane-account'
import { iso } from '../../../kernel/time.ts'
import type { SessionRow } from '../../interviews/sessions/sessions.types.ts'
import { accountLanes } from './account.model.ts'
import type { AccountStretch, SourceAccount } from './account.types.ts'

const seconds = (ms: number): number => Math.round(ms / 100) / 10

const isMissing = ({ state }: AccountStretch): boolean => state === 'gap' || state === 'paused'

const figuresOf = ({ expectedMs, observedMs, heldMs, stretches }: SourceAccount) => ({
  expected: seconds(expectedMs),
  observed: seconds(observedMs),
  expectedMs,
  observedMs,
  heldMs,
  account: stretches.map(({ fromAt, toAt, ...said }) => ({ fromAt: iso(fromAt), toAt: iso(toAt), ...said })),
})

const gapView = ({ fromAt, toAt, reason }: AccountStretch, displayId: string | null) => ({
  fromAt: iso(fromAt),
  toAt: iso(toAt),
  seconds: seconds(toAt - fromAt),
  reason: reason ?? ('not_reported' as const),
  displayId,
})

/** The gaps of a display that say more than those of its lane, whose reason covers them, say already. */
const beyondLane = (display: SourceAccount, lane: SourceAccount): AccountStretch[] => {
  const said = Map.groupBy(lane.stretches.filter(isMissing), ({ reason }) => reason)
  return display.stretches
    .filter(isMissing)
    .filter((gap) => subtract([gap], overlapping(said.get(gap.reason) ?? [], gap)).length > 0)
}

/** A lane that was asked for has an answer of its own; one that the policy switched on since may have none yet. */
const wasAnswered = ({ consent }: SessionRow, lane: LaneName): boolean => consent?.lanes[lane] !== undefined

const laneCoverage = (session: SessionRow, lane: LaneName, accounts: readonly SourceAccount[], objects: number) => {
  const [own, ...displays] = accounts
  if (!own) throw new Error(`no account of ${lane}`)
  const given = session.consent?.lanes[lane]
  const enabled = laneEnabled(session.config, lane)
  const gaps = [
    ...own.stretches.filter(isMissing).map((gap) => gapView(gap, null)),
    ...displays.flatMap((display) => beyondLane(display, own).map((gap) => gapView(gap, display.displayId))),
  ]
  const declined = enabled && wasAnswered(session, lane) && (!given?.granted || given.withdrawnAt !== null)
  const figures = figuresOf(own)
  return {
    lane,
    enabled,
    declined,
    ...figures,
    sentence: accountSentence({ lane, enabled, declined, ...figures }, { texts: laneAccountTexts.en }),
    objects,
    displays: displays.map((display) => ({ displayId: display.displayId ?? '', ...figuresOf(display) })),
    gaps: gaps.toSorted((a, b) => (a.fromAt === b.fromAt ? 0 : a.fromAt < b.fromAt ? -1 : 1)),
  }
}
export type LaneCoverage = ReturnType<typeof laneCoverage>

/** What the account says of each lane, as it is shown. `objects`: how many there were of each lane, erased ones too. */
export const coverageOf = (
  session: SessionRow,
  sources: readonly SourceAccount[],
  objects: ReadonlyMap<LaneName, number> = new Map(),
): LaneCoverage[] => {
  const byLane = Map.groupBy(sources, ({ lane }) => lane)
  return accountLanes.map((lane) => laneCoverage(session, lane, byLane.get(lane) ?? [], objects.get(lane) ?? 0))
}
