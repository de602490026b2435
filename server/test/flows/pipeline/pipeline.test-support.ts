import { afterEach } from 'vitest'
import { type ServerOptions, startServer, type TestServer } from '../../test-support/server.ts'

/** Servers of single tests, stopped after each. */
export const useServers = (): ((options?: ServerOptions) => Promise<TestServer>) => {
  const running: TestServer[] = []
  afterEach(async () => {
    for (const server of running.splice(0)) await server.stop()
  })
  return async (options = {}) => {
    const server = await startServer(options)
    running.push(server)
    return server
  }
}

export const bearer = (token: string) => ({ authorization: `Bearer ${token}` })
