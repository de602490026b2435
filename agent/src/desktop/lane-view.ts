import { agentLanes, type LaneName, laneEnabled } from '@integrity/protocol'
import type { SessionStatus } from '../core/session/agent-session.types.ts'
import type { WindowState } from '../shared/ipc/window-state.ts'

type RecordingView = NonNullable<WindowState['recording']>
export type RecordedLaneView = RecordingView['lanes'][number]

/** What the core keeps beside the session's status, by lane. */
export interface LaneCounts {
  readonly captured: ReadonlyMap<string, number>
  /** Epoch ms by this computer's clock. */
  readonly lastSampleAt: ReadonlyMap<string, number>
  readonly displays: ReadonlyMap<string, RecordedLaneView['displays'][number]>
  readonly withdrawn: ReadonlySet<LaneName>
}

const stateOf = (
  lane: LaneName,
  status: SessionStatus,
  withdrawn: ReadonlySet<LaneName>,
): RecordedLaneView['state'] => {
  const { state, lanes, phase, notAsked } = status
  if (withdrawn.has(lane)) return 'withdrawn'
  if (state.answers[lane] === false) return 'declined'
  if (notAsked.includes(lane)) return 'not_asked'
  if (!state.config || !laneEnabled(state.config, lane)) return 'off'
  if (phase === 'paused') return 'paused'
  if (lane === 'signals') return 'up'
  const health = lanes.find((report) => report.lane === lane && report.displayId === undefined)
  if (!health || health.reason === 'starting' || health.reason === 'not_started') return 'starting'
  return health.state
}

const viewOf = (lane: LaneName, status: SessionStatus, counts: LaneCounts): RecordedLaneView => {
  const { state, joined, lanes, coverage } = status
  const health = lanes.find((report) => report.lane === lane && report.displayId === undefined)
  const shown = stateOf(lane, status, counts.withdrawn)
  const total = coverage.find((known) => known.lane === lane)
  const lastSampleAt = counts.lastSampleAt.get(lane)
  const told = shown === 'degraded' || shown === 'down'
  return {
    lane,
    title: joined?.document.lanes.find((asked) => asked.lane === lane)?.title ?? lane,
    state: shown,
    ...(told && health?.reason !== undefined ? { reason: health.reason } : {}),
    ...(health ? { since: health.since } : {}),
    ...(lastSampleAt === undefined ? {} : { lastSampleAt }),
    displays: lane === 'screen' ? [...counts.displays.values()] : [],
    captured: counts.captured.get(lane) ?? 0,
    ...(total ? { coverage: { expectedSeconds: total.expectedSeconds, observedSeconds: total.observedSeconds } } : {}),
    withdrawable: state.answers[lane] === true,
  }
}

/** The lanes the candidate was asked about, and those that the policy turned on since. */
export const laneViews = (status: SessionStatus, counts: LaneCounts): RecordedLaneView[] => {
  const asked = new Set(status.joined?.document.lanes.map(({ lane }) => lane) ?? [])
  return agentLanes
    .filter((lane) => asked.has(lane) || status.notAsked.includes(lane))
    .map((lane) => viewOf(lane, status, counts))
}
