import { backoffMs } from '@integrity/client/backoff'
import { liveSocket as endpoint, liveCloseCodes, liveMessage } from '@integrity/protocol'
import WebSocket, { type ClientOptions, type RawData } from 'ws'
import type { Clock } from '../../shared/clock.ts'

export interface LiveSocketOptions {
  /** The server's address, as the client has it (http or https). */
  readonly url: string
  readonly token: string
  readonly sessionId: string
  readonly clock: Clock
  readonly random: () => number
  /** Connected; `policyVersion` may be newer than the one that is known. `serverTime` is ISO 8601. */
  readonly onHello: (policyVersion: number, serverTime: string) => void
  readonly onConfigChanged: (policyVersion: number) => void
  /** Somebody looks on for so long, ms. */
  readonly onWatched: (ms: number) => void
  /** The session is over; the socket does not come back. */
  readonly onEnded: () => void
  readonly onState: (connected: boolean) => void
  /** Opens the socket; `PinnedNetwork.connectWebSocket` where the server is pinned. */
  readonly connect?: (url: string, options: ClientOptions) => WebSocket
}

export interface LiveSocket {
  start(): void
  /** Resolves once the connection is closed; no callback comes after it. */
  stop(): Promise<void>
}

const retry = { baseMs: 1000, capMs: 60_000 }
/** A server that restarts says so; its agents come back spread over this long. */
const restartSpreadMs = 10_000
/** The server pings every 15 seconds: three missed are a dead connection. */
const silenceMs = 45_000
/** Held for so long, a connection counts as a good one and the next failure as the first. */
const goodAfterMs = 60_000
const maxMessageBytes = 4096

/** How a connection came to its end, and what that means for the next. */
interface Ending {
  readonly kind: 'for_good' | 'restarting' | 'lost'
  /** What a server that takes no more sockets asked for (Retry-After). */
  readonly askedMs?: number
}

/** A longer wish is not the service's. */
const maxAskedMs = 600_000

const retryAfterMs = (header: string | undefined): number => {
  const seconds = Number(header)
  return Number.isFinite(seconds) && seconds > 0 ? Math.min(seconds * 1000, maxAskedMs) : 0
}

const addressOf = (base: string, sessionId: string): string => {
  const path = endpoint.path.replace('{id}', encodeURIComponent(sessionId))
  return `${base.replace(/\/$/, '').replace(/^http/, 'ws')}${path}`
}

class Connection {
  readonly #options: LiveSocketOptions
  readonly #signal: AbortSignal
  readonly #ended = Promise.withResolvers<Ending>()
  #heard: number
  #greeted = false
  #sessionEnded = false

  constructor(options: LiveSocketOptions, signal: AbortSignal) {
    this.#options = options
    this.#signal = signal
    this.#heard = options.clock.monotonicMs()
  }

  /** Connects and listens until the connection is over. Never rejects. */
  async run(): Promise<Ending> {
    const { url, token, sessionId, connect = (...args) => new WebSocket(...args), onState } = this.#options
    const headers = { authorization: `Bearer ${token}` }
    let socket: WebSocket
    try {
      const address = addressOf(url, sessionId)
      socket = connect(address, { headers, maxPayload: maxMessageBytes, perMessageDeflate: false })
    } catch {
      return { kind: 'lost' }
    }
    this.#listen(socket)
    const over = new AbortController()
    void this.#watch(socket, over.signal)
    const leave = (): void => socket.terminate()
    this.#signal.addEventListener('abort', leave, { once: true })
    if (this.#signal.aborted) leave()
    const ending = await this.#ended.promise
    this.#signal.removeEventListener('abort', leave)
    over.abort()
    if (this.#greeted && !this.#signal.aborted) onState(false)
    return ending
  }

  #listen(socket: WebSocket): void {
    let refusal: Ending | undefined
    const heard = (): void => {
      this.#heard = this.#options.clock.monotonicMs()
    }
    socket.on('ping', heard)
    socket.on('open', heard)
    socket.on('message', (data, isBinary) => {
      heard()
      if (isBinary || this.#signal.aborted || this.#sessionEnded) return
      this.#take(socket, textOf(data))
    })
    // An error is followed by close, which decides.
    socket.on('error', () => undefined)
    socket.on('unexpected-response', (request, response) => {
      // A network's own sign-in page answers too, but not as the service does.
      const isOver = response.statusCode === 401 && response.headers['content-type']?.includes('json') === true
      const askedMs = retryAfterMs(response.headers['retry-after'])
      refusal = isOver ? { kind: 'for_good' } : { kind: 'lost', askedMs }
      request.destroy()
      socket.terminate()
    })
    socket.on('close', (code) => {
      if (refusal) this.#ended.resolve(refusal)
      else if (code === liveCloseCodes.credentialOver) this.#ended.resolve({ kind: 'for_good' })
      else this.#ended.resolve({ kind: code === liveCloseCodes.restarting ? 'restarting' : 'lost' })
    })
  }

  #take(socket: WebSocket, text: string): void {
    const message = liveMessage.safeParse(jsonOf(text))
    // Newer servers may say what this version does not know.
    if (!message.success) return
    const { onHello, onConfigChanged, onWatched, onEnded, onState } = this.#options
    switch (message.data.type) {
      case 'hello':
        if (!this.#greeted) onState(true)
        this.#greeted = true
        onHello(message.data.policyVersion, message.data.serverTime)
        break
      case 'config_changed':
        onConfigChanged(message.data.policyVersion)
        break
      case 'watched':
        onWatched(message.data.seconds * 1000)
        break
      case 'session_ended':
        this.#sessionEnded = true
        this.#ended.resolve({ kind: 'for_good' })
        socket.close()
        onEnded()
    }
  }

  /** Ends a connection that nothing is heard of: cables are pulled and lids closed without a word. */
  async #watch(socket: WebSocket, over: AbortSignal): Promise<void> {
    const { clock } = this.#options
    while (!over.aborted) {
      const left = this.#heard + silenceMs - clock.monotonicMs()
      if (left <= 0) return socket.terminate()
      await clock.sleep(left, over)
    }
  }
}

/** ws gives Buffers unless it is told otherwise. */
const textOf = (data: RawData): string => (Buffer.isBuffer(data) ? data.toString() : '')

const jsonOf = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/**
 * Listens to the session's live socket, so that a change of the policy reaches the agent at once. A hint beside the
 * polling of the config, never instead of it: it reconnects for as long as it is not stopped, with full jitter, and
 * gives up only when the session is over or the token is refused, which polling finds out as well.
 */
export const createLiveSocket = (options: LiveSocketOptions): LiveSocket => {
  const { clock, random } = options
  const stopped = new AbortController()
  let running: Promise<void> | undefined

  const run = async (): Promise<void> => {
    let failures = 0
    while (!stopped.signal.aborted) {
      const began = clock.monotonicMs()
      const { kind, askedMs } = await new Connection(options, stopped.signal).run()
      if (kind === 'for_good') return
      if (clock.monotonicMs() - began >= goodAfterMs) failures = 0
      const spread = kind === 'restarting' ? { baseMs: restartSpreadMs, capMs: restartSpreadMs } : retry
      failures += 1
      await clock.sleep(backoffMs(failures, { ...spread, leastMs: 100, random, askedMs }), stopped.signal)
    }
  }

  return {
    start: () => {
      running ??= run()
    },
    stop: async () => {
      stopped.abort()
      await running
    },
  }
}
