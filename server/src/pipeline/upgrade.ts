import { type IncomingMessage, type Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { liveSocket, ServiceError } from '@integrity/protocol'
import type Koa from 'koa'
import { addRateHeaders } from '../kernel/rate-limited.ts'
import type { LiveConnection } from '../platform/sockets/live-connection.ts'
import { UpgradeError } from '../platform/sockets/socket-hub.ts'
import { always } from './answers/answer-headers.ts'
import { sendError } from './answers/respond.ts'
import { admit, type Progress } from './callers/admit.ts'
import { otherCredential } from './callers/credential-words.ts'
import { checkSocketOrigin } from './callers/origin.ts'
import { countStray } from './mount.ts'
import type { PipelineParts } from './pipeline-parts.ts'
import { createRoutes } from './routing.ts'

const comeBack = { headers: { 'Retry-After': '30' } }

/** Answers the handshake; what the hub refuses becomes an answer like any other. */
const accept = (
  app: PipelineParts,
  request: IncomingMessage,
  socket: Socket,
  head: Buffer,
  group: string,
): LiveConnection => {
  try {
    return app.sockets.accept(request, socket, head, group)
  } catch (error) {
    if (!(error instanceof UpgradeError)) throw error
    if (error.reason !== 'handshake') throw new ServiceError('service_unavailable', error.message, comeBack)
    const details = [{ path: 'Sec-WebSocket-Key', message: error.message }]
    throw new ServiceError('invalid_request', error.message, { details })
  }
}

/** Only WebSockets are upgraded; a client that offers another protocol, such as h2c, gets its answer without. */
export const isWebSocket = ({ headers }: Pick<IncomingMessage, 'headers'>): boolean =>
  headers.upgrade?.toLowerCase() === 'websocket'

interface Refused {
  readonly request: IncomingMessage
  readonly socket: Socket
  readonly error: unknown
  readonly progress: Progress
  readonly id: string
}

/** An upgrade that is refused is answered like any other request; its status. */
const refuse = async (
  app: PipelineParts,
  koa: Koa,
  { request, socket, error, progress, id }: Refused,
): Promise<number> => {
  const response = new ServerResponse(request)
  response.shouldKeepAlive = false
  response.assignSocket(socket)
  response.once('finish', () => socket.end())
  const refusal = await countStray(app, request, progress, error)
  const headers = progress.ceiling ? addRateHeaders({ ...progress.headers }, progress.ceiling) : progress.headers
  sendError(app, koa.createContext(request, response), refusal, id, headers)
  return response.statusCode
}

/**
 * Answers upgrades to the live socket: the same admission as every request, then the handshake. A refusal is an answer with
 * the service's envelope.
 */
export const serveUpgrades = (app: PipelineParts, koa: Koa, server: Server): void => {
  const routes = createRoutes([liveSocket])

  const open = async (request: IncomingMessage, socket: Socket, head: Buffer, progress: Progress): Promise<void> => {
    const route = routes.find('GET', (request.url ?? '').split('?')[0] ?? '')
    if (!route || !('endpoint' in route)) throw new ServiceError('not_found', 'there is no such socket')
    progress.endpoint = route.endpoint.id
    if (app.draining.aborted) throw new ServiceError('service_unavailable', 'this server is shutting down', comeBack)
    const { actor } = await admit(app, request, route, progress)
    checkSocketOrigin(app.config.baseUrl, request)
    if (actor.kind !== 'agent') throw new ServiceError('forbidden', otherCredential(route.endpoint, actor.kind))
    const scope = { orgId: actor.orgId, environment: actor.environment }
    const { group, follow } = await app.liveSocket.open({ ...app, scope, actor })
    const connection = accept(app, request, socket, head, group)
    follow(connection)
    const replace = () => app.sockets.replace(connection)
    void app.shared.places.push(`sockets ${group}`, app.sockets.maxPerGroup, connection.ended, replace)
  }

  const serve = async (request: IncomingMessage, socket: Socket, head: Buffer): Promise<void> => {
    const started = performance.now()
    const requestId = app.newId('req')
    const progress: Progress = {
      headers: { 'X-Request-Id': requestId, ...always },
      ceiling: undefined,
      endpoint: 'unknown',
    }
    // Until it is handed over, nobody else listens for its errors.
    const gone = () => socket.destroy()
    socket.on('error', gone)
    const status = await open(request, socket, head, progress).then(
      () => {
        socket.off('error', gone)
        return 101
      },
      (error: unknown) => refuse(app, koa, { request, socket, error, progress, id: requestId }),
    )
    app.metrics.request(progress.endpoint, status, (performance.now() - started) / 1000)
  }

  server.on('upgrade', (request: IncomingMessage, socket: Socket, head: Buffer) => {
    serve(request, socket, head).catch((error: unknown) => {
      app.log.error({ err: error }, 'an upgrade failed')
      socket.destroy()
    })
  })
}
