import { type Sending, useSending } from '@integrity/shared-ui/hooks/use-sending'
import { useEffect, useRef, useState } from 'react'
import type { MomentsPage, OwnMoment } from '../../session/requests-api.ts'
import type { KeptProps } from './kept-props.ts'

export interface MomentsInHand extends Pick<Sending, 'busy' | 'problem'> {
  /** Nothing before the first page was read. */
  readonly moments: readonly OwnMoment[] | undefined
  /** Reads the next page; undefined where there is none. */
  readonly more: (() => void) | undefined
  /** Reads the page again that a moment is on. */
  readonly renew: (momentId: string) => Promise<void>
}

/** The pages of the moments that were read so far; the first one as soon as the interview has ended. */
export const useMoments = ({ requests, visit, facts }: KeptProps): MomentsInHand => {
  const { call } = requests
  const { busy, problem, send } = useSending({ endedBy: (error) => visit.endedBy(error) })
  const [pages, setPages] = useState<readonly MomentsPage[]>([])
  const read = async (place: number) => {
    const page = await call.ask('candidateRequests.moments', { after: place === 0 ? 0 : (pages[place - 1]?.next ?? 0) })
    setPages((before) => [...before.slice(0, place), page, ...before.slice(place + 1)])
  }
  const hasEnded = facts.session.endedAt !== null
  const first = useRef(() => send(() => read(0)))
  useEffect(() => {
    if (hasEnded) first.current()
  }, [hasEnded])
  const isAll = pages.length > 0 && pages.at(-1)?.next === null
  return {
    ...{ busy, problem },
    moments: pages.length === 0 ? undefined : pages.flatMap(({ items }) => items),
    more: isAll || !hasEnded ? undefined : () => send(() => read(pages.length)),
    renew: async (momentId) => {
      const place = pages.findIndex(({ items }) => items.some(({ id }) => id === momentId))
      if (place >= 0) await read(place)
    },
  }
}
