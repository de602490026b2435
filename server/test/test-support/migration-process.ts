import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { Limits } from '../../src/kernel/config.ts'
import { nodeEnv } from './node-env.ts'

const module = fileURLToPath(new URL('./migration-child.ts', import.meta.url))

export interface MigrationTask {
  readonly dataDir: string
  readonly databaseUrl: string | undefined
  /** On Postgres processes count together. */
  readonly limits: Limits
  readonly now: number
  /** The step before which it stops: what it asks of a place has one before it and one behind it. */
  readonly stopAt: number
}

export interface MigratingServer {
  readonly url: string
  /** Resolves when it has come to its step, and stands still. */
  readonly stopped: Promise<void>
  /** By SIGKILL; resolves when the process is gone. */
  kill(): Promise<void>
}

/** One more server on the same database and folder, which migrates no further than to one of its steps. */
export const startMigrating = async (task: MigrationTask): Promise<MigratingServer> => {
  const child = fork(module, [], {
    execPath: process.execPath,
    execArgv: [],
    env: { ...nodeEnv(), MIGRATION: JSON.stringify(task) },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  const listening = Promise.withResolvers<string>()
  const stopped = Promise.withResolvers<void>()
  const gone = Promise.withResolvers<void>()
  stopped.promise.catch(() => undefined)
  child.on('message', (said: { url?: string; stopped?: boolean }) => {
    if (said.url !== undefined) listening.resolve(said.url)
    if (said.stopped) stopped.resolve()
  })
  child.once('exit', (code) => {
    const early = new Error(`the server ended: ${code}`)
    listening.reject(early)
    stopped.reject(early)
    gone.resolve()
  })
  return {
    url: await listening.promise,
    stopped: stopped.promise,
    kill: () => {
      child.kill('SIGKILL')
      return gone.promise
    },
  }
}
