import { createRequire } from 'node:module'
import type { RedisClientType } from '@redis/client'
import type { Log } from '../log/log.ts'

const require = createRequire(import.meta.url)

const patienceMs = 1000
const lastRetryMs = 1000

/** What the service asks of Redis. Everything rejects at once while it cannot be reached. */
export interface Redis {
  /** Whether keys lie on several nodes, so that one script may touch those of one hash tag alone. */
  readonly isCluster: boolean
  /** Runs a script, whose answer is a list of texts. */
  run(script: string, keys: readonly string[], values: readonly string[]): Promise<string[]>
  /** Keeps a text for so long. */
  keep(key: string, text: string, ms: number): Promise<void>
  get(key: string): Promise<string | undefined>
  forget(key: string): Promise<void>
  close(): void
}

/** Where Redis is. */
export interface RedisAddress {
  /** Of a cluster perhaps several of its nodes, separated by commas; the others are found by them. */
  readonly url: string
  readonly isCluster?: boolean
}

const connectTo = ({ url, isCluster }: RedisAddress) => {
  // Hundreds of modules, which a service without Redis does not wait for at its start.
  const { createClient, createCluster } = require('@redis/client') as typeof import('@redis/client')
  const options = {
    // What cannot be sent now is not worth sending later: the counts of a minute, a still of five seconds.
    disableOfflineQueue: true,
    socket: {
      connectTimeout: patienceMs,
      reconnectStrategy: (tries: number) => Math.min(50 * 2 ** tries, lastRetryMs),
    },
    pingInterval: 5_000,
  } as const
  const commandOptions = { timeout: patienceMs }
  if (!isCluster) return createClient({ url, ...options, commandOptions })
  const nodes = url.split(',')
  const { username, password, protocol } = new URL(nodes[0]!)
  // Nodes that are found by others know nothing of an address.
  const defaults = {
    ...options,
    ...(username && { username: decodeURIComponent(username) }),
    ...(password && { password: decodeURIComponent(password) }),
    socket: { ...options.socket, ...(protocol === 'rediss:' && { tls: true as const }) },
  }
  return createCluster({ rootNodes: nodes.map((node) => ({ url: node })), defaults, commandOptions })
}

/**
 * One connection, made again whenever it breaks. `prefix` goes before every key, so that several services can share a server.
 */
export const openRedis = (address: RedisAddress, prefix: string, log: Pick<Log, 'warn'>): Redis => {
  const isCluster = address.isCluster === true
  const client = connectTo(address) as RedisClientType
  let told = false
  const tell = (error: unknown): void => {
    if (!told) log.warn({ err: error }, 'Redis cannot be reached')
    told = true
  }
  const isBack = (): void => {
    told = false
  }
  client.on('error', tell).on('ready', isBack)
  // Of a cluster each node says it for itself.
  client.on('node-error', tell).on('node-ready', isBack)
  // It goes on trying by itself.
  client.connect().catch(() => undefined)
  return {
    isCluster,
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
