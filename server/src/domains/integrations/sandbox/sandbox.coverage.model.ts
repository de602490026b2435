import {
  type EventDataOf,
  type GapReason,
  type IntegrityEventKind,
  type LaneName,
  timedLanes,
} from '@integrity/protocol'
import { iso } from '../../../kernel/time.ts'
import { spanMs } from './sandbox.dates.model.ts'
import { clientIdOf, doneBefore, laneOn, type Moment } from './sandbox.moment.service.ts'
import type { Act } from './sandbox.steps.model.ts'

/** The display that the simulated screen lane observes. */
export const displayId = 'sim-display-1'

/** Later than planned by more than this, the simulated agent was not running. Milliseconds. */
const stoppedAfterMs = 15_000

/** Steps after which a lane's time is accounted for. */
const accounting: readonly Act['do'][] = ['register', 'lanes', 'lane', 'capture', 'deliver', 'reconnect']

export interface SentEvent<Kind extends IntegrityEventKind = IntegrityEventKind> {
  readonly clientId: string
  readonly kind: Kind
  readonly observedAt: string
  readonly source: string
  readonly data: EventDataOf<Kind>
}

export const eventAt = <Kind extends IntegrityEventKind>(
  moment: Moment,
  event: { name: string; kind: Kind; source: string; data: EventDataOf<Kind> },
  at = moment.now,
): SentEvent<Kind> => {
  const { name, ...rest } = event
  return { ...rest, clientId: clientIdOf(moment, name), observedAt: iso(at) }
}

const lanesOn = ({ session }: Moment): LaneName[] => timedLanes.filter((lane) => laneOn(session, lane))

const subjectsOf = (lane: LaneName): { name: string; data: { lane: LaneName; displayId?: string } }[] => [
  { name: lane, data: { lane } },
  ...(lane === 'screen' ? [{ name: `${lane}.display`, data: { lane, displayId } }] : []),
]

/** Lanes that went away by themselves and are not back, each with its reason. */
export const awayLanes = (moment: Moment): ReadonlyMap<LaneName, GapReason> => {
  const away = new Map<LaneName, GapReason>()
  for (const { act } of doneBefore(moment, 'lane'))
    if (act.away === null) away.delete(act.lane)
    else away.set(act.lane, act.away)
  return away
}

export const healthEvents = (
  moment: Moment,
  health: 'up' | 'down',
  reason?: GapReason,
  lanes: readonly LaneName[] = lanesOn(moment),
): SentEvent[] =>
  lanesOn(moment)
    .filter((lane) => lanes.includes(lane))
    .flatMap(subjectsOf)
    .map(({ name, data }) =>
      eventAt(moment, {
        name: `health.${name}`,
        kind: 'lane.health',
        source: 'lanes',
        data: { ...data, health, ...(reason ? { reason } : {}) },
      }),
    )

const observed = (moment: Moment, fromAt: number, toAt: number, lanes: readonly LaneName[]): SentEvent[] => {
  const seconds = (toAt - fromAt) / 1000
  if (seconds <= 0) return []
  return lanes.flatMap(subjectsOf).map(({ name, data }) =>
    eventAt(moment, {
      name: `coverage.${name}`,
      kind: 'lane.coverage',
      source: 'lanes',
      data: { ...data, fromAt: iso(fromAt), toAt: iso(toAt), expectedSeconds: seconds, observedSeconds: seconds },
    }),
  )
}

const gaps = (
  moment: Moment,
  fromAt: number,
  toAt: number,
  reason: GapReason,
  lanes: readonly LaneName[] = lanesOn(moment),
): SentEvent[] => {
  if (toAt <= fromAt) return []
  return lanes.flatMap(subjectsOf).map(({ name, data }) =>
    eventAt(moment, {
      name: `gap.${name}`,
      kind: 'lane.gap',
      source: 'lanes',
      data: { ...data, fromAt: iso(fromAt), toAt: iso(toAt), reason },
    }),
  )
}

/** Observed, but for the lanes that were away: they have a gap with their own reason. */
const windows = (moment: Moment, fromAt: number, toAt: number): SentEvent[] => {
  const away = awayLanes(moment)
  const here = lanesOn(moment).filter((lane) => !away.has(lane))
  const missing = lanesOn(moment).flatMap((lane) => {
    const reason = away.get(lane)
    return reason ? gaps(moment, fromAt, toAt, reason, [lane]) : []
  })
  return [...observed(moment, fromAt, toAt, here), ...missing]
}

/**
 * Accounts for the time since the last account: observed, in seconds by the dates of its results. With `keptUntil`, what lies
 * behind it is a gap, because the connection was away; so is time in which this service, and with it the simulated
 * agent, did not run.
 */
export const account = (moment: Moment, keptUntil?: number): SentEvent[] => {
  const { run, index, session, now } = moment
  const last = doneBefore(moment, ...accounting).at(-1)
  if (!last || session.startedAt === null) return []
  const from = Math.max(last.doneAt, session.startedAt)
  const to = Math.min(now, session.endedAt ?? now)
  if (keptUntil !== undefined)
    return [...windows(moment, from, keptUntil), ...gaps(moment, Math.max(from, keptUntil), to, 'offline')]
  const planned = spanMs(run, (run.steps[index]?.at ?? last.at) - last.at)
  if (to - from <= planned + stoppedAfterMs) return windows(moment, from, to)
  return [...windows(moment, from, from + planned), ...gaps(moment, from + planned, to, 'agent_stopped')]
}
