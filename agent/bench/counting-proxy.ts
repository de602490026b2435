import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** A way to the server on which what the client sends is counted. */
export interface CountingProxy {
  readonly url: string
  /** Bytes from clients so far, as TCP carries them. */
  sentBytes(): number
  close(): Promise<void>
}

/** Forwards a free port of 127.0.0.1 to `targetPort`. */
export const startCountingProxy = async (targetPort: number): Promise<CountingProxy> => {
  let sent = 0
  const open = new Set<Socket>()
  const join = (from: Socket, to: Socket): void => {
    open.add(from)
    from.setNoDelay(true)
    from.pipe(to)
    // An error is followed by close, and a closed side closes the other.
    from.on('error', () => undefined)
    from.once('close', () => {
      open.delete(from)
      to.destroy()
    })
  }
  const server = createServer((client) => {
    const upstream = connect(targetPort, '127.0.0.1')
    join(client, upstream)
    join(upstream, client)
    client.on('data', (bytes: Buffer) => {
      sent += bytes.length
    })
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', resolve)
  })
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    sentBytes: () => sent,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        for (const socket of open) socket.destroy()
      }),
  }
}
