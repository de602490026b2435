import { type ErrorDetail, IntegrityError } from '@integrity/client/errors'
import { useState } from 'react'
import type { ReadId } from '../../../data/desk-api.ts'
import { useWrite, type Write } from '../../../parts/use-write.ts'

/** What the service said when it did not accept something. */
export interface Refusal {
  readonly words: string
  readonly details: readonly ErrorDetail[]
}

/** How the latest attempt ended: somebody else has changed meanwhile what was to be changed, or it is done. */
type End = 'none' | 'meanwhile' | 'done'

export interface Attempt extends Pick<Write, 'busy' | 'problem'> {
  readonly refusal: Refusal | undefined
  readonly end: End
  /** The service's words about a field, by its path or what is below it. */
  readonly at: (path: string) => string | undefined
  /** Does it. It may answer `meanwhile` when it has not done it, because what it was to change is not as it was. */
  readonly attempt: (act: () => Promise<unknown>) => void
}

const isBelow = (path: string, field: string): boolean => path === field || path.startsWith(`${field}.`)

/** One write at a time, with the service's own words when it refuses. */
export const useAttempt = (...changes: readonly ReadId[]): Attempt => {
  const { busy, problem, write } = useWrite(...changes)
  const [refusal, setRefusal] = useState<Refusal>()
  const [end, setEnd] = useState<End>('none')
  const run = async (act: () => Promise<unknown>) => {
    setRefusal(undefined)
    setEnd('none')
    try {
      setEnd((await act()) === 'meanwhile' ? 'meanwhile' : 'done')
    } catch (error) {
      if (error instanceof IntegrityError && error.isAnswer && error.kind !== 'unauthorized')
        setRefusal({ words: error.message, details: error.details })
      throw error
    }
  }
  return {
    ...{ busy, problem, refusal, end },
    at: (field) => refusal?.details.find(({ path }) => isBelow(path, field))?.message,
    attempt: (act) => write(() => run(act)),
  }
}
