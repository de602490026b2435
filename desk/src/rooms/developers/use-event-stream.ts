import { useState } from 'react'
import type { ReadResult } from '../../data/desk-api.ts'
import { type StreamState as Followed, useFollowed } from '../../parts/use-followed.ts'
import { eventTypes } from './event-types.ts'

export type EventItem = ReadResult<'portal.events.list'>['items'][number]
export type StreamState = Exclude<Followed, 'cut'> | 'paused'

/** The newest that are kept here; the log has all. */
const mostShown = 200

interface EventStream {
  readonly state: StreamState
  readonly items: readonly EventItem[]
  readonly hasGap: boolean
  readonly pause: () => void
  readonly goOn: () => void
}

/** What is published from now on, newest first. */
export const useEventStream = (environment: 'live' | 'sandbox'): EventStream => {
  const [items, setItems] = useState<readonly EventItem[]>([])
  const [hasGap, setHasGap] = useState(false)
  const [isPaused, setPaused] = useState(false)
  const onEvent = (text: string) => {
    const event = JSON.parse(text) as EventItem
    setItems((before) => [event, ...before.filter(({ id }) => id !== event.id)].slice(0, mostShown))
  }
  const state = useFollowed({ environment, types: eventTypes, onEvent, onGap: () => setHasGap(true) }, isPaused)
  const shown = state === 'cut' ? 'ended' : state
  return {
    items,
    hasGap,
    state: isPaused ? 'paused' : shown,
    pause: () => setPaused(true),
    goOn: () => setPaused(false),
  }
}
