import { useEffect, useReducer } from 'react'
import type { OpenInvitation } from '../../browser/open-invitation.ts'

/** The clock of the service is asked again at least as often: timers of a page are not exact, and not forever. */
const mostMs = 60_000

/** Whether an instant (epoch milliseconds) has come, by the service's clock. */
export const useOpenNow = ({ time, page }: Pick<OpenInvitation, 'time' | 'page'>, at: number | undefined): boolean => {
  const [, look] = useReducer((count: number) => count + 1, 0)
  const waitMs = at === undefined ? 0 : at - time.now()
  useEffect(() => page.onReturn(look), [page])
  useEffect(() => (waitMs > 0 ? time.after(Math.min(waitMs, mostMs), look) : undefined), [time, waitMs])
  return waitMs <= 0
}
