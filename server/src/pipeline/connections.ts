import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import type { Limits } from '../kernel/config.ts'

/**
 * Bounds the connections of a server, in all and of one address: one that is too many is closed unheard. `addressOf` names
 * whom a connection counts for; nobody where it comes from a proxy, which stands for many.
 */
export const boundConnections = (
  server: Server,
  limits: Pick<Limits, 'connections' | 'connectionsPerAddress'>,
  addressOf: (socket: Socket) => string | undefined,
): void => {
  const open = new Map<string, number>()
  server.maxConnections = limits.connections
  server.on('connection', (socket: Socket) => {
    const address = addressOf(socket)
    if (address === undefined) return
    const count = open.get(address) ?? 0
    if (count >= limits.connectionsPerAddress) {
      socket.destroy()
      return
    }
    open.set(address, count + 1)
    socket.once('close', () => {
      const left = (open.get(address) ?? 1) - 1
      if (left === 0) open.delete(address)
      else open.set(address, left)
    })
  })
}
