import type { ServerResponse } from 'node:http'
import type { Clock } from '../clock.ts'
import { SseConnection, type SseOptions } from './sse-connection.ts'

export interface SseHub {
  /** Turns a response into a stream. Throws when the hub is closing. */
  open(response: ServerResponse, options?: Omit<SseOptions, 'clock'>): SseConnection
  readonly size: number
  /** Ends every stream, spread over `withinMs`, each with a hint to come back at a time of its own. */
  close(options: { withinMs: number }): Promise<void>
}

/** Least wait before a client of a closing server comes back. */
const RETURN_MS = 1000

/** Knows every open stream of the process, for the gauge and for an orderly end. */
export const createSseHub = ({ clock, random }: { clock: Clock; random: () => number }): SseHub => {
  const open = new Set<SseConnection>()
  let closing = false
  return {
    open(response, options = {}) {
      if (closing) throw new Error('the server is closing its streams')
      const connection = new SseConnection(response, { ...options, clock })
      open.add(connection)
      connection.ended.addEventListener('abort', () => open.delete(connection), { once: true })
      return connection
    },
    get size() {
      return open.size
    },
    async close({ withinMs }) {
      closing = true
      const endOne = async (connection: SseConnection) => {
        connection.hintRetry(RETURN_MS + random() * withinMs)
        // A stream that ends by itself meanwhile wakes the sleep early.
        if (withinMs > 0) await clock.sleep(random() * withinMs, connection.ended).catch(() => undefined)
        connection.end()
      }
      // All at once would bring every client back in the same instant.
      await Promise.all([...open].map(endOne))
    },
  }
}
