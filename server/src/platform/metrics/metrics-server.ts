import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Metrics } from './metrics.ts'

export interface MetricsServer {
  /** The port in use (useful when 0 was asked for). */
  readonly port: number
  close(): Promise<void>
}

/** Answers `GET /metrics` on a port of its own, so that it need not be reachable where the service is. */
export const startMetricsServer = async (
  metrics: Metrics,
  { host, port }: { host: string; port: number },
): Promise<MetricsServer> => {
  const server = createServer((request, response) => {
    const path = request.url?.split('?')[0]
    if (path !== '/metrics') {
      response.writeHead(404).end()
      return
    }
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      response.writeHead(405, { allow: 'GET, HEAD' }).end()
      return
    }
    metrics.render().then(
      ({ contentType, text }) => response.writeHead(200, { 'content-type': contentType }).end(text),
      () => response.writeHead(503, { 'content-type': 'text/plain' }).end('a value could not be read\n'),
    )
  })
  server.listen(port, host)
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    async close() {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}
