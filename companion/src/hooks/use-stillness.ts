import { useCallback, useEffect, useState } from 'react'
import { onActivity } from '../platform/activity'

/** How long nobody has touched anything before the screen rests, milliseconds. */
const stillMs = 60_000

/** Whether nobody has touched anything for a while; never while it is not `allowed`. */
export const useStillness = (allowed: boolean): { readonly still: boolean; readonly wake: () => void } => {
  const [touched, setTouched] = useState(0)
  const [stillSince, setStillSince] = useState<number>()
  const wake = useCallback(() => setTouched((times) => times + 1), [])
  useEffect(() => onActivity(wake), [wake])
  useEffect(() => {
    if (!allowed) {
      // What was a trouble is over: it may be looked at for a while.
      setStillSince(undefined)
      return undefined
    }
    const timer = setTimeout(() => setStillSince(touched), stillMs)
    return () => clearTimeout(timer)
  }, [allowed, touched])
  return { still: allowed && stillSince === touched, wake }
}
