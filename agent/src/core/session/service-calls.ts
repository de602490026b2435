import { ClientError } from '@integrity/protocol/client'
import type { Clock } from '../../shared/clock.ts'
import { describeError, readFailure } from '../upload/answers.ts'
import { fullJitterMs } from '../upload/full-jitter.ts'

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

const callTimeoutMs = 30_000
const retry = { baseMs: 1000, capMs: 30_000 }

/**
 * Repeats a call until the service answers it for good: outages, 429 and server errors are waited out with full
 * jitter, `Retry-After` obeyed. Throws the `ClientError` of a refusal, and `Closing` when the signal aborts.
 */
export const untilAnswered = async <T>(
  call: (signal: AbortSignal) => Promise<T>,
  options: RetryOptions,
): Promise<T> => {
  const { clock, signal, random, tries = Number.POSITIVE_INFINITY } = options
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await call(AbortSignal.any([signal, AbortSignal.timeout(callTimeoutMs)]))
    } catch (error) {
      if (signal.aborted) throw new Closing('closing')
      const failure = readFailure(error)
      const final = failure.kind === 'refuse' || failure.kind === 'unauthorized'
      if (final || !(error instanceof ClientError) || attempt + 1 >= tries) throw error
      options.onTrouble(describeError(error))
      const asked = 'waitMs' in failure ? failure.waitMs : 0
      await clock.sleep(Math.max(100, asked, fullJitterMs(attempt, { ...retry, random })), signal)
      if (signal.aborted) throw new Closing('closing')
    }
  }
}

export const isStatus = (error: unknown, ...statuses: readonly number[]): boolean =>
  error instanceof ClientError && error.code !== 'not_the_service' && statuses.includes(error.status)
