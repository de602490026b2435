import { useEffect, useRef } from 'react'

/** Asks again every so often while the page is in front, as what nobody sees need not be asked for. `everyMs`: undefined for not any more. */
export const useRefreshed = (again: () => void, everyMs: number | undefined): void => {
  const latest = useRef(again)
  useEffect(() => {
    latest.current = again
  })
  useEffect(() => {
    if (everyMs === undefined) return
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') latest.current()
    }, everyMs)
    return () => clearInterval(timer)
  }, [everyMs])
}
