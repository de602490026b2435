import { randomInt } from 'node:crypto'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'

/** A network between agent and server that a test, or the demo, can cut. */
export interface TcpProxy {
  readonly url: string
  /** Drops every connection and refuses new ones. */
  cut(): Promise<void>
  /** Accepts again, on the same port. */
  restore(): Promise<void>
  close(): Promise<void>
}

const listen = (server: Server, port: number): Promise<number> =>
  new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', () => resolve((server.address() as AddressInfo).port))
  })

/** Sees what passes: `sent` bytes of a client on their way to the server, `answered` the other way, `closed` its end. */
export interface Traffic {
  sent(bytes: Buffer, client: Socket): void
  answered?(client: Socket): void
  closed?(client: Socket): void
}

/** Forwards a free port of 127.0.0.1 to `targetPort`. */
export const startTcpProxy = async (targetPort: number, traffic?: Traffic): Promise<TcpProxy> => {
  const open = new Set<Socket>()
  const forward = (client: Socket): void => {
    const upstream = connect(targetPort, '127.0.0.1')
    for (const [socket, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      open.add(socket)
      socket.setNoDelay(true)
      // An error is followed by close, and a closed side closes the other.
      socket.on('error', () => undefined)
      socket.once('close', () => {
        open.delete(socket)
        other.destroy()
      })
      socket.pipe(other)
    }
    if (!traffic) return
    client.on('data', (bytes: Buffer) => traffic.sent(bytes, client))
    client.once('close', () => traffic.closed?.(client))
    upstream.on('data', () => traffic.answered?.(client))
  }
  let server: Server | undefined = createServer(forward)
  const port = await listen(server, 0)

  const cut = async (): Promise<void> => {
    const closing = server
    server = undefined
    if (!closing) return
    const closed = new Promise<void>((resolve) => {
      closing.close(() => resolve())
    })
    for (const socket of open) socket.destroy()
    await closed
  }
  return {
    url: `http://127.0.0.1:${port}`,
    cut,
    restore: async () => {
      if (server) return
      server = createServer(forward)
      await listen(server, port)
    },
    close: cut,
  }
}

/**
 * A port of 127.0.0.1 that nobody listens on at this moment, below the ports that systems give out by themselves: so
 * nobody gets it by chance while a server that is to come back to it is away.
 */
export const freePort = async (): Promise<number> => {
  for (let tries = 0; ; tries += 1) {
    const server = createServer()
    try {
      const port = await listen(server, randomInt(20_000, 32_000))
      await new Promise((resolve) => {
        server.close(resolve)
      })
      return port
    } catch (error) {
      if (tries === 20) throw error
    }
  }
}
