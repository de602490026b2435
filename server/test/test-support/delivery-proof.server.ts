import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { Hello, Settings, Task } from './delivery-proof.messages.ts'
import { nodeEnv } from './node-env.ts'

const module = fileURLToPath(new URL('./delivery-proof-child.ts', import.meta.url))

/** The process was killed before it answered. */
export class Killed extends Error {
  override readonly name = 'Killed'
}

export interface KillableServer {
  readonly hello: Hello
  /** Rejects with Killed when the process ends first. */
  ask<T>(task: Task): Promise<T>
  /** SIGKILL: no handler runs, nothing is flushed. Resolves when the process is gone. */
  kill(): Promise<void>
}

/** A whole server in a process of its own. */
export const startKillable = async (settings: Settings): Promise<KillableServer> => {
  const child: ChildProcess = fork(module, [], {
    execPath: process.execPath,
    execArgv: [],
    env: { ...nodeEnv(), PROOF: JSON.stringify(settings) },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  const waiting = new Map<number, { resolve: (value: unknown) => void; reject: (error: unknown) => void }>()
  const greeting = Promise.withResolvers<Hello>()
  const gone = Promise.withResolvers<void>()
  child.once('exit', (code, signal) => {
    const error =
      signal === 'SIGKILL' ? new Killed('the server was killed') : new Error(`the server ended: ${code ?? signal}`)
    greeting.reject(error)
    for (const { reject } of waiting.values()) reject(error)
    waiting.clear()
    gone.resolve()
  })
  child.on('message', (message: Hello | { id: number; value?: unknown; error?: string }) => {
    if ('url' in message) {
      greeting.resolve(message)
      return
    }
    const asked = waiting.get(message.id)
    waiting.delete(message.id)
    if (message.error === undefined) asked?.resolve(message.value)
    else asked?.reject(new Error(message.error))
  })
  const hello = await greeting.promise
  let count = 0
  return {
    hello,
    ask: <T>(task: Task) =>
      new Promise<T>((resolve, reject) => {
        if (child.exitCode !== null || child.signalCode !== null) {
          reject(new Killed('the server has ended'))
          return
        }
        count += 1
        waiting.set(count, { resolve: resolve as (value: unknown) => void, reject })
        // A message to a process that was killed just now goes nowhere; its exit is what rejects.
        child.send({ id: count, task }, () => undefined)
      }),
    async kill() {
      child.kill('SIGKILL')
      await gone.promise
    },
  }
}
