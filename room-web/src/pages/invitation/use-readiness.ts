import { useEffect, useRef, useState } from 'react'
import type { OpenInvitation } from '../../browser/open-invitation.ts'
import type { InvitationFacts, ReadinessStep } from '../../session/invitation-api.ts'
import { type Poll, pollWhileVisible } from '../../session/visible-poll.ts'

const everyMs = 10_000

export interface Readiness {
  /** Undefined before the first answer. */
  readonly steps: readonly ReadinessStep[] | undefined
  /** Asks without waiting. */
  readonly askNow: () => void
}

const isDone = (steps: readonly ReadinessStep[], wanted: ReadinessStep['step']): boolean =>
  steps.some(({ step, at }) => step === wanted && at !== null)

/** How far the preparation has come, as the service knows it, while the page is seen. */
export const useReadiness = (
  { call, visit, time, page }: OpenInvitation,
  state: InvitationFacts['session']['state'],
): Readiness => {
  const [steps, setSteps] = useState<readonly ReadinessStep[]>()
  const known = useRef(state)
  known.current = state
  const poll = useRef<Poll>(undefined)
  useEffect(() => {
    const ask = async (): Promise<boolean> => {
      try {
        const answer = await call.ask('invitations.readiness', {})
        setSteps(answer.steps)
        const ended = isDone(answer.steps, 'ended')
        if (ended && known.current !== 'ended') void visit.refresh()
        return !ended
      } catch (error) {
        return !visit.endedBy(error)
      }
    }
    poll.current = pollWhileVisible({ ask, everyMs, time, page })
    return () => poll.current?.stop()
  }, [call, visit, time, page])
  return { steps, askNow: () => poll.current?.now() }
}
