import { useEffect, useRef, useState } from 'react'
import type { ReadResult } from '../../data/desk-api.ts'
import { useDesk } from '../../parts/desk-context.ts'
import { eventTypes } from './event-types.ts'

export type EventItem = ReadResult<'portal.events.list'>['items'][number]
export type StreamState = 'connecting' | 'open' | 'ended' | 'paused'

/** The newest that are kept here; the log has all. */
const mostShown = 200
/** Before it is opened again, milliseconds. */
const waitMs = 2000

interface EventStream {
  readonly state: StreamState
  readonly items: readonly EventItem[]
  readonly hasGap: boolean
  readonly pause: () => void
  readonly goOn: () => void
}

/** What is published from now on, newest first. It goes on after the last event when the sign-in was renewed. */
export const useEventStream = (environment: 'live' | 'sandbox'): EventStream => {
  const { own, org, followEvents, endedBy } = useDesk()
  const [state, setState] = useState<StreamState>('connecting')
  const [items, setItems] = useState<readonly EventItem[]>([])
  const [hasGap, setHasGap] = useState(false)
  const [isPaused, setPaused] = useState(false)
  const lastId = useRef<string>(undefined)
  useEffect(() => {
    if (isPaused) return undefined
    let timer: ReturnType<typeof setTimeout> | undefined
    let stop = () => {}
    let isOver = false
    const open = () => {
      const query = { environment, lastEventId: lastId.current }
      stop = followEvents(org.id, { query, types: eventTypes }, listener)
    }
    // The cookie has ended after minutes: asking anything renews it, or shows the sign-in.
    const again = async () => {
      try {
        await own.call('auth.me')
      } catch (error) {
        if (endedBy(error)) return
      }
      if (!isOver) open()
    }
    const listener = {
      onOpen: () => setState('open'),
      onGap: () => setHasGap(true),
      onEvent: (text: string) => {
        const event = JSON.parse(text) as EventItem
        lastId.current = event.id
        setItems((before) => [event, ...before.filter(({ id }) => id !== event.id)].slice(0, mostShown))
      },
      onEnd: () => {
        setState('ended')
        timer = setTimeout(() => void again(), waitMs)
      },
    }
    setState('connecting')
    open()
    return () => {
      isOver = true
      clearTimeout(timer)
      stop()
    }
  }, [environment, isPaused, own, org.id, followEvents, endedBy])
  return {
    ...{ items, hasGap },
    state: isPaused ? 'paused' : state,
    pause: () => setPaused(true),
    goOn: () => setPaused(false),
  }
}
