import type { Send } from './calls.ts'
import type { IntegrityEvent } from './events.ts'
import { itemsOf } from './pages.ts'

/** Events fetched for one gap at most. */
const mostRecovered = 10_000

export interface Missed {
  /** Oldest first. */
  readonly events: readonly IntegrityEvent[]
  /** False when there were more, or when the log does not know where to begin. */
  readonly complete: boolean
}

interface Log {
  readonly send: Send
  readonly signal: AbortSignal
}
interface Filters {
  readonly types: string | undefined
  readonly sessionId: string | undefined
}

/** The event that a stream begins after, so that nothing published while it connects, or connects again, is lost. */
export const newestId = async ({ send, signal }: Log, filters: Filters): Promise<string | undefined> =>
  (await send('events.list', { query: { ...filters, limit: 1 }, signal })).data.items[0]?.id

/** All that the log holds, oldest first: for a stream that began when it held nothing. */
export const wholeLog = async ({ send, signal }: Log, filters: Filters): Promise<IntegrityEvent[]> => {
  const events: IntegrityEvent[] = []
  for await (const item of itemsOf(send, 'events.list', { query: { ...filters }, signal }))
    events.push(item as unknown as IntegrityEvent)
  return events.reverse()
}

/** What was published after an event, from the log: newest first, back to that event. */
export const findMissed = async ({ send, signal }: Log, filters: Filters, after: string): Promise<Missed> => {
  const events: IntegrityEvent[] = []
  for await (const item of itemsOf(send, 'events.list', { query: { ...filters }, signal })) {
    if (item.id === after) return { events: events.reverse(), complete: true }
    events.push(item as unknown as IntegrityEvent)
    if (events.length === mostRecovered) return { events: events.reverse(), complete: false }
  }
  // The whole log, and not the place to begin: giving all of it would repeat what was handled long ago.
  return { events: [], complete: false }
}
