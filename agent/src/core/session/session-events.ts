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
import type { Absence } from './absence.ts'
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
  /** After an event is durable. */
  readonly onStored: () => void
  /** An event found no room; the host says so. */
  readonly onTrouble: (trouble: string) => void
}

const iso = (at: number): string => new Date(at).toISOString()
const display = (displayId: string | undefined) => (displayId === undefined ? {} : { displayId })

/** Writes what happened into the spool, in the contract's shapes. Durable when a call returns. */
export class SessionEvents {
  readonly #options: SessionEventsOptions

  constructor(options: SessionEventsOptions) {
    this.#options = options
  }

  note<Kind extends IntegrityEventKind>(kind: Kind, source: string, data: EventDataOf<Kind>): void {
    const { clock } = this.#options
    this.#put({ kind, source, data, observedAt: clock.wallMs(), monotonicMs: clock.monotonicMs() })
  }

  observation(observation: Observation): void {
    this.#options.listener?.observation()
    this.#put(observation)
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

  gap(gap: NotedGap): void {
    const { lane, displayId, from, to, reason } = gap
    this.note('lane.gap', 'lanes', { lane, ...display(displayId), fromAt: iso(from), toAt: iso(to), reason })
  }

  /** The agent itself was gone: a gap, and time in which nothing was observed. */
  absence({ from, to, ...subject }: Absence): void {
    this.gap({ ...subject, from, to, reason: 'agent_stopped' })
    this.coverage({ ...subject, fromAt: from, toAt: to, expectedSeconds: (to - from) / 1000, observedSeconds: 0 })
  }

  coverage(window: Omit<CoverageWindow, 'gaps' | 'lane'> & { readonly lane: LaneName }): void {
    const { lane, displayId, fromAt, toAt, expectedSeconds, observedSeconds } = window
    const span = { fromAt: iso(fromAt), toAt: iso(toAt) }
    this.note('lane.coverage', 'lanes', { lane, ...display(displayId), ...span, expectedSeconds, observedSeconds })
  }

  #put(event: EventInput): void {
    try {
      this.#options.spool.putEvents([event])
      this.#options.onStored()
    } catch (error) {
      this.#options.onTrouble(
        `${event.kind} could not be kept: ${error instanceof Error ? error.message : String(error)}`,
      )
    }
  }
}
