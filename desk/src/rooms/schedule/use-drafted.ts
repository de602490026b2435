import { useEffect, useRef, useState } from 'react'

/** So long after the last key it is asked, milliseconds. */
const restMs = 300

/** What the service makes of what is being written. What it cannot read leaves the answer before, and says so. */
export const useDrafted = <Body, Answer>(
  body: Body,
  ask: (body: Body) => Promise<Answer>,
): { readonly answer: Answer | undefined; readonly isOld: boolean } => {
  const [shown, setShown] = useState<{ answer: Answer | undefined; isOld: boolean }>({
    answer: undefined,
    isOld: false,
  })
  const latest = useRef(ask)
  useEffect(() => {
    latest.current = ask
  })
  const text = JSON.stringify(body)
  useEffect(() => {
    let over = false
    const timer = setTimeout(() => {
      void latest
        .current(JSON.parse(text) as Body)
        .then(
          (answer) => ({ answer, isOld: false }),
          () => undefined,
        )
        .then((found) => {
          if (!over) setShown((before) => found ?? { ...before, isOld: true })
        })
    }, restMs)
    return () => {
      over = true
      clearTimeout(timer)
    }
  }, [text])
  return shown
}
