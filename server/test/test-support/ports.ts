import { connect, createServer } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'

/** A port of this machine at which nobody listens now. */
export const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const probe = createServer().on('error', reject)
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as { port: number }
      probe.close(() => resolve(port))
    })
  })

const isOpen = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.on('connect', () => resolve(true)).on('error', () => resolve(false))
    socket.on('connect', () => socket.destroy())
  })

/** Resolves when somebody listens there. */
export const opened = async (port: number): Promise<void> => {
  while (!(await isOpen(port))) await pause(100)
}
