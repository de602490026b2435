import net from 'node:net'

export interface Balancer {
  readonly url: string
  /** Where connections go from now on, in turn. Those that are open stay. */
  send(ports: readonly number[]): void
  stop(): Promise<void>
}

/** A plain TCP balancer: each connection goes to the next server, or to the one after it when that is gone. */
export const startBalancer = async (): Promise<Balancer> => {
  let targets: readonly number[] = []
  let turn = 0
  const open = new Set<net.Socket>()
  const keep = (socket: net.Socket): net.Socket => {
    open.add(socket)
    return socket.on('close', () => open.delete(socket)).on('error', () => socket.destroy())
  }
  const connect = (client: net.Socket, tries: number): void => {
    const port = targets[turn++ % Math.max(1, targets.length)]
    if (port === undefined || tries === 0) return void client.destroy()
    const server = net.connect(port, '127.0.0.1')
    server.once('error', () => connect(client, tries - 1))
    server.once('connect', () => {
      server.removeAllListeners('error')
      keep(server).on('close', () => client.destroy())
      client.on('close', () => server.destroy())
      client.pipe(server).pipe(client)
    })
  }
  const listener = net.createServer((client) => connect(keep(client), 6))
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(listener.address() as net.AddressInfo).port}`,
    send: (ports) => {
      targets = ports
    },
    stop: () =>
      new Promise((resolve) => {
        listener.close(() => resolve())
        for (const socket of open) socket.destroy()
      }),
  }
}
