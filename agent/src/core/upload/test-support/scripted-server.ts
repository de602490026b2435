import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { loopbackAddress } from '../../../shared/test-support/loopback-address.ts'

/** A request as the scripted server saw it. */
export interface SeenRequest {
  readonly method: string
  /** Path with query. */
  readonly path: string
  readonly headers: IncomingMessage['headers']
  readonly body: Buffer
}

/**
 * What to do with one request: answer it, do the work and lose the answer, or hang up in the middle of the body.
 * `undefined` leaves it to the server's ordinary handler.
 */
export type Scripted =
  | { readonly status: number; readonly headers?: Readonly<Record<string, string>>; readonly body?: unknown }
  | 'lose_answer'
  | 'hang_up'

export type Handler = (request: SeenRequest) => {
  status: number
  body?: unknown
  headers?: Readonly<Record<string, string>>
}

export const success = (data: unknown, status = 200) => ({ status, body: { success: true, data } })
export const failure = (
  status: number,
  code: string,
  details: readonly { path: string; message: string }[] = [],
  extra: Readonly<Record<string, unknown>> = {},
) => ({
  status,
  body: { success: false, error: { code, message: code, details, ...extra }, requestId: 'req_test' },
})

/** A real HTTP server on a loopback port for tests: scripted answers first, then the ordinary handler. */
export class ScriptedServer {
  readonly seen: SeenRequest[] = []
  readonly script: Scripted[] = []
  /** What happens to every request, before the script, for as long as it is set. */
  outage: 'lose_answer' | 'hang_up' | undefined
  /** Answers requests to some path with this status before anything else, as if they had not come. */
  aside: ((path: string) => number | undefined) | undefined
  /** Somebody between, who is not the service, takes no larger body. */
  limitBytes = Number.POSITIVE_INFINITY
  /** Called with each request before it is answered. */
  onRequest: ((request: SeenRequest) => void | Promise<void>) | undefined
  readonly #server: Server
  readonly #handler: Handler
  readonly #address = loopbackAddress()

  constructor(handler: Handler) {
    this.#handler = handler
    this.#server = createServer((request, response) => {
      this.#serve(request, response).catch(() => response.destroy())
    })
  }

  async listen(): Promise<string> {
    this.#server.listen(0, this.#address)
    await once(this.#server, 'listening')
    return `http://${this.#address}:${(this.#server.address() as AddressInfo).port}`
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections()
    this.#server.close()
    await once(this.#server, 'close')
  }

  /** Answers what is not counted as seen. */
  #passOver(request: IncomingMessage, response: ServerResponse): boolean {
    const tooLarge = Number(request.headers['content-length'] ?? 0) > this.limitBytes
    const status = tooLarge ? 413 : this.aside?.(request.url ?? '')
    if (status === undefined) return false
    request.resume()
    const body = tooLarge ? '<html>' : JSON.stringify(failure(status, 'not_found').body)
    response.writeHead(status, { 'content-type': 'application/json' }).end(body)
    return true
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (this.outage === undefined && this.#passOver(request, response)) return
    const scripted = this.outage ?? this.script.shift()
    if (scripted === 'hang_up') {
      request.once('data', () => request.socket.destroy())
      if (Number(request.headers['content-length'] ?? 0) === 0) request.socket.destroy()
      return
    }
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const seen: SeenRequest = {
      method: request.method ?? '',
      path: request.url ?? '',
      headers: request.headers,
      body: Buffer.concat(chunks),
    }
    this.seen.push(seen)
    await this.onRequest?.(seen)
    const answer = scripted !== undefined && scripted !== 'lose_answer' ? scripted : this.#handler(seen)
    if (scripted === 'lose_answer') {
      request.socket.destroy()
      return
    }
    response.writeHead(answer.status, { 'content-type': 'application/json', ...answer.headers })
    const { body } = answer
    response.end(body === undefined || Buffer.isBuffer(body) ? body : JSON.stringify(body))
  }
}
