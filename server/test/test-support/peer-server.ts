import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { HttpOut } from '../../src/platform/http-out/http-out.ts'
import type { AskedOfPeer } from './described.ts'

/** What a double makes of a request; `cut`: the connection breaks off. */
export type Handle = (asked: AskedOfPeer) => Promise<{ status: number; body: object } | 'cut'>

const readAll = async (request: IncomingMessage): Promise<string> => {
  const pieces: Buffer[] = []
  for await (const piece of request) pieces.push(piece as Buffer)
  return Buffer.concat(pieces).toString('utf8')
}

/** A double behind a port. */
export const listen = async (handle: Handle): Promise<{ readonly url: string; stop(): Promise<void> }> => {
  const server = createServer((request, response) => {
    void readAll(request).then(async (body) => {
      const { pathname: path, searchParams: query } = new URL(request.url ?? '/', 'http://double')
      const { method = 'GET', headers } = request
      const said = await handle({ method, path, query, headers, body })
      if (said === 'cut') return request.socket.destroy()
      response.writeHead(said.status, { 'content-type': 'application/json' }).end(JSON.stringify(said.body))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    stop: () =>
      new Promise<void>((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}

async function* once(body: Buffer): AsyncGenerator<Buffer> {
  yield body
}

/** A double in the place of the network, for histories of thousands of requests. */
export const inPlaceOfNetwork = (handle: Handle): Pick<HttpOut, 'request'> => ({
  async request(url, { method, headers, body }) {
    const { pathname: path, searchParams: query } = new URL(url)
    const said = await handle({
      method,
      path,
      query,
      headers: { ...headers },
      body: body?.toString() ?? '',
    } as AskedOfPeer)
    if (said === 'cut') throw new Error('the connection was cut')
    return { statusCode: said.status, headers: {}, body: once(Buffer.from(JSON.stringify(said.body))) as never }
  },
})
