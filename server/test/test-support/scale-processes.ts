import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { nodeEnv } from './node-env.ts'
import { inTerminal } from './processes.ts'

/** The environment of a process whose clock is so many milliseconds ahead of this machine's (negative: behind). */
export const skewed = (ms: number): Record<string, string> => {
  const code = `globalThis.Date = class extends Date {
    constructor(...at) { super(...(at.length > 0 ? at : [Date.now()])) }
    static now() { return super.now() + ${ms} }
  }`
  return { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(code)}` }
}

const main = new URL('../../src/main.ts', import.meta.url)

export interface ServerProcess {
  readonly url: string
  readonly port: number
  readonly output: () => string
  /** Stops it where it is, whatever it is doing, until it is thawed. */
  freeze(): void
  thaw(): void
  end(signal: 'SIGTERM' | 'SIGKILL'): Promise<void>
}

/** A server as a process of its own, once it listens. */
export const startProcess = async (env: Readonly<Record<string, string>>, program = main): Promise<ServerProcess> => {
  const child: ChildProcess = spawn(process.execPath, [fileURLToPath(program)], {
    env: { ...nodeEnv(), PORT: '0', METRICS_PORT: '0', LOG_LEVEL: 'warn', WEBHOOK_ALLOW_PRIVATE: '1', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let text = ''
  const port = await new Promise<number>((resolve, reject) => {
    const look = (chunk: Buffer) => {
      text += chunk.toString()
      const found = /listens on http:\/\/[^:]+:(\d+)/.exec(text)?.[1]
      if (found !== undefined) resolve(Number(found))
    }
    child.stdout?.on('data', look)
    child.stderr?.on('data', look)
    child.once('exit', () => reject(new Error(`a server ended:\n${text}`)))
  })
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    output: () => text,
    freeze: () => void child.kill('SIGSTOP'),
    thaw: () => void child.kill('SIGCONT'),
    end: async (signal) => {
      if (child.exitCode !== null || child.signalCode !== null) return
      const ended = once(child, 'exit')
      child.kill(signal)
      await ended
    },
  }
}

/** The demo organisation of a first start. */
export interface Demo {
  readonly orgId: string
  readonly key: string
  readonly email: string
  readonly password: string
}

const shown = /organisation now \((\w+)\)[\s\S]*sandbox key +(\S+)\s+owner's login +(\S+)\s+password +(\S+)\n/

/** So many servers on one database and one folder, the first of which makes a demo organisation. */
export const startProcesses = async (
  count: number,
  env: Readonly<Record<string, string>>,
  program = main,
): Promise<{ processes: ServerProcess[] } & Demo> => {
  const first = await startProcess({ ...inTerminal, ...env }, program)
  let told: RegExpExecArray | null = null
  while (told === null) {
    told = shown.exec(first.output())
    if (told === null) await new Promise((resolve) => setImmediate(resolve))
  }
  const [, orgId = '', key = '', email = '', password = ''] = told
  const others = await Promise.all(Array.from({ length: count - 1 }, () => startProcess(env, program)))
  return { processes: [first, ...others], orgId, key, email, password }
}
