import { once } from 'node:events'
import net from 'node:net'

/** A TCP proxy that can stand still: connections stay open, new ones are taken, and nothing passes. */
export interface FrozenProxy {
  readonly port: number
  freeze(): void
  thaw(): void
  close(): Promise<void>
}

export const startFrozenProxy = async (target: {
  readonly host: string
  readonly port: number
}): Promise<FrozenProxy> => {
  const sockets = new Set<net.Socket>()
  let isFrozen = false
  const track = (socket: net.Socket) => {
    sockets.add(socket)
    socket.on('error', () => socket.destroy())
    socket.once('close', () => sockets.delete(socket))
    if (isFrozen) socket.pause()
  }
  const pass = (from: net.Socket, to: net.Socket) => {
    // By hand: `pipe` would resume what stands still.
    from.on('data', (piece) => void to.write(piece))
    from.once('close', () => to.destroy())
    if (isFrozen) from.pause()
  }
  const server = net.createServer((inner) => {
    const outer = net.connect(target)
    track(inner)
    track(outer)
    pass(inner, outer)
    pass(outer, inner)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as net.AddressInfo).port,
    freeze() {
      isFrozen = true
      for (const socket of sockets) socket.pause()
    },
    thaw() {
      isFrozen = false
      for (const socket of sockets) socket.resume()
    },
    async close() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}

/** A Postgres URL whose server is reached over a proxy. */
export const frozenPostgres = async (databaseUrl: string): Promise<FrozenProxy & { readonly url: string }> => {
  const url = new URL(databaseUrl)
  const proxy = await startFrozenProxy({ host: url.hostname || '127.0.0.1', port: Number(url.port || 5432) })
  url.hostname = '127.0.0.1'
  url.port = String(proxy.port)
  return { ...proxy, url: url.href }
}
