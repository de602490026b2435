import { backoffMs } from '@integrity/client/backoff'
import { IntegrityError } from '@integrity/client/errors'
import type { Clock } from '../../shared/clock.ts'
import { describeError, readFailure } from '../upload/answers.ts'

export interface RetryOptions {
  readonly clock: Clock
  readonly signal: AbortSignal
  readonly random: () => number
  /** Gives up after so many tries; without it, never. */
  readonly tries?: number
  readonly onTrouble: (trouble: string) => void
}

/** A call is given up because the agent is closing. */
export class Closing extends Error {
  override readonly name = 'Closing'
}

/** For an answer to a session's own calls. */
export const serviceTimeoutMs = 30_000
const retry = { baseMs: 1000, capMs: 30_000, leastMs: 100 }

/**
 * Repeats a call until the service answers it for good: outages, 429 and server errors are waited out with full
 * jitter, `Retry-After` obeyed. Throws the `IntegrityError` of a refusal, and `Closing` when the signal aborts.
 */
export const untilAnswered = async <T>(
  call: (signal: AbortSignal) => Promise<T>,
  options: RetryOptions,
): Promise<T> => {
  const { clock, signal, random, tries = Number.POSITIVE_INFINITY } = options
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await call(signal)
    } catch (error) {
      if (signal.aborted) throw new Closing('closing')
      const failure = readFailure(error)
      const final = failure.kind === 'refuse' || failure.kind === 'unauthorized'
      if (final || !(error instanceof IntegrityError) || attempt + 1 >= tries) throw error
      options.onTrouble(describeError(error))
      const askedMs = 'waitMs' in failure ? failure.waitMs : undefined
      await clock.sleep(backoffMs(attempt + 1, { ...retry, random, askedMs }), signal)
      if (signal.aborted) throw new Closing('closing')
    }
  }
}

export const isStatus = (error: unknown, ...statuses: readonly number[]): boolean =>
  error instanceof IntegrityError && error.code !== 'not_the_service' && statuses.includes(error.status)
