import { type Sending, useSending } from '@integrity/shared-ui/hooks/use-sending'
import { useEffect, useRef, useState } from 'react'
import type { MomentsPage, OwnMoment } from '../../session/requests-api.ts'
import type { KeptProps } from './kept-props.ts'

export interface MomentsInHand extends Pick<Sending, 'busy' | 'problem'> {
  /** Nothing before the first page was read. */
  readonly moments: readonly OwnMoment[] | undefined
  /** Reads the next page; undefined where there is none. */
  readonly more: (() => void) | undefined
}

/** The pages of the moments that were read so far; the first one as soon as the interview has ended, unless it is deleted. */
export const useMoments = ({ requests, visit, facts }: KeptProps): MomentsInHand => {
  const { call } = requests
  const { busy, problem, send } = useSending({ endedBy: (error) => visit.endedBy(error) })
  const [pages, setPages] = useState<readonly MomentsPage[]>([])
  const read = async (after: number) => {
    const page = await call.ask('candidateRequests.moments', { after })
    setPages((before) => [...before, page])
  }
  const hasEnded = facts.session.endedAt !== null && facts.session.erasedAt === null
  const first = useRef(() => send(() => read(0)))
  useEffect(() => {
    if (hasEnded) first.current()
  }, [hasEnded])
  const next = pages.length === 0 ? 0 : (pages.at(-1)?.next ?? null)
  return {
    busy,
    problem,
    moments: pages.length === 0 ? undefined : pages.flatMap(({ items }) => items),
    more: next === null || !hasEnded ? undefined : () => send(() => read(next)),
  }
}
