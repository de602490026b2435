import type { ServerResponse } from 'node:http'
import type { Clock } from '../clock.ts'
import { createFeeds, type Feeds } from './follow.ts'
import { SseConnection, type SseOptions } from './sse-connection.ts'

export interface SseHub {
  /** Turns a response into a stream, for a credential if it is named. Throws when the hub is closing. */
  open(response: ServerResponse, options?: Omit<SseOptions, 'clock'> & { readonly credential?: string }): SseConnection
  /** Ends every stream that was opened for the credential. */
  endOf(credential: string): void
  /** Asks of every stream whether it is still allowed, and ends those that are not. */
  recheck(): Promise<void>
  readonly size: number
  /** Streams that are open for the credential. */
  countOf(credential: string): number
  /** Replays and follows on behalf of a stream; those that follow the same items share the work. */
  readonly follow: Feeds['follow']
  /** Ends every stream, spread over `withinMs`, each with a hint to come back at a time of its own. */
  close(options: { withinMs: number }): Promise<void>
}

/** Least wait before a client of a closing server comes back. */
const returnMs = 1000

/** Knows every open stream of the process, for the gauge and for an orderly end. */
export const createSseHub = ({ clock, random }: { clock: Clock; random: () => number }): SseHub => {
  const open = new Map<SseConnection, string | undefined>()
  const feeds = createFeeds({ clock })
  let closing = false
  return {
    open(response, { credential, ...options } = {}) {
      if (closing) throw new Error('the server is closing its streams')
      const connection = new SseConnection(response, { ...options, clock })
      open.set(connection, credential)
      connection.ended.addEventListener('abort', () => open.delete(connection), { once: true })
      return connection
    },
    endOf(credential) {
      for (const [connection, holder] of open) if (holder === credential) connection.end()
    },
    async recheck() {
      // One after the other: what was found out for one stream of a credential holds for the next.
      for (const connection of [...open.keys()]) await connection.recheck()
    },
    countOf: (credential) => [...open.values()].filter((holder) => holder === credential).length,
    follow: (options) => feeds.follow(options),
    get size() {
      return open.size
    },
    async close({ withinMs }) {
      closing = true
      const endOne = async (connection: SseConnection) => {
        connection.hintRetry(returnMs + random() * withinMs)
        // A stream that ends by itself meanwhile wakes the sleep early.
        if (withinMs > 0) await clock.sleep(random() * withinMs, connection.ended).catch(() => undefined)
        connection.end()
      }
      // All at once would bring every client back in the same instant.
      await Promise.all([...open.keys()].map(endOne))
    },
  }
}
