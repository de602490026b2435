import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, it } from 'vitest'
import { startTcpProxy } from './tcp-proxy.ts'

const withServer = async (work: (port: number) => Promise<void>): Promise<void> => {
  const server = createServer((request, response) => {
    // A request to /hang is never answered: it is under way when the network goes.
    if (request.url !== '/hang') response.end('here')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  try {
    await work((server.address() as AddressInfo).port)
  } finally {
    server.closeAllConnections()
    server.close()
  }
}

describe('the network between agent and server', () => {
  it('carries requests, refuses them while it is cut, and carries them again', () =>
    withServer(async (port) => {
      let sent = 0
      const proxy = await startTcpProxy(port, {
        sent: (bytes) => {
          sent += bytes.length
        },
      })
      try {
        expect(await (await fetch(proxy.url)).text()).toBe('here')
        expect(sent).toBeGreaterThan(0)
        await proxy.cut()
        await expect(fetch(proxy.url)).rejects.toThrow()
        await proxy.restore()
        expect(await (await fetch(proxy.url)).text()).toBe('here')
      } finally {
        await proxy.close()
      }
    }))

  it('drops what is under way when it is cut', () =>
    withServer(async (port) => {
      const arrived = Promise.withResolvers<void>()
      const proxy = await startTcpProxy(port, { sent: () => arrived.resolve() })
      const hanging = fetch(`${proxy.url}/hang`).then(
        () => 'answered',
        () => 'dropped',
      )
      await arrived.promise
      await proxy.cut()
      expect(await hanging).toBe('dropped')
    }))
})
