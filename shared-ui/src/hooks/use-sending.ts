import { useRef, useState } from 'react'
import { type SendProblem, sendProblemOf } from '../session/send-problem.ts'

export interface Sending {
  readonly busy: boolean
  readonly problem: SendProblem | undefined
  /** Does it unless it is being done. */
  readonly send: (act: () => Promise<void>) => void
}

interface SendingOptions {
  /** Whether the failure says that the link has ended, which the page then shows. */
  readonly endedBy: (error: unknown) => boolean
  /** What the page shows is not how it is any more. */
  readonly onConflict?: () => void
}

/** One thing that is sent at a time. */
export const useSending = ({ endedBy, onConflict }: SendingOptions): Sending => {
  const [state, setState] = useState<Omit<Sending, 'send'>>({ busy: false, problem: undefined })
  const running = useRef(false)
  const run = async (act: () => Promise<void>): Promise<void> => {
    if (running.current) return
    running.current = true
    setState({ busy: true, problem: undefined })
    try {
      await act()
      setState({ busy: false, problem: undefined })
    } catch (error) {
      if (endedBy(error)) return
      const problem = sendProblemOf(error)
      setState({ busy: false, problem })
      if (problem.kind === 'conflict') onConflict?.()
    } finally {
      running.current = false
    }
  }
  return { ...state, send: (act) => void run(act) }
}
