import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** A network between client and service that a test can shake. */
export interface ShakyProxy {
  readonly url: string
  /** Breaks every connection there is; new ones are let through. */
  cut(): void
  /** Lets the next request through and breaks its connection when the answer comes. */
  loseNextAnswer(): void
  /** Connections so far. */
  readonly connections: number
  close(): Promise<void>
}

/** Forwards a free port of 127.0.0.1 to wherever `target` points when a connection is made. */
export const startShakyProxy = async (target: () => string): Promise<ShakyProxy> => {
  const open = new Set<Socket>()
  let losing = false
  let connections = 0
  const server = createServer((client) => {
    connections += 1
    const upstream = connect(Number(new URL(target()).port), '127.0.0.1')
    for (const [socket, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      open.add(socket)
      // An error is followed by close, and a closed side closes the other.
      socket.on('error', () => undefined)
      socket.once('close', () => {
        open.delete(socket)
        other.destroy()
      })
    }
    client.pipe(upstream)
    upstream.on('data', (bytes: Buffer) => {
      if (losing) {
        losing = false
        client.destroy()
      } else client.write(bytes)
    })
    upstream.once('end', () => client.end())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const cut = () => {
    for (const socket of open) socket.destroy()
  }
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    cut,
    loseNextAnswer: () => {
      losing = true
    },
    get connections() {
      return connections
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        cut()
      }),
  }
}
