import { createHash } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { loopbackAddress } from '../../../shared/test-support/loopback-address.ts'

export interface FileServer {
  readonly url: string
  /** What was asked, in order: path and the headers of a resume. */
  readonly requests: { path: string; range: string | undefined; ifRange: string | undefined }[]
  /** The bytes at /file; replacing them changes the ETag. */
  bytes: Buffer
  /** Goes silent after so many bytes of a body, once; `breakOff` then ends its connection. */
  silentAfter: number | undefined
  breakOff(): void
  /** Answers instead of the file. */
  instead: ((request: IncomingMessage, response: ServerResponse) => void) | undefined
  close(): Promise<void>
}

const etagOf = (bytes: Buffer): string => `"${createHash('sha256').update(bytes).digest('hex').slice(0, 16)}"`

/** A server of one file on loopback that knows Range and If-Range (RFC 9110, section 14). */
export const startFileServer = async (bytes: Buffer): Promise<FileServer> => {
  const answer = (request: IncomingMessage, response: ServerResponse): void => {
    const { range, 'if-range': ifRange } = request.headers
    fileServer.requests.push({ path: request.url ?? '', range, ifRange: ifRange as string | undefined })
    if (fileServer.instead) {
      fileServer.instead(request, response)
      return
    }
    const { bytes: all } = fileServer
    const etag = etagOf(all)
    const from = ifRange === etag ? Number(/^bytes=(\d+)-$/.exec(range ?? '')?.[1] ?? 0) : 0
    const body = all.subarray(from)
    const partial = { 'content-range': `bytes ${from}-${all.length - 1}/${all.length}` }
    response.writeHead(from > 0 ? 206 : 200, { etag, 'content-length': body.length, ...(from > 0 ? partial : {}) })
    const { silentAfter } = fileServer
    fileServer.silentAfter = undefined
    if (silentAfter === undefined) response.end(body)
    else response.write(body.subarray(0, silentAfter))
  }
  const server = createServer(answer)
  const address = loopbackAddress()
  await new Promise<void>((resolve) => {
    server.listen(0, address, resolve)
  })
  const fileServer: FileServer = {
    url: `http://${address}:${(server.address() as AddressInfo).port}`,
    requests: [],
    bytes,
    silentAfter: undefined,
    breakOff: () => server.closeAllConnections(),
    instead: undefined,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
  return fileServer
}
