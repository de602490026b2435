import type { Clock } from '../clock.ts'
import { createWaiter } from '../jobs/waiter.ts'
import type { SseConnection } from './sse-connection.ts'

export interface FollowItem {
  /** Grows from item to item; only committed items may be readable, and none may appear later below a read one. */
  readonly position: number
  /** What to send; null for an item this stream does not show. */
  readonly frame: Buffer | null
}

export type ReadAfter = (position: number, limit: number) => Promise<readonly FollowItem[]>
/** Calls the listener at every sign of new items; returns how to stop. Signs may be lost: the poll finds the items. */
export type Wake = (listener: () => void) => () => void

export interface FollowOptions {
  readonly readAfter: ReadAfter
  /** Position of the newest item, 0 when there is none. */
  readonly head: () => Promise<number>
  readonly wake: Wake
  readonly connection: Pick<SseConnection, 'send' | 'drained' | 'end' | 'ended'>
  readonly clock: Clock
  /** Position of the last item the client has; absent: begins with what comes next. */
  readonly from?: number
  /** Further behind than this the client is told (`frame`) and goes on live. */
  readonly gap?: { readonly maxBehind: number; frame(requested: number, head: number): Buffer | Promise<Buffer> }
  readonly batch?: number
  readonly pollMs?: number
}

const BATCH = 100
const POLL_MS = 2000

const startOf = async ({ from, head, gap, connection }: FollowOptions): Promise<number> => {
  if (from === undefined) return head()
  if (gap === undefined) return from
  const newest = await head()
  if (newest - from <= gap.maxBehind) return from
  connection.send(await gap.frame(from, newest))
  return newest
}

/**
 * Replays what is after `from`, then follows, until the connection ends; resolves then. Replay and live are the same
 * cursor over the same rows, so there is no seam at which an item could be lost or come twice. A failed read ends the
 * stream (the client comes back with its last id) and rejects.
 */
export const follow = async (options: FollowOptions): Promise<void> => {
  const { readAfter, wake, connection, clock, batch = BATCH, pollMs = POLL_MS } = options
  const waiter = createWaiter(clock)
  // Listening begins before the first read: an item that commits in between is either read or announced.
  const stopListening = wake(() => waiter.wake())
  try {
    let position = await startOf(options)
    while (!connection.ended.aborted) {
      const items = await readAfter(position, batch)
      for (const item of items) {
        if (item.frame !== null && !connection.send(item.frame)) return
        position = item.position
      }
      // The next batch is read when this one has left, so a replay holds one batch in memory at most.
      if (items.length > 0) await connection.drained()
      if (items.length < batch) await waiter.wait(pollMs, connection.ended)
    }
  } catch (error) {
    connection.end()
    throw error
  } finally {
    stopListening()
  }
}

/**
 * Lets all followers at the same position share one read (and so the same frame bytes). Only reads under way are
 * shared, and a wake starts new ones: a read from before it may not hold what it announces.
 */
export const shareReads = (readAfter: ReadAfter, wake: Wake): { readAfter: ReadAfter; close: () => void } => {
  const running = new Map<string, Promise<readonly FollowItem[]>>()
  const close = wake(() => running.clear())
  return {
    close,
    readAfter(position, limit) {
      const key = `${position}:${limit}`
      const known = running.get(key)
      if (known) return known
      const read = readAfter(position, limit).finally(() => {
        if (running.get(key) === read) running.delete(key)
      })
      running.set(key, read)
      return read
    },
  }
}
