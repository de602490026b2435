import { createRequire } from 'node:module'
import type { Log } from '../log/log.ts'

const require = createRequire(import.meta.url)

const patienceMs = 1000
const lastRetryMs = 1000

/** What the service asks of Redis. Everything rejects at once while it cannot be reached. */
export interface Redis {
  /** Runs a script, whose answer is a list of texts. */
  run(script: string, keys: readonly string[], values: readonly string[]): Promise<string[]>
  /** Keeps a text for so long. */
  keep(key: string, text: string, ms: number): Promise<void>
  get(key: string): Promise<string | undefined>
  forget(key: string): Promise<void>
  close(): void
}

const connectTo = (url: string) => {
  // Hundreds of modules, which a service without Redis does not wait for at its start.
  const { createClient } = require('@redis/client') as typeof import('@redis/client')
  return createClient({
    url,
    // What cannot be sent now is not worth sending later: the counts of a minute, a still of five seconds.
    disableOfflineQueue: true,
    socket: { connectTimeout: patienceMs, reconnectStrategy: (tries) => Math.min(50 * 2 ** tries, lastRetryMs) },
    commandOptions: { timeout: patienceMs },
    pingInterval: 5_000,
  })
}

/**
 * One connection, made again whenever it breaks. `prefix` goes before every key, so that several services can share a server.
 */
export const openRedis = (url: string, prefix: string, log: Pick<Log, 'warn'>): Redis => {
  const client = connectTo(url)
  let told = false
  client.on('error', (error: unknown) => {
    if (!told) log.warn({ err: error }, 'Redis cannot be reached')
    told = true
  })
  client.on('ready', () => {
    told = false
  })
  // It goes on trying by itself.
  client.connect().catch(() => undefined)
  return {
    run: async (script, keys, values) => {
      const options = { keys: keys.map((key) => prefix + key), arguments: [...values] }
      return (await client.eval(script, options)) as unknown as string[]
    },
    keep: async (key, text, ms) => {
      await client.set(prefix + key, text, { expiration: { type: 'PX', value: ms } })
    },
    get: async (key) => (await client.get(prefix + key)) ?? undefined,
    forget: async (key) => {
      await client.del(prefix + key)
    },
    close: () => client.destroy(),
  }
}
