import type { LaneName } from '@integrity/protocol'
import type { Clock } from '../../shared/clock.ts'
import { accountName, type LastSample, type SpoolIndex } from './spool-index.ts'

const heartbeatName = 'heartbeat'

/** When this agent and its lanes were last alive, over restarts. */
export class LifeSigns {
  readonly #index: SpoolIndex
  readonly #clock: Clock

  constructor(index: SpoolIndex, clock: Clock) {
    this.#index = index
    this.#clock = clock
  }

  /** A sample that changed nothing: the lane is alive though no item is stored. */
  markSample(lane: LaneName, displayId: string | undefined, at: number): void {
    this.#index.markSample(lane, displayId, at)
  }

  /** What was said of the lanes' time, as it was put with the events that said it last. */
  account(): string | undefined {
    return this.#index.getMeta(accountName)
  }

  /** The newest sample of each lane and display. */
  lastSamples(): LastSample[] {
    return this.#index.lastSamples()
  }

  /** Written now and then while recording, so that a restart knows how long the agent was gone. */
  heartbeat(): void {
    const signs = { at: this.#clock.wallMs(), monotonicMs: this.#clock.monotonicMs() }
    this.#index.setMeta(heartbeatName, JSON.stringify(signs))
  }

  /** Epoch milliseconds of the last heartbeat. */
  lastHeartbeat(): number | undefined {
    const text = this.#index.getMeta(heartbeatName)
    return text === undefined ? undefined : (JSON.parse(text) as { at: number }).at
  }
}
