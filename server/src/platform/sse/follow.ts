import type { Clock } from '../clock.ts'
import { createWaiter, type Waiter } from '../waiter.ts'
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

type Consumer = Pick<SseConnection, 'send' | 'drained' | 'end' | 'ended' | 'behind'>

export interface FollowOptions {
  /** Streams with the same key show the same items: whose they are, and the filters. */
  readonly key: string
  readonly readAfter: ReadAfter
  readonly wake: Wake
  readonly connection: Consumer
  /** Position of the last item the client has. */
  readonly from: number
  readonly batch?: number
  readonly pollMs?: number
}

export interface Feeds {
  /**
   * Replays what is after `from`, then follows, until the connection ends; resolves then. However many streams follow
   * the same items, one read serves all that are up to date, and the same bytes go to each. One that falls behind is
   * served by reads of its own, paced by its consumer, until it is up to date again. A failed read ends the streams it
   * was for (their clients come back with their last id) and rejects.
   */
  follow(options: FollowOptions): Promise<void>
  /** Feeds that somebody follows. */
  readonly size: number
}

const batchRows = 100
const pollEveryMs = 2000

interface Member {
  readonly connection: Consumer
  position: number
  /** Ends its time in the feed: it has fallen behind, its stream is over, or the feed broke. */
  readonly leave: (error?: unknown) => void
}

interface Feed {
  /** Everything up to here was sent to every member. */
  position: number
  readonly members: Set<Member>
  readonly waiter: Waiter
}

/** The frames of items after a position as one block; the whole batch's, which most members need, is joined once. */
const blocksOf = (items: readonly FollowItem[]): ((after: number) => Buffer | undefined) => {
  const join = (after: number): Buffer | undefined => {
    const frames = items.flatMap((item) => (item.position > after && item.frame !== null ? [item.frame] : []))
    return frames.length > 1 ? Buffer.concat(frames) : frames[0]
  }
  const first = items[0]?.position ?? 0
  let all: { readonly block: Buffer | undefined } | undefined
  return (after) => {
    if (after >= first) return join(after)
    all ??= { block: join(after) }
    return all.block
  }
}

const give = (feed: Feed, items: readonly FollowItem[]): void => {
  const last = items.at(-1)
  if (!last) return
  const blockAfter = blocksOf(items)
  feed.position = last.position
  for (const member of [...feed.members]) {
    // What it has not taken stays in the rows; nothing is queued for it here.
    if (member.connection.behind) {
      member.leave()
      continue
    }
    const block = blockAfter(member.position)
    member.position = Math.max(member.position, last.position)
    if (block && !member.connection.send(block)) member.leave()
  }
}

/** A feed ends by having no members, never by a signal. */
const { signal: never } = new AbortController()

/** Reads for the members of one feed until there are none; `over` is called in the same turn as that is seen. */
const run = async (feed: Feed, options: FollowOptions, over: () => void): Promise<void> => {
  const { readAfter, wake, batch = batchRows, pollMs = pollEveryMs } = options
  // Listening begins before the first read: an item that commits in between is either read or announced.
  const stopListening = wake(() => feed.waiter.wake())
  try {
    while (feed.members.size > 0) {
      const items = await readAfter(feed.position, batch)
      give(feed, items)
      if (items.length < batch && feed.members.size > 0) await feed.waiter.wait(pollMs, never)
    }
    over()
  } catch (error) {
    over()
    for (const member of [...feed.members]) member.leave(error)
  } finally {
    stopListening()
  }
}

/** Resolves when the connection has left the feed; its position is then where it goes on by itself. */
const join = (feed: Feed, connection: Consumer, position: number): Promise<number> =>
  new Promise((resolve, reject) => {
    const stop = (): void => member.leave()
    const member: Member = {
      connection,
      position,
      leave: (error) => {
        feed.members.delete(member)
        connection.ended.removeEventListener('abort', stop)
        if (feed.members.size === 0) feed.waiter.wake()
        if (error === undefined) resolve(member.position)
        else reject(error instanceof Error ? error : new Error('the items could not be read', { cause: error }))
      },
    }
    feed.members.add(member)
    connection.ended.addEventListener('abort', stop, { once: true })
    if (connection.ended.aborted) member.leave()
  })

export const createFeeds = ({ clock }: { clock: Clock }): Feeds => {
  const feeds = new Map<string, Feed>()

  const begin = (key: string, position: number): Feed => {
    const feed: Feed = { position, members: new Set(), waiter: createWaiter(clock) }
    feeds.set(key, feed)
    return feed
  }

  return {
    get size() {
      return feeds.size
    },
    async follow(options) {
      const { key, readAfter, connection, batch = batchRows } = options
      let position = options.from
      try {
        while (!connection.ended.aborted) {
          const feed = feeds.get(key)
          if (feed === undefined || feed.position <= position) {
            const joined = feed ?? begin(key, position)
            const left = join(joined, connection, position)
            if (feed === undefined) void run(joined, options, () => feeds.delete(key))
            position = await left
            await connection.drained()
            continue
          }
          // Rows up to there were committed before this read: what it does not hold, this stream does not show.
          const reached = feed.position
          const items = await readAfter(position, batch)
          for (const item of items) {
            if (item.frame !== null && !connection.send(item.frame)) return
            position = item.position
          }
          if (items.length < batch) position = Math.max(position, reached)
          await connection.drained()
        }
      } catch (error) {
        connection.end()
        throw error
      }
    },
  }
}
