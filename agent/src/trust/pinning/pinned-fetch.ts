import { isIP, type Socket } from 'node:net'
import { TLSSocket, connect as tlsConnect } from 'node:tls'
import { Agent, buildConnector, fetch as undiciFetch } from 'undici'
import WebSocket, { type ClientOptions } from 'ws'
import { assertPinned, PinMismatch, type Pinning, pinMismatchOf, pinsOf } from './pins.ts'

export interface PinnedNetworkOptions {
  /** The policy's pins, until `setPinning` is told others. */
  readonly pinning?: Pinning | undefined
  /** Certification authorities (PEM) instead of the system's; for tests and for operators with their own. */
  readonly ca?: string | readonly string[]
  /** A server was not the pinned one: time to tell the candidate, and to look for a newer policy. */
  readonly onMismatch?: (mismatch: PinMismatch) => void
  /** For connecting and the TLS handshake; 10 s unless told. */
  readonly connectTimeoutMs?: number
}

/** The session's way to its server. Hosts without pins are reached as usual; certificates are always verified. */
export interface PinnedNetwork {
  /** To hand to `createClient`. Rejects with PinMismatch itself when the server is not the pinned one. */
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>
  /** A WebSocket under the same check; a mismatch is its `error` event (plain ws to a pinned host throws at once). */
  readonly connectWebSocket: (url: string, options: ClientOptions) => WebSocket
  /** A newer policy. Connections made under the one before finish what they are doing and are not used again. */
  setPinning(pinning: Pinning | undefined): void
  close(): Promise<void>
}

type Connector = buildConnector.connector

const isLoopback = (hostname: string): boolean => {
  const bare = hostname.replace(/^\[|\]$/g, '')
  return bare === 'localhost' || bare === '::1' || (isIP(bare) === 4 && bare.startsWith('127.'))
}

/** Pins of a host that is to be dialled; refuses to call a pinned one without encryption. */
const pinsFor = (pinning: Pinning | undefined, hostname: string, encrypted: boolean): readonly string[] | undefined => {
  const pins = pinsOf(pinning, hostname)
  if (!pins || encrypted) return pins
  if (isLoopback(hostname)) return undefined
  throw new PinMismatch(hostname, 'not_encrypted')
}

/** Throws away a socket that is not the pinned server's. */
const checkedSocket = (socket: Socket, host: string, pins: readonly string[] | undefined): void => {
  if (pins === undefined) return
  try {
    if (!(socket instanceof TLSSocket)) throw new PinMismatch(host, 'not_encrypted')
    assertPinned(socket, host, pins)
  } catch (error) {
    socket.on('error', () => undefined)
    socket.destroy()
    throw error
  }
}

const asError = (error: unknown): Error => (error instanceof Error ? error : new Error(String(error)))

/** undici gets a socket, and so writes to it, only after the check. */
const pinnedConnector = (base: Connector, pinning: Pinning | undefined): Connector => {
  return (options, callback) => {
    let pins: readonly string[] | undefined
    try {
      pins = pinsFor(pinning, options.hostname, options.protocol === 'https:')
    } catch (error) {
      callback(asError(error), null)
      return
    }
    base(options, (...[error, socket]) => {
      if (!socket) return callback(error ?? new Error('no socket'), null)
      try {
        checkedSocket(socket, options.hostname, pins)
      } catch (mismatch) {
        return callback(asError(mismatch), null)
      }
      callback(null, socket)
    })
  }
}

/** Options that `ws` gives to `createConnection`. */
interface Dial {
  readonly host: string
  readonly port: number | string
  readonly servername?: string
}

type Dialled = (error: Error | null, socket?: Socket) => void

interface DialOptions {
  readonly pins: readonly string[] | undefined
  readonly trust: { readonly ca?: string | string[] }
  readonly connectTimeoutMs: number
}

/** `ws` gets a socket only after the check. */
const dialPinned = ({ host, port, servername }: Dial, done: Dialled, options: DialOptions): void => {
  const { pins, trust, connectTimeoutMs } = options
  const name = servername || (isIP(host) === 0 ? host : '')
  const socket = tlsConnect({ host, port: Number(port), servername: name, ALPNProtocols: ['http/1.1'], ...trust })
  const tooLong = (): void => void socket.destroy(new Error(`no answer from ${host} in ${connectTimeoutMs} ms`))
  socket.setTimeout(connectTimeoutMs, tooLong)
  socket.once('error', done)
  socket.once('secureConnect', () => {
    socket.setTimeout(0).off('timeout', tooLong).off('error', done)
    try {
      checkedSocket(socket, host, pins)
    } catch (mismatch) {
      return done(asError(mismatch))
    }
    done(null, socket)
  })
}

export const createPinnedNetwork = (options: PinnedNetworkOptions = {}): PinnedNetwork => {
  const { pinning: first, ca, onMismatch, connectTimeoutMs = 10_000 } = options
  const trust = ca === undefined ? {} : { ca: typeof ca === 'string' ? ca : [...ca] }
  // No TLS session is resumed: the certificates of a resumed one cannot be looked at.
  const base = buildConnector({ allowH2: false, maxCachedSessions: 0, timeout: connectTimeoutMs, ...trust })
  const agentFor = (pinning: Pinning | undefined): Agent =>
    new Agent({ connect: pinnedConnector(base, pinning), allowH2: false })
  let pinning = first
  let agent = agentFor(pinning)
  const closing = new Set<Promise<void>>()

  const retire = (old: Agent): void => {
    const closed = old.close().catch(() => undefined)
    closing.add(closed)
    void closed.finally(() => closing.delete(closed))
  }

  const dialWebSocket = (dial: Dial, done: Dialled): void =>
    dialPinned(dial, done, { pins: pinsOf(pinning, dial.host), trust, connectTimeoutMs })

  return {
    fetch: async (url, init) => {
      try {
        // undici's own types and those of Node describe the same standard.
        const request = { ...init, dispatcher: agent } as Parameters<typeof undiciFetch>[1]
        return (await undiciFetch(url, request)) as unknown as Response
      } catch (error) {
        const mismatch = pinMismatchOf(error)
        if (mismatch) onMismatch?.(mismatch)
        throw mismatch ?? error
      }
    },
    connectWebSocket: (url, options) => {
      const { protocol, hostname } = new URL(url)
      const encrypted = protocol === 'wss:' || protocol === 'https:'
      pinsFor(pinning, hostname, encrypted)
      const dial = encrypted ? { createConnection: dialWebSocket } : {}
      const socket = new WebSocket(url, { ...options, ...dial } as ClientOptions)
      socket.on('error', (error) => {
        const mismatch = pinMismatchOf(error)
        if (mismatch) onMismatch?.(mismatch)
      })
      return socket
    },
    setPinning: (next) => {
      if (JSON.stringify(next) === JSON.stringify(pinning)) return
      pinning = next
      retire(agent)
      agent = agentFor(next)
    },
    close: async () => {
      retire(agent)
      await Promise.all(closing)
    },
  }
}
