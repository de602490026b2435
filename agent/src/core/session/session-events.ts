import {
  type EventDataOf,
  type GapReason,
  type IntegrityEventKind,
  type LaneName,
  maxHealthReason,
} from '@integrity/protocol'
import type { Clock } from '../../shared/clock.ts'
import type { CoverageWindow } from '../capture/coverage.ts'
import type { HealthReport } from '../capture/types.ts'
import type { Observation, ObserverGap } from '../observers/types.ts'
import type { Spool } from '../spool/spool.ts'
import type { EventInput } from '../spool/types.ts'
import type { Statement } from './account-subject.ts'
import type { LaneListener, ObserverSink } from './ports.ts'

/** A gap as the contract knows it: the lanes' own reasons and the spool's. Times are epoch milliseconds. */
export interface NotedGap {
  readonly lane: LaneName
  readonly displayId?: string
  readonly from: number
  readonly to: number
  readonly reason: GapReason
}

export interface SessionEventsOptions {
  readonly spool: Spool
  readonly clock: Clock
  readonly listener?: LaneListener | undefined
  /** After events of these kinds are durable. */
  readonly onStored: (kinds: readonly string[]) => void
  /** An event found no room; the host says so. */
  readonly onTrouble: (trouble: string) => void
}

type NotedWindow = Omit<CoverageWindow, 'gaps' | 'lane'> & { readonly lane: LaneName }

const iso = (at: number): string => new Date(at).toISOString()
const display = (displayId: string | undefined) => (displayId === undefined ? {} : { displayId })
const placeOf = ({ lane, displayId, fromAt, toAt }: Omit<Statement, 'reason'>) => ({
  lane,
  ...display(displayId),
  fromAt: iso(fromAt),
  toAt: iso(toAt),
})
const gapData = (gap: Required<Pick<Statement, 'reason'>> & Statement): EventDataOf<'lane.gap'> => ({
  ...placeOf(gap),
  reason: gap.reason,
})
const windowData = ({ expectedSeconds, observedSeconds, ...place }: NotedWindow): EventDataOf<'lane.coverage'> => ({
  ...placeOf(place),
  expectedSeconds,
  observedSeconds,
})

/** Writes what happened into the spool, in the contract's shapes. Durable when a call returns. */
export class SessionEvents {
  readonly #options: SessionEventsOptions

  constructor(options: SessionEventsOptions) {
    this.#options = options
  }

  note<Kind extends IntegrityEventKind>(kind: Kind, source: string, data: EventDataOf<Kind>): void {
    const { clock } = this.#options
    this.#put([{ kind, source, data, observedAt: clock.wallMs(), monotonicMs: clock.monotonicMs() }])
  }

  observation(observation: Observation): void {
    this.#options.listener?.observation()
    this.#put([observation])
  }

  /** What observers tell into. */
  get fromObservers(): ObserverSink {
    return { emit: (observation) => this.observation(observation), gap: (gap) => this.observerGap(gap) }
  }

  /** An observer that should have seen something could not: a hole in the signals, named. */
  observerGap({ observer, from, to, why }: ObserverGap): void {
    const span = { fromAt: iso(from), toAt: iso(to) }
    this.note('lane.gap', 'observers', {
      lane: 'signals',
      ...span,
      reason: 'not_observable',
      observer,
      why: why.slice(0, maxHealthReason),
    })
  }

  health(report: HealthReport): void {
    const { lane, displayId, state, reason } = report
    this.note('lane.health', 'lanes', {
      lane,
      ...display(displayId),
      health: state,
      ...(reason ? { reason: reason.slice(0, maxHealthReason) } : {}),
    })
  }

  gap({ from, to, ...gap }: NotedGap): void {
    this.note('lane.gap', 'lanes', gapData({ ...gap, fromAt: from, toAt: to }))
  }

  /** What a lane's account says, kept with it. */
  account(statements: readonly Statement[], account: string): void {
    const { clock } = this.#options
    const base = { source: 'lanes', observedAt: clock.wallMs(), monotonicMs: clock.monotonicMs() }
    const events = statements.map(({ reason, ...said }): EventInput => {
      if (reason !== undefined) return { ...base, kind: 'lane.gap', data: gapData({ ...said, reason }) }
      const observedSeconds = (said.toAt - said.fromAt) / 1000
      return {
        ...base,
        kind: 'lane.coverage',
        data: windowData({ ...said, observedSeconds, expectedSeconds: observedSeconds }),
      }
    })
    this.#put(events, account)
  }

  coverage(window: NotedWindow): void {
    this.note('lane.coverage', 'lanes', windowData(window))
  }

  #put(events: readonly EventInput[], account?: string): void {
    try {
      this.#options.spool.putEvents(events, account)
      if (events.length > 0) this.#options.onStored(events.map(({ kind }) => kind))
    } catch (error) {
      const kinds = [...new Set(events.map(({ kind }) => kind))].join(', ')
      this.#options.onTrouble(`${kinds} could not be kept: ${error instanceof Error ? error.message : String(error)}`)
    }
  }
}
