import type { BodyInputOf, EndpointMap } from '@integrity/protocol'
import { useEffect, useRef, useState } from 'react'
import type { FeedQuery } from '../browser/event-feed.ts'
import { useDesk } from './desk-context.ts'

/** `cut`: the browser opens it again by itself. `ended`: the service ended or refused it, and it is asked for again from here. */
export type StreamState = 'connecting' | 'open' | 'cut' | 'ended'

export type EventType = Exclude<BodyInputOf<EndpointMap['portal.webhooks.create']>['eventTypes'][number], '*'>

/** Before it is opened again: after a sign-in that has ended, and after a refusal; milliseconds. */
const waitMs = 2000
const refusedMs = 30_000

interface Followed extends Pick<FeedQuery, 'environment' | 'sessionId'> {
  readonly types: readonly EventType[]
  /** The text of an event's envelope. */
  readonly onEvent: (text: string) => void
  /** More happened meanwhile than the stream brings afterwards. */
  readonly onGap: () => void
}

/**
 * What is published in the organisation from now on, until the page is left or `isPaused`. It goes on after the last event when
 * the connection was cut and when the sign-in was renewed.
 */
export const useFollowed = (followed: Followed, isPaused = false): StreamState => {
  const { own, org, followEvents, endedBy } = useDesk()
  const { environment, sessionId, types } = followed
  const [state, setState] = useState<StreamState>('connecting')
  const latest = useRef(followed)
  useEffect(() => {
    latest.current = followed
  })
  const lastId = useRef<string>(undefined)
  useEffect(() => {
    if (isPaused) return undefined
    let timer: ReturnType<typeof setTimeout> | undefined
    let [stop, isOver, wasOpen] = [() => {}, false, true]
    const open = () => {
      const query = { environment, sessionId, lastEventId: lastId.current }
      stop = followEvents(org.id, { query, types }, listener)
    }
    // The cookie has ended after minutes: asking anything renews it, or shows the sign-in.
    const again = async () => {
      const isKnown = await own.call('auth.me').then(
        () => true,
        (error: unknown) => !endedBy(error),
      )
      if (isKnown && !isOver) open()
    }
    const listener = {
      onOpen: () => {
        wasOpen = true
        setState('open')
      },
      onCut: () => setState('cut'),
      onGap: () => latest.current.onGap(),
      onEvent: (text: string) => {
        lastId.current = (JSON.parse(text) as { id: string }).id
        latest.current.onEvent(text)
      },
      onEnd: () => {
        setState('ended')
        timer = setTimeout(() => void again(), wasOpen ? waitMs : refusedMs)
        wasOpen = false
      },
    }
    setState('connecting')
    open()
    return () => {
      isOver = true
      clearTimeout(timer)
      stop()
    }
  }, [environment, sessionId, types, isPaused, own, org.id, followEvents, endedBy])
  return state
}
