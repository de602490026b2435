import type { LaneName } from '@integrity/protocol'
import type { LifeSigns } from '../spool/life-signs.ts'
import type { LastSample } from '../spool/spool-index.ts'
import { lanesToRun } from './session-machine.ts'
import type { SessionState } from './session-machine.types.ts'

/** What the spool remembers of the time before the agent stopped. Times are epoch milliseconds. */
export interface BeforeStop {
  readonly samples: readonly LastSample[]
  readonly heartbeat: number | undefined
  readonly registeredAt: number | undefined
}

export interface Absence {
  readonly lane: LaneName
  readonly displayId?: string
  readonly from: number
  readonly to: number
}

/** Shorter than this is a hiccup of the clock, not a gap. */
const leastMs = 1000
/** A display whose last sample is this much older than the last heartbeat had gone before the agent did. */
const staleDisplayMs = 60_000

/**
 * For which time each lane that should have run was not observed because the agent was not running: from its last
 * sample to now. A lane without any sample counts from the registration.
 */
export const absences = (
  lanes: readonly LaneName[],
  before: BeforeStop,
  stillIntervalMs: number,
  now: number,
): Absence[] => {
  const { samples, heartbeat, registeredAt } = before
  const found = lanes.flatMap((lane): Absence[] => {
    const own = samples.filter((sample) => sample.lane === lane)
    const newest = own.reduce((at, sample) => Math.max(at, sample.lastAt), 0)
    const from = newest || heartbeat || registeredAt
    if (from === undefined) return []
    const displays = own.flatMap((sample): Absence[] => {
      if (sample.displayId === undefined) return []
      if (sample.lastAt < (heartbeat ?? 0) - staleDisplayMs - 2 * stillIntervalMs) return []
      return [{ lane, displayId: sample.displayId, from: sample.lastAt, to: now }]
    })
    return [{ lane, from, to: now }, ...displays]
  })
  return found.filter((absence) => absence.to - absence.from >= leastMs)
}

/** As `absences`, of an agent that comes back to a session which was recorded. Times are epoch milliseconds. */
export const absencesOf = (
  state: SessionState,
  signs: Pick<LifeSigns, 'lastSamples' | 'lastHeartbeat'>,
  registeredAt: number | undefined,
  now: number,
): Absence[] => {
  const before = { samples: signs.lastSamples(), heartbeat: signs.lastHeartbeat(), registeredAt }
  // The transcript is measured against the sound that is there.
  const lanes = lanesToRun(state).filter((lane) => !['signals', 'transcript'].includes(lane))
  return absences(lanes, before, (state.config?.capture.screenshotIntervalSeconds ?? 0) * 1000, now)
}
