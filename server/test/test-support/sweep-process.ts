import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { nodeEnv } from './node-env.ts'

const module = fileURLToPath(new URL('./sweep-child.ts', import.meta.url))

export interface SweepTask {
  readonly dataDir: string
  readonly databaseUrl: string | undefined
  readonly now: number
  readonly orgId: string
  readonly userId: string
  readonly maxObjects: number
  /** The step before which it is killed; one that it does not come to lets it through. */
  readonly stopAt: number
}

/** Sweeps in a process of its own that is killed by SIGKILL; whether it was, or came to its end before. */
export const killSweep = async (task: SweepTask): Promise<boolean> => {
  const child = fork(module, [], {
    execPath: process.execPath,
    execArgv: [],
    env: { ...nodeEnv(), SWEEP: JSON.stringify(task) },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  const said = Promise.withResolvers<boolean>()
  const gone = Promise.withResolvers<void>()
  child.once('message', ({ stopped }: { stopped: boolean }) => said.resolve(stopped))
  child.once('exit', (code) => {
    said.reject(new Error(`the sweep ended: ${code}`))
    gone.resolve()
  })
  const stopped = await said.promise
  child.kill('SIGKILL')
  await gone.promise
  return stopped
}
