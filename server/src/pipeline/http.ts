import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { ServiceError } from '@integrity/protocol'
import Koa, { type Context, type Next } from 'koa'
import { type Ceiling, rateHeaders } from '../kernel/rate-limited.ts'
import { always } from './answers/answer-headers.ts'
import { pageFormFor } from './answers/refusal-page.ts'
import { refusalOf, sendError } from './answers/respond.ts'
import { takePage, takeStray } from './callers/ceilings.ts'
import { boundConnections } from './connections.ts'
import type { LooseHandler } from './loose-handler.ts'
import { mount } from './mount.ts'
import { servePages } from './pages/serve-pages.ts'
import type { PipelineParts } from './pipeline-parts.ts'
import { isWebSocket, serveUpgrades } from './upgrade.ts'

export interface Listening {
  readonly server: Server
  readonly url: string
  readonly port: number
}

/** What Node refuses before there is a request, in words. */
const malformed: Readonly<Record<string, readonly [status: number, reason: string, message: string]>> = {
  HPE_HEADER_OVERFLOW: [431, 'Request Header Fields Too Large', 'the headers are larger than 16 KiB'],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: [413, 'Payload Too Large', 'the extensions of the chunks are larger than 16 KiB'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'Request Timeout', 'the headers took too long to arrive'],
}
const noRequest = [400, 'Bad Request', 'this is not a request of HTTP/1.1'] as const

/** What is no request counts against its address as any other that nobody is behind; it is closed either way. */
const countMalformed = async (
  app: PipelineParts,
  from: Pick<IncomingMessage, 'headers' | 'socket'>,
): Promise<Ceiling> => {
  const { limits } = app.config
  const full: Ceiling = { limit: limits.perAddress, remaining: 0, resetSeconds: 60, scope: 'key' }
  return takeStray(app.rate, limits, app.addressOf(from)).catch(() => full)
}

/** It answers in the same envelope and with the same headers as everything else. */
const refuseMalformed = async (app: PipelineParts, error: Error & { code?: string }, socket: Socket): Promise<void> => {
  if (!socket.writable || error.code === 'ECONNRESET') {
    socket.destroy()
    return
  }
  const [status, reason, message] = malformed[error.code ?? ''] ?? noRequest
  const requestId = app.newId('req')
  const { text } = refusalOf(
    new ServiceError('invalid_request', message, { status, details: [{ path: '', message }] }),
    requestId,
  )
  const headers = {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': String(Buffer.byteLength(text)),
    'X-Request-Id': requestId,
    ...always,
    ...rateHeaders(await countMalformed(app, { socket, headers: {} })),
    Connection: 'close',
  }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  socket.end(`HTTP/1.1 ${status} ${reason}\r\n${lines.join('\r\n')}\r\n\r\n${text}`)
}

/** RFC 6797: a browser that was here once comes back over TLS alone. */
const onlyOverTls = async (koa: Context, next: Next): Promise<void> => {
  koa.set('Strict-Transport-Security', 'max-age=31536000')
  await next()
}

/** RFC 9112, 3.2: exactly one Host, which Node would otherwise ask for with an answer of its own. */
const requireHost =
  (app: PipelineParts) =>
  async (koa: Context, next: Next): Promise<void> => {
    if (koa.req.headers.host !== undefined || koa.req.httpVersion !== '1.1') return next()
    const requestId = app.newId('req')
    const message = 'must be named once'
    const refusal = new ServiceError('invalid_request', `Host: ${message}`, { details: [{ path: 'Host', message }] })
    const ceiling = rateHeaders(await countMalformed(app, koa.req))
    sendError(app, koa, refusal, requestId, { 'X-Request-Id': requestId, ...always, ...ceiling, Connection: 'close' })
  }

/** Listens on the configured address. Uploads may take long, but headers may not, and an idle socket is let go. */
export const listen = (app: PipelineParts, handlers: Readonly<Record<string, LooseHandler>>): Promise<Listening> => {
  const koa = new Koa()
  if (app.config.baseUrl.startsWith('https:')) koa.use(onlyOverTls)
  koa.on('error', (error: unknown) => {
    // A client that went away in the middle of an answer is its own business.
    const gone = ['ERR_STREAM_PREMATURE_CLOSE', 'ECONNRESET', 'EPIPE', 'HPE_INVALID_EOF_STATE'].includes(
      String((error as { code?: unknown }).code),
    )
    app.log[gone ? 'debug' : 'error']({ err: error }, gone ? 'the client went away' : 'koa')
  })
  koa.use(requireHost(app))
  koa.use(
    servePages(
      app,
      async (request) => rateHeaders(await takePage(app.rate, app.config.limits, app.addressOf(request))),
      (context, error, requestId) => sendError(app, context, error, requestId, {}, pageFormFor(context.req)),
    ),
  )
  koa.use(mount(app, handlers))
  const handle = koa.callback()
  const server = createServer(
    {
      requestTimeout: 0,
      headersTimeout: 30_000,
      keepAliveTimeout: 65_000,
      shouldUpgradeCallback: isWebSocket,
      requireHostHeader: false,
    },
    (request, response) => {
      void handle(request, response)
    },
  )
  const isBehindProxy = app.config.trustedProxies.length > 0
  boundConnections(server, app.config.limits, (socket) =>
    isBehindProxy ? undefined : app.addressOf({ socket, headers: {} }),
  )
  serveUpgrades(app, koa, server)
  server.on('clientError', (error, socket) => {
    refuseMalformed(app, error, socket as Socket).catch(() => socket.destroy())
  })
  // Node would answer an expectation that it does not know by itself; it is a request like any other.
  server.on('checkExpectation', (request, response) => {
    void handle(request, response)
  })
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
