import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import net from 'node:net'

/** Debian's, which `npm test` installs (scripts/system-packages.ts). */
export const hasRedis = spawnSync('redis-server', ['--version']).status === 0

export interface RedisServer {
  readonly url: string
  /** As a machine that is gone: nothing is said to anybody. */
  kill(): Promise<void>
  /** Empty, where the first one was. */
  startAgain(): Promise<void>
}

const freePort = async (): Promise<number> => {
  const probe = net.createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const { port } = probe.address() as net.AddressInfo
  probe.close()
  await once(probe, 'close')
  return port
}

/** A real Redis that writes nothing to a disk. */
export const startRedis = async (): Promise<RedisServer> => {
  const port = await freePort()
  let child: ChildProcess | undefined
  const start = async (): Promise<void> => {
    const settings = ['--bind', '127.0.0.1', '--port', `${port}`, '--save', '', '--appendonly', 'no']
    const started = spawn('redis-server', settings, { stdio: ['ignore', 'pipe', 'inherit'] })
    child = started
    await new Promise<void>((resolve, reject) => {
      started.on('error', reject).on('exit', () => reject(new Error('Redis ended')))
      started.stdout.on('data', (text: Buffer) => {
        if (text.includes('eady to accept connections')) resolve()
      })
    })
  }
  await start()
  return {
    url: `redis://127.0.0.1:${port}`,
    kill: async () => {
      if (!child || child.exitCode !== null || child.signalCode !== null) return
      const ended = once(child, 'exit')
      child.kill('SIGKILL')
      await ended
    },
    startAgain: start,
  }
}
