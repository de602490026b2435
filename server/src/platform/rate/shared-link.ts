import type { Clock } from '../clock.ts'
import { inTime } from '../in-time.ts'

/** A memory that answers later than this is not waited for. */
const patienceMs = 1000
/** How long a process goes on alone before it tries again. */
const aloneMs = 1000

export interface SharedLink {
  /** False from a failure until a later try has gone well. */
  readonly up: boolean
  /** What the shared memory answers to a question. Rejects at once while it is away, and after a second when it hangs. */
  ask<T>(question: () => Promise<T>): Promise<T>
}

class SharedMemoryAway extends Error {
  override readonly name = 'SharedMemoryAway'
}

const within = <T>(answer: Promise<T>): Promise<T> =>
  inTime(answer, patienceMs, () => new SharedMemoryAway(`no answer in ${patienceMs} ms`))

export interface SharedLinkOptions {
  readonly clock: Pick<Clock, 'now'>
  /** A cheap question, by which a memory that was away is found again. */
  readonly probe: () => Promise<unknown>
  readonly onAway: (error: unknown) => void
}

/** Knows whether the memory that processes share can be reached. While it cannot, nobody waits for it. */
export const createSharedLink = ({ clock, probe, onAway }: SharedLinkOptions): SharedLink => {
  let awaySince: number | undefined
  let trying = false

  const tryAgain = (): void => {
    if (awaySince === undefined || trying || Math.abs(clock.now() - awaySince) < aloneMs) return
    trying = true
    const over = (at: number | undefined) => () => {
      trying = false
      awaySince = at
    }
    within(probe()).then(over(undefined), over(clock.now()))
  }

  return {
    get up() {
      tryAgain()
      return awaySince === undefined
    },
    async ask(question) {
      tryAgain()
      if (awaySince !== undefined) throw new SharedMemoryAway('it could not be reached a moment ago')
      try {
        return await within(question())
      } catch (error) {
        if (awaySince === undefined) onAway(error)
        awaySince = clock.now()
        throw error
      }
    },
  }
}
