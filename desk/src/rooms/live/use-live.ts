import { useEffect, useRef } from 'react'
import type { FeedQuery } from '../../browser/event-feed.ts'
import { type EventType, type StreamState, useFollowed } from '../../parts/use-followed.ts'

/** Whether these pages read differently after an event of each type. */
const concerned: Readonly<Record<EventType, boolean>> = {
  'session.scheduled': false,
  'session.started': true,
  'session.ended': true,
  'consent.declined': true,
  'evidence.ready': true,
  'companion.paired': true,
  'companion.placement_confirmed': true,
  'companion.recording_started': true,
  'companion.recording_stopped': true,
  'companion.interrupted': true,
  'companion.resumed': true,
  'source.health_changed': true,
  'report.finalized': false,
  'report.stale': false,
  'audit.checkpoint': false,
  'webhook.test': false,
}
const types = (Object.keys(concerned) as EventType[]).filter((type) => concerned[type])

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
