import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { type WebSocket, WebSocketServer } from 'ws'
import type { Clock } from '../clock.ts'
import { LiveConnection } from './live-connection.ts'

export interface SocketHubOptions {
  readonly clock: Clock
  readonly pingMs?: number
  /** Pings that may go unanswered before a socket is cut. */
  readonly missedPings?: number
  readonly maxSockets?: number
  readonly maxPerGroup?: number
}

export interface SocketHub {
  /**
   * Answers the upgrade and keeps the socket. The group's oldest gives way when the group has all it may have: a client that
   * comes back has usually left a dead one behind. Throws an UpgradeError when the hub is full or closing, or the
   * handshake is none; nothing has been written then.
   */
  accept(request: IncomingMessage, socket: Duplex, head: Buffer, group: string): LiveConnection
  readonly maxPerGroup: number
  /** Makes a socket give way to a newer one that another process took. */
  replace(connection: LiveConnection): void
  /** Called at each round of pings with the sockets that were heard since the last one. Returns how to stop. */
  onRound(listener: (heard: readonly LiveConnection[]) => void): () => void
  readonly size: number
  /** Closes every socket with 1012 (service restart), and cuts those that have not closed after `withinMs`. */
  close(options: { withinMs: number }): Promise<void>
}

export class UpgradeError extends Error {
  override readonly name = 'UpgradeError'
  readonly reason: 'full' | 'closing' | 'handshake'
  constructor(reason: 'full' | 'closing' | 'handshake', message: string) {
    super(message)
    this.reason = reason
  }
}

/** The client says nothing; what it may say before it is cut off is bounded all the same. */
const maxMessageBytes = 1024
const defaults = { pingMs: 15_000, missedPings: 2, maxSockets: 10_000, maxPerGroup: 2 }
/** RFC 6455, section 7.4.1 and the registry of close codes. */
const codes = { replaced: 1008, restarting: 1012 } as const

/** ws answers a broken handshake by itself unless somebody listens; it calls back in the same turn or not at all. */
const shakeHands = (request: IncomingMessage, socket: Duplex, head: Buffer): WebSocket => {
  const server = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false,
    maxPayload: maxMessageBytes,
  })
  let failure = 'the connection is gone'
  let made: WebSocket | undefined
  server.on('wsClientError', (error: Error) => {
    failure = error.message
  })
  server.handleUpgrade(request, socket, head, (client) => {
    made = client
  })
  if (!made) throw new UpgradeError('handshake', `this is no WebSocket handshake: ${failure}`)
  return made
}

/** Begins rounds that go on until they are ended; beginning again while they go on does nothing. */
const createRounds = (clock: Clock, pingMs: number, round: () => void) => {
  let going: AbortController | undefined
  const goOn = async (signal: AbortSignal): Promise<void> => {
    for (;;) {
      await clock.sleep(pingMs, signal)
      round()
    }
  }
  return {
    begin: (): void => {
      if (going && !going.signal.aborted) return
      going = new AbortController()
      // It ends by the signal alone, which rejects the sleep.
      goOn(going.signal).catch(() => undefined)
    },
    end: (): void => going?.abort(),
  }
}

/** Asks all to close, and cuts those that have not within so many milliseconds. */
const closeAll = async (open: ReadonlySet<LiveConnection>, withinMs: number): Promise<void> => {
  const ending = [...open].map((connection) => {
    connection.close(codes.restarting, 'the server restarts')
    return new Promise<void>((resolve) => {
      if (connection.ended.aborted) resolve()
      connection.ended.addEventListener('abort', () => resolve(), { once: true })
    })
  })
  const cut = setTimeout(() => {
    for (const connection of open) connection.terminate()
  }, withinMs)
  await Promise.all(ending)
  clearTimeout(cut)
}

/** Every live socket of the process, with one round of pings for all of them while there are any. */
export const createSocketHub = (options: SocketHubOptions): SocketHub => {
  const { clock, pingMs, missedPings, maxSockets, maxPerGroup } = { ...defaults, ...options }
  const open = new Set<LiveConnection>()
  const groups = new Map<string, LiveConnection[]>()
  const listeners = new Set<(heard: readonly LiveConnection[]) => void>()
  let closing = false

  const leave = (connection: LiveConnection): void => {
    open.delete(connection)
    const rest = (groups.get(connection.group) ?? []).filter((other) => other !== connection)
    if (rest.length > 0) groups.set(connection.group, rest)
    else groups.delete(connection.group)
    if (open.size === 0) rounds.end()
  }

  const replace = (connection: LiveConnection): void => {
    connection.close(codes.replaced, 'a newer socket took its place')
    leave(connection)
  }

  const rounds = createRounds(clock, pingMs, () => {
    const heard = [...open].filter((connection) => connection.beat(missedPings))
    for (const listener of listeners) listener(heard)
  })

  return {
    accept(request, socket, head, group) {
      if (closing) throw new UpgradeError('closing', 'this server is shutting down')
      const members = groups.get(group) ?? []
      if (open.size >= maxSockets && members.length < maxPerGroup)
        throw new UpgradeError('full', 'this server holds as many live sockets as it may')
      const connection = new LiveConnection(shakeHands(request, socket, head), group)
      for (const oldest of members.slice(0, Math.max(0, members.length + 1 - maxPerGroup))) replace(oldest)
      open.add(connection)
      groups.set(group, [...(groups.get(group) ?? []), connection])
      connection.ended.addEventListener('abort', () => leave(connection), { once: true })
      rounds.begin()
      return connection
    },
    maxPerGroup,
    replace,
    onRound(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    get size() {
      return open.size
    },
    async close({ withinMs }) {
      closing = true
      await closeAll(open, withinMs)
    },
  }
}
