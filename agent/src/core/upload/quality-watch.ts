import type { Clock } from '../../shared/clock.ts'
import type { Spool } from '../spool/spool.ts'
import { type BandwidthMeter, QualityGovernor, type QualityLevel } from './bandwidth.ts'

const everyMs = 10_000

export interface QualityWatchOptions {
  readonly spool: Spool
  readonly clock: Clock
  readonly meter: BandwidthMeter
  /** Called on each change. */
  readonly onQuality: ((level: QualityLevel) => void) | undefined
}

/** Compares what the network takes with what comes in, and asks for smaller or better stills. */
export class QualityWatch {
  readonly #options: QualityWatchOptions
  readonly #governor = new QualityGovernor()
  #last: { at: number; storedBytes: number }

  constructor(options: QualityWatchOptions) {
    this.#options = options
    this.#last = { at: options.clock.monotonicMs(), storedBytes: options.spool.storedBytes }
  }

  get level(): QualityLevel {
    return this.#governor.level
  }

  /** Every ten seconds; called oftener it does nothing. */
  look(offline: boolean): void {
    const { clock, spool, meter, onQuality } = this.#options
    const now = clock.monotonicMs()
    const elapsedMs = now - this.#last.at
    if (elapsedMs < everyMs) return
    const { storedBytes } = spool
    const before = this.#governor.level
    const level = this.#governor.read({
      elapsedMs,
      storedBytes: storedBytes - this.#last.storedBytes,
      backlogBytes: spool.remaining().bytes,
      bytesPerSecond: offline ? undefined : meter.bytesPerSecond,
    })
    this.#last = { at: now, storedBytes }
    meter.settle()
    if (level !== before) onQuality?.(level)
  }
}
