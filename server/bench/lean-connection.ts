import { once } from 'node:events'
import { connect } from 'node:net'

const endOfHead = Buffer.from('\r\n\r\n')

export interface LeanAnswer {
  readonly status: number
  readonly text: string
}
export interface LeanConnection {
  /** Sends a whole request and resolves with its answer, which must have a Content-Length. One at a time. */
  ask(request: Buffer): Promise<LeanAnswer>
  close(): void
}

/** The bytes of a POST of JSON. */
export const postRequest = (url: string, path: string, token: string, body: string): Buffer =>
  Buffer.from(
    `POST ${path} HTTP/1.1\r\nHost: ${new URL(url).host}\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  )

const answerIn = (bytes: Buffer): LeanAnswer | undefined => {
  const end = bytes.indexOf(endOfHead)
  if (end < 0) return undefined
  const head = bytes.toString('latin1', 0, end)
  const length = Number(/\r\nContent-Length: (\d+)/i.exec(head)?.[1])
  const start = end + endOfHead.length
  if (bytes.length < start + length) return undefined
  return { status: Number(head.slice(9, 12)), text: bytes.toString('utf8', start, start + length) }
}

/**
 * A kept connection that costs little: agents have machines of their own, and what a comfortable client takes here would be
 * taken from the server that is measured.
 */
export const openLean = async (url: string): Promise<LeanConnection> => {
  const { hostname, port } = new URL(url)
  const socket = connect({ host: hostname, port: Number(port), noDelay: true })
  await once(socket, 'connect')
  let waiting: PromiseWithResolvers<LeanAnswer> | undefined
  let received: Buffer = Buffer.alloc(0)
  socket.on('data', (chunk) => {
    received = received.length === 0 ? chunk : Buffer.concat([received, chunk])
    const answer = answerIn(received)
    if (!answer) return
    received = Buffer.alloc(0)
    waiting?.resolve(answer)
  })
  socket.on('error', (error) => waiting?.reject(error))
  socket.on('close', () => waiting?.reject(new Error('the server closed the connection')))
  return {
    ask(request) {
      waiting = Promise.withResolvers()
      socket.write(request)
      return waiting.promise
    },
    close() {
      waiting = undefined
      socket.destroy()
    },
  }
}
