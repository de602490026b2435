import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface Received {
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
  /** By the clock of the test. */
  readonly at: number
}
export type ReceiverReply =
  | { readonly status: number; readonly headers?: Readonly<Record<string, string>>; readonly body?: string }
  | 'hang'

export interface Receiver {
  readonly url: string
  readonly received: Received[]
  /** How requests are answered from now on; 204 unless told. */
  answer(reply: ReceiverReply | ((request: Received, index: number) => ReceiverReply)): void
  /** Resolves once that many requests have come. */
  arrived(count: number): Promise<void>
  stop(): Promise<void>
}

/** A webhook receiver: a real HTTP server on 127.0.0.1 that remembers what it got. */
export const startReceiver = async (now: () => number): Promise<Receiver> => {
  const received: Received[] = []
  const watchers = new Set<() => void>()
  let decide: (request: Received, index: number) => ReceiverReply = () => ({ status: 204 })
  const reply = (response: ServerResponse, request: Received) => {
    const chosen = decide(request, received.length - 1)
    if (chosen !== 'hang') response.writeHead(chosen.status, chosen.headers).end(chosen.body)
  }
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const whole = { path: request.url ?? '', headers: request.headers, body: Buffer.concat(chunks), at: now() }
      received.push(whole)
      reply(response, whole)
      for (const watcher of watchers) watcher()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    received,
    answer: (chosen) => {
      decide = typeof chosen === 'function' ? chosen : () => chosen
    },
    arrived: (count) =>
      new Promise((resolve) => {
        const check = () => {
          if (received.length < count) return
          watchers.delete(check)
          resolve()
        }
        watchers.add(check)
        check()
      }),
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
