import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { freePort, opened } from './ports.ts'
import { hasRedis } from './redis.ts'
import { until } from './until.ts'

/** Debian's, with the program that joins the nodes. */
export const hasRedisCluster = hasRedis && spawnSync('redis-cli', ['--version']).status === 0

export interface RedisCluster {
  /** Of each node. */
  readonly urls: readonly string[]
  /** Every key, and where it lies, by each node's own words. */
  keys(): { readonly key: string; readonly slot: number }[]
  stop(): Promise<void>
}

/** Keys of a cluster are asked of a node as it is, so that nobody is sent on to another. */
const cli = (port: number, ...words: string[]): string =>
  execFileSync('redis-cli', ['-h', '127.0.0.1', '-p', String(port), ...words], { encoding: 'utf8' }).trim()

/** A node listens at a second port, above its own by 10,000. */
const nodePort = async (): Promise<number> => {
  for (;;) {
    const port = await freePort()
    if (port + 10_000 <= 65_535) return port
  }
}

/** A real cluster of three nodes that write nothing to a disk but who they are. */
export const startRedisCluster = async (): Promise<RedisCluster> => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'integrity-redis-'))
  const ports: number[] = []
  const children: ChildProcess[] = []
  for (let n = 0; n < 3; n += 1) {
    const port = await nodePort()
    ports.push(port)
    const own = ['--cluster-enabled', 'yes', '--cluster-config-file', path.join(folder, `${port}.conf`)]
    const settings = ['--bind', '127.0.0.1', '--port', `${port}`, '--save', '', '--appendonly', 'no', ...own]
    children.push(spawn('redis-server', settings, { cwd: folder, stdio: 'ignore' }))
    await opened(port)
  }
  const nodes = ports.map((port) => `127.0.0.1:${port}`)
  cli(ports[0]!, '--cluster', 'create', ...nodes, '--cluster-yes')
  const isWhole = () => ports.every((port) => cli(port, 'cluster', 'info').includes('cluster_state:ok'))
  // Nodes tell each other; each look starts a program, which is pause enough.
  await until(isWhole)
  return {
    urls: nodes.map((node) => `redis://${node}`),
    keys: () =>
      ports.flatMap((port) =>
        cli(port, 'keys', '*')
          .split('\n')
          .filter((key) => key !== '')
          .map((key) => ({ key, slot: Number(cli(port, 'cluster', 'keyslot', key)) })),
      ),
    stop: async () => {
      for (const child of children) {
        const ended = once(child, 'exit')
        child.kill('SIGKILL')
        await ended
      }
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
