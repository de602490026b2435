import { useEffect, useRef } from 'react'
import type { FeedQuery } from '../../browser/event-feed.ts'
import { type EventType, type StreamState, useFollowed } from '../../parts/use-followed.ts'

/** What reads differently on these pages after it. */
const types = [
  'session.started',
  'session.ended',
  'consent.declined',
  'evidence.ready',
  'source.health_changed',
  'companion.paired',
  'companion.placement_confirmed',
  'companion.recording_started',
  'companion.recording_stopped',
  'companion.interrupted',
  'companion.resumed',
] as const satisfies readonly EventType[]

/** What no event tells of (who watches, when the phone was heard of, events on the computer), and all of it while there is no stream. */
const slowMs = 30_000

interface Calls {
  /** Events that come close together cause one reading. */
  readonly soon: () => void
  readonly stop: () => void
}

/** Reads at once, and then not before `restMs` has passed; nothing while nobody sees the page, and once when it is seen again. */
const readingOf = (read: () => void, restMs: number): Calls => {
  let rest: ReturnType<typeof setTimeout> | undefined
  let isDue = false
  const soon = () => {
    isDue = true
    if (rest !== undefined || document.visibilityState !== 'visible') return
    isDue = false
    read()
    rest = setTimeout(() => {
      rest = undefined
      if (isDue) soon()
    }, restMs)
  }
  const onSeen = () => {
    if (isDue) soon()
  }
  document.addEventListener('visibilitychange', onSeen)
  const slow = setInterval(soon, slowMs)
  const stop = () => {
    document.removeEventListener('visibilitychange', onSeen)
    clearInterval(slow)
    clearTimeout(rest)
  }
  return { soon, stop }
}

interface Live extends Pick<FeedQuery, 'environment' | 'sessionId'> {
  readonly again: () => void
  readonly restMs: number
  readonly isOver?: boolean
}

/** Reads again when something happens, as the organisation's event stream tells, and now and then besides. */
export const useLive = ({ again, restMs, isOver = false, ...query }: Live): StreamState => {
  const latest = useRef(again)
  const reading = useRef<Calls>(undefined)
  useEffect(() => {
    latest.current = again
  })
  useEffect(() => {
    if (isOver) return undefined
    const mine = readingOf(() => latest.current(), restMs)
    reading.current = mine
    return mine.stop
  }, [isOver, restMs])
  const soon = () => reading.current?.soon()
  return useFollowed({ ...query, types, onEvent: soon, onGap: soon }, isOver)
}
