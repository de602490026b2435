import net from 'node:net'

/** A way to a TCP server that can be shut: what is open breaks, and nothing new gets through. */
export interface Gate {
  readonly port: number
  shut(): void
  open(): void
  stop(): Promise<void>
}

export const startGate = async (target: number): Promise<Gate> => {
  let isOpen = true
  const passing = new Set<net.Socket>()
  const keep = (socket: net.Socket): net.Socket => {
    passing.add(socket)
    return socket.on('close', () => passing.delete(socket)).on('error', () => socket.destroy())
  }
  const breakAll = (): void => {
    for (const socket of passing) socket.destroy()
  }
  const listener = net.createServer((client) => {
    if (!isOpen) return void client.destroy()
    const server = keep(net.connect(target, '127.0.0.1')).on('close', () => client.destroy())
    keep(client).on('close', () => server.destroy())
    client.pipe(server).pipe(client)
  })
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve))
  return {
    port: (listener.address() as net.AddressInfo).port,
    shut: () => {
      isOpen = false
      breakAll()
    },
    open: () => {
      isOpen = true
    },
    stop: () =>
      new Promise((resolve) => {
        listener.close(() => resolve())
        breakAll()
      }),
  }
}
