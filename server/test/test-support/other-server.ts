import { type Client, createClient } from '@integrity/client/every-endpoint'
import { type Running, startServer as start } from '../../src/app/server.ts'
import type { Parts } from '../../src/kernel/parts.ts'
import type { TestServer } from './server.ts'

export interface OtherServer {
  readonly url: string
  readonly app: Parts
  client(token?: string): Client
  stop(): Promise<void>
}

/** One more server on the same database, with the same clock, as behind a balancer. */
export const startOther = async (server: TestServer): Promise<OtherServer> => {
  const { config, log } = server.app
  const overrides = { clock: server.clock, log, answerCheck: 'strict', sharesFolder: true } as const
  const running: Running = await start({ ...config, port: 0 }, { overrides, background: false })
  const { url } = running.listening
  return {
    url,
    app: running.built.app,
    client: (token) => createClient({ baseUrl: url, ...(token === undefined ? {} : { token }) }),
    stop: () => running.stop(),
  }
}
