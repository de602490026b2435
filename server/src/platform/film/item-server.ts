import { randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ByteSource } from './item-bytes.ts'

export interface ItemOffer {
  readonly url: string
  /** Ends the offer; a connection that is open goes on. */
  withdraw(): void
}
interface Range {
  readonly start: number
  readonly end: number
}

/** One range of RFC 9110, section 14.2: undefined when there is none, or one that this server need not understand. */
const wantedRange = (header: string | undefined, size: number): Range | 'not_satisfiable' | undefined => {
  const match = /^bytes=(\d+)-(\d*)$/.exec(header ?? '')
  if (!match) return undefined
  const start = Number(match[1])
  const end = match[2] ? Math.min(Number(match[2]) + 1, size) : size
  return start < end ? { start, end } : 'not_satisfiable'
}

/**
 * Hands plain bytes to the decoders over the loopback, with ranges, so that a recording whose index stands at its end
 * needs no file on the disk. Every offer has a path of 256 random bits, which the decoder gets on its standard input:
 * arguments can be read by every user of the machine.
 */
export class ItemServer {
  readonly #offers = new Map<string, ByteSource>()
  readonly #server: Server

  readonly #onReadError: (error: unknown) => void

  private constructor(onReadError: (error: unknown) => void) {
    this.#onReadError = onReadError
    this.#server = createServer((request, response) => void this.#answer(request, response))
    // A decoder may pause as long as its recording is not on.
    this.#server.requestTimeout = 0
    this.#server.timeout = 0
  }

  /** `onReadError` gets what an item's own `read` rejects with; the decoder sees a connection that ends early. */
  static async start(onReadError: (error: unknown) => void): Promise<ItemServer> {
    const items = new ItemServer(onReadError)
    await new Promise<void>((resolve, reject) => {
      items.#server.once('error', reject)
      items.#server.listen(0, '127.0.0.1', resolve)
    })
    return items
  }

  offer(source: ByteSource): ItemOffer {
    const path = `/${randomBytes(32).toString('hex')}`
    this.#offers.set(path, source)
    const { port } = this.#server.address() as AddressInfo
    return { url: `http://127.0.0.1:${port}${path}`, withdraw: () => void this.#offers.delete(path) }
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const source = this.#offers.get(request.url ?? '')
    if (!source || request.method !== 'GET') {
      response.writeHead(404).end()
      return
    }
    const size = source.sizeBytes
    const range = wantedRange(request.headers.range, size)
    if (range === 'not_satisfiable') {
      response.writeHead(416, { 'content-range': `bytes */${size}` }).end()
      return
    }
    const { start, end } = range ?? { start: 0, end: size }
    response.writeHead(range ? 206 : 200, {
      'accept-ranges': 'bytes',
      'content-type': 'application/octet-stream',
      'content-length': end - start,
      ...(range ? { 'content-range': `bytes ${start}-${end - 1}/${size}` } : {}),
    })
    try {
      await pipeline(Readable.from(this.#read(source, { start, end }), { objectMode: false }), response)
    } catch {
      // Mostly the decoder, which went to another place of the recording.
      response.destroy()
    }
  }

  /** By hand, since a `yield*` would also pass on, as if reading had failed, that whoever reads this went away. */
  async *#read(source: ByteSource, range: Range): AsyncGenerator<Uint8Array> {
    const pieces = source.read(range)[Symbol.asyncIterator]()
    const next = async () => {
      try {
        return await pieces.next()
      } catch (error) {
        this.#onReadError(error)
        throw error
      }
    }
    try {
      for (let piece = await next(); !piece.done; piece = await next()) yield piece.value
    } finally {
      await pieces.return?.()
    }
  }

  /** Ends every connection. */
  stop(): Promise<void> {
    this.#offers.clear()
    return new Promise((resolve) => {
      this.#server.close(() => resolve())
      this.#server.closeAllConnections()
    })
  }
}
