import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'
import type { Environment } from '../../../shared/child-process.ts'
import { parseDisplay } from '../x-connection.ts'

const listening = async (onSocket: (socket: Socket) => void): Promise<{ server: Server; env: { DISPLAY: string } }> => {
  const server = createServer((socket) => {
    socket.on('error', () => undefined)
    onSocket(socket)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return { server, env: { DISPLAY: `127.0.0.1:${(server.address() as AddressInfo).port - 6000}` } }
}

/** Runs against an X server that is none: it says `answer` to whatever comes, and hangs up at undefined. */
export const answering = async (
  answer: (chunk: Buffer) => Buffer | undefined,
  run: (env: { DISPLAY: string }) => Promise<void>,
): Promise<void> => {
  const { server, env } = await listening((socket) => {
    socket.on('data', (chunk: Buffer) => {
      const bytes = answer(chunk)
      if (bytes) socket.write(bytes)
      else socket.destroy()
    })
  })
  try {
    await run(env)
  } finally {
    server.close()
  }
}

/** A way to an X server that can be cut; connections made after that go through again. */
export const xServerBehind = async (display: Environment) => {
  const open = new Set<Socket>()
  const { server, env } = await listening((socket) => {
    const beyond = connect(parseDisplay(display['DISPLAY'] ?? '')!.address)
    for (const end of [socket, beyond]) {
      open.add(end)
      end.on('error', () => undefined)
      end.once('close', () => {
        open.delete(end)
        socket.destroy()
        beyond.destroy()
      })
    }
    socket.pipe(beyond)
    beyond.pipe(socket)
  })
  const cut = (): void => {
    for (const socket of open) socket.destroy()
  }
  return {
    env: { ...display, ...env },
    cut,
    close: () => {
      cut()
      server.close()
    },
  }
}
