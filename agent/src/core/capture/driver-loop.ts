import { backoffMs } from '@integrity/client/backoff'
import type { GapReason } from '@integrity/protocol'
import type { Clock } from '../../shared/clock.ts'
import { unlessLate } from './deadline.ts'
import { type CaptureConfig, type Driver, DriverError, type DriverSink } from './types.ts'

/** A run shorter than this counts against its driver; after a longer one the backoff starts again. */
const steadyRunMs = 30_000
/** Short runs in a row after which a driver has to let the next one try. */
const failuresBeforeFallback = 3
/** How long a driver that failed is passed over. */
const benchMs = 60_000

const restartBackoff = { baseMs: 500, capMs: 30_000, leastMs: 250 }

export interface DriverLoopOptions {
  drivers: Driver[]
  config: () => CaptureConfig
  sinkFor: (driver: Driver) => DriverSink
  clock: Clock
  random?: () => number
  onStart?: (driver: Driver, abort: (error: DriverError) => void) => void
  onLost: (reason: GapReason, detail: string) => void
}

interface TrackRecord {
  failures: number
  benchedUntil: number
}
interface Failure {
  reason: GapReason
  detail: string
}

const failureOf = (error: unknown): Failure => ({
  reason: error instanceof DriverError ? error.reason : 'driver_failed',
  detail: error instanceof Error ? error.message : String(error),
})

/**
 * Keeps one of the drivers running until `signal` aborts: the first whose probe passes, restarted with exponential
 * backoff and jitter, given up for the next one after three short runs in a row.
 */
export const runDriverLoop = async (options: DriverLoopOptions, signal: AbortSignal): Promise<void> => {
  const { clock, drivers, config } = options
  const records = new Map<Driver, TrackRecord>()
  let attempt = 0

  const select = async (): Promise<Driver | Failure> => {
    const now = clock.monotonicMs()
    const benched = (driver: Driver): boolean => (records.get(driver)?.benchedUntil ?? 0) > now
    const order = [...drivers.filter((driver) => !benched(driver)), ...drivers.filter(benched)]
    let first: Failure | undefined
    for (const driver of order) {
      const probe = await driver
        .probe(config())
        .catch((error: unknown) => ({ ok: false as const, ...failureOf(error) }))
      if (probe.ok) return driver
      first ??= { reason: probe.reason, detail: `${driver.name}: ${probe.detail}` }
    }
    return first ?? { reason: 'not_observable', detail: 'no driver for this platform' }
  }

  const runOnce = async (driver: Driver): Promise<Failure> => {
    const started = clock.monotonicMs()
    const controller = new AbortController()
    let forced: DriverError | undefined
    options.onStart?.(driver, (error) => {
      forced = error
      controller.abort()
    })
    let failure: Failure
    try {
      await driver.start(options.sinkFor(driver), config(), AbortSignal.any([signal, controller.signal]))
      failure = failureOf(forced ?? new DriverError('driver_failed', 'recording ended by itself'))
    } catch (error) {
      failure = failureOf(forced ?? error)
    }
    const short = clock.monotonicMs() - started < steadyRunMs
    const failures = short ? (records.get(driver)?.failures ?? 0) + 1 : 1
    const bench = failures >= failuresBeforeFallback
    records.set(driver, { failures: bench ? 0 : failures, benchedUntil: bench ? clock.monotonicMs() + benchMs : 0 })
    if (!short) attempt = 0
    return { ...failure, detail: `${driver.name}: ${failure.detail}` }
  }

  while (!signal.aborted) {
    const chosen = await unlessLate(select(), signal, clock)
    if (signal.aborted || !chosen) return
    const failure = 'start' in chosen ? await runOnce(chosen) : chosen
    if (signal.aborted) return
    options.onLost(failure.reason, failure.detail)
    await clock.sleep(backoffMs(attempt + 1, { ...restartBackoff, random: options.random }), signal)
    attempt += 1
  }
}
