import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import Koa from 'koa'
import { rateHeaders, takePage } from './ceilings.ts'
import { boundConnections } from './connections.ts'
import type { LooseHandler } from './loose-handler.ts'
import { mount } from './mount.ts'
import { servePages } from './pages/pages.ts'
import type { PipelineParts } from './pipeline-parts.ts'
import { sendError } from './respond.ts'
import { isWebSocket, serveUpgrades } from './upgrade.ts'

export interface Listening {
  readonly server: Server
  readonly url: string
  readonly port: number
}

/**
 * What Node itself refuses before there is a request: broken or oversized headers. It answers in the same envelope as
 * everything else.
 */
const refuseMalformed = (app: PipelineParts, error: Error & { code?: string }, socket: Duplex): void => {
  if (!socket.writable || error.code === 'ECONNRESET') {
    socket.destroy()
    return
  }
  const tooLarge = error.code === 'HPE_HEADER_OVERFLOW'
  const status = tooLarge ? '431 Request Header Fields Too Large' : '400 Bad Request'
  const message = tooLarge ? 'the headers are larger than 16 KiB' : 'this is not a request of HTTP/1.1'
  const requestId = app.newId('req')
  const body = JSON.stringify({ success: false, error: { code: 'invalid_request', message }, requestId })
  const headers = [
    `HTTP/1.1 ${status}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'X-Service-Api-Version: v1',
    `X-Request-Id: ${requestId}`,
    'Connection: close',
  ]
  socket.end(`${headers.join('\r\n')}\r\n\r\n${body}`)
}

/** Listens on the configured address. Uploads may take long, but headers may not, and an idle socket is let go. */
export const listen = (app: PipelineParts, handlers: Readonly<Record<string, LooseHandler>>): Promise<Listening> => {
  const koa = new Koa()
  koa.on('error', (error: unknown) => {
    // A client that went away in the middle of an answer is its own business.
    const gone = ['ERR_STREAM_PREMATURE_CLOSE', 'ECONNRESET', 'EPIPE', 'HPE_INVALID_EOF_STATE'].includes(
      String((error as { code?: unknown }).code),
    )
    app.log[gone ? 'debug' : 'error']({ err: error }, gone ? 'the client went away' : 'koa')
  })
  koa.use(
    servePages(
      app,
      async (request) => rateHeaders(await takePage(app.rate, app.config.limits, app.addressOf(request))),
      (context, error, requestId) => sendError(app, context, error, requestId, {}),
    ),
  )
  koa.use(mount(app, handlers))
  const handle = koa.callback()
  const server = createServer(
    { requestTimeout: 0, headersTimeout: 30_000, keepAliveTimeout: 65_000, shouldUpgradeCallback: isWebSocket },
    (request, response) => {
      void handle(request, response)
    },
  )
  const isBehindProxy = app.config.trustedProxies.length > 0
  boundConnections(server, app.config.limits, (socket) =>
    isBehindProxy ? undefined : app.addressOf({ socket, headers: {} }),
  )
  serveUpgrades(app, koa, server)
  server.on('clientError', (error, socket) => refuseMalformed(app, error, socket))
  // A socket on which nothing moves: a body that stalls, a client that is gone. Event streams beat every 15 s.
  server.setTimeout(120_000)
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(app.config.port, app.config.host, () => {
      const { port } = server.address() as AddressInfo
      const host = app.config.host.includes(':') ? `[${app.config.host}]` : app.config.host
      resolve({ server, port, url: `http://${host}:${port}` })
    })
  })
}

/** Stops accepting, lets running requests finish, and cuts what is left after `graceMs`. */
export const closeServer = (server: Server, graceMs: number): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(() => server.closeAllConnections(), graceMs)
    // Kept alive, a connection would stay once the request that it was busy with is answered.
    const sweep = setInterval(() => server.closeIdleConnections(), 50)
    server.close(() => {
      clearTimeout(timer)
      clearInterval(sweep)
      resolve()
    })
    server.closeIdleConnections()
  })
