import type { IncomingMessage } from 'node:http'
import { type LiveMessage, liveMessage, liveSocket } from '@integrity/protocol'
import WebSocket from 'ws'

export interface LiveClient {
  readonly socket: WebSocket
  readonly messages: readonly LiveMessage[]
  /** Resolves with the first `count` messages. Rejects when the socket closes before. */
  seen(count: number): Promise<readonly LiveMessage[]>
  readonly closed: Promise<{ code: number; reason: string }>
}

export interface Refusal {
  readonly status: number
  readonly headers: IncomingMessage['headers']
  readonly body: { success: boolean; error: { code: string; message: string }; requestId: string }
}

export const socketUrl = (url: string, sessionId: string): string =>
  `${url.replace(/^http/, 'ws')}${liveSocket.path.replace('{id}', encodeURIComponent(sessionId))}`

const bearer = (token: string | undefined): Record<string, string> =>
  token === undefined ? {} : { authorization: `Bearer ${token}` }

interface Ask {
  readonly token?: string | undefined
  readonly headers?: Readonly<Record<string, string>>
}

/** A live socket as an agent opens it. */
export const openLive = async (url: string, sessionId: string, { token, headers }: Ask): Promise<LiveClient> => {
  const socket = new WebSocket(socketUrl(url, sessionId), { headers: { ...bearer(token), ...headers } })
  const messages: LiveMessage[] = []
  const watchers = new Set<() => void>()
  socket.on('message', (data: Buffer) => {
    messages.push(liveMessage.parse(JSON.parse(data.toString())))
    for (const watcher of watchers) watcher()
  })
  const closed = new Promise<{ code: number; reason: string }>((resolve) => {
    socket.once('close', (code, reason) => resolve({ code, reason: reason.toString() }))
  })
  await new Promise<void>((resolve, reject) => {
    socket.once('open', () => resolve())
    socket.once('error', reject)
  })
  socket.on('error', () => undefined)
  const seen = (count: number) =>
    new Promise<readonly LiveMessage[]>((resolve, reject) => {
      const look = () => {
        if (messages.length >= count) resolve(messages.slice(0, count))
      }
      watchers.add(look)
      look()
      void closed.then(({ code }) => reject(new Error(`closed with ${code} after ${messages.length} messages`)))
    })
  return { socket, messages, seen, closed }
}

/** The answer of an upgrade that must be refused. */
export const refusedLive = (address: string, { token, headers }: Ask): Promise<Refusal> =>
  new Promise((resolve, reject) => {
    const socket = new WebSocket(address, { headers: { ...bearer(token), ...headers } })
    socket.once('open', () => {
      socket.terminate()
      reject(new Error('the upgrade was not refused'))
    })
    socket.on('error', () => undefined)
    socket.once('unexpected-response', (request, response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.once('end', () => {
        request.destroy()
        const body = JSON.parse(Buffer.concat(chunks).toString()) as Refusal['body']
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body })
      })
    })
  })
