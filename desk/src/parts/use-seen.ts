import { IntegrityError } from '@integrity/client/errors'
import { useState } from 'react'

/** Whether the service has refused something because somebody else has changed it since its writer saw it. */
export const isChanged = (error: unknown): boolean =>
  error instanceof IntegrityError && error.kind === 'conflict' && error.extra['reason'] === 'changed'

/**
 * Which state of something a writer has seen, so that the service tells them when somebody else has changed it since. It is the
 * one that was shown first; once the service has said that it is another one by now, or this writer has changed it, it is the
 * one that is shown now. `now`: undefined until it is known.
 */
export const useSeen = <T>(now: T | undefined) => {
  const [first, setFirst] = useState(now)
  const [overtaken, setOvertaken] = useState(false)
  const [isRenewed, setRenewed] = useState(false)
  if (first === undefined && now !== undefined) setFirst(now)
  return {
    expected: isRenewed ? now : first,
    /** Whether the latest attempt came after somebody else's. */
    isOvertaken: overtaken,
    guard: async (call: Promise<unknown>): Promise<void> => {
      try {
        await call
        setOvertaken(false)
        setRenewed(true)
      } catch (error) {
        const changed = isChanged(error)
        setOvertaken(changed)
        if (changed) setRenewed(true)
        throw error
      }
    },
  }
}
