import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach } from 'vitest'
import { nodeEnv } from './node-env.ts'

const script = (name: string) => fileURLToPath(new URL(`../../src/${name}`, import.meta.url))

/** As if a person sat before it: a first start makes a demo organisation and prints its keys. */
export const inTerminal = { NODE_OPTIONS: '--import=data:text/javascript,process.stdout.isTTY=true' }

export interface Child {
  readonly process: ChildProcess
  /** All that it has printed, on both outputs. */
  output(): string
  /** What it has printed on standard output alone. */
  stdout(): string
  /** Resolves with the first match in what it prints; rejects when it ends before. */
  printed(pattern: RegExp): Promise<string>
  readonly ended: Promise<number | null>
}

const watch = (child: ChildProcess): Child => {
  let text = ''
  let out = ''
  const watchers = new Set<() => void>()
  const add = (chunk: string): void => {
    text += chunk
    for (const watcher of watchers) watcher()
  }
  child.stdout?.setEncoding('utf8').on('data', (chunk: string) => {
    out += chunk
    add(chunk)
  })
  child.stderr?.setEncoding('utf8').on('data', add)
  const ended = new Promise<number | null>((resolve) => child.once('close', (code) => resolve(code)))
  const printed = (pattern: RegExp) =>
    new Promise<string>((resolve, reject) => {
      const look = () => {
        const match = pattern.exec(text)
        if (match) resolve(match[1] ?? match[0])
      }
      watchers.add(look)
      look()
      void ended.then(() => reject(new Error(`it ended without ${pattern}:\n${text}`)))
    })
  return { process: child, output: () => text, stdout: () => out, printed, ended }
}

/** The server's programs as processes of their own, on a data folder that each test gets again; none outlives its test. */
export const useProcesses = () => {
  let dataDir = ''
  const children: Child[] = []
  beforeEach(async () => {
    dataDir = await mkdtemp(path.join(os.tmpdir(), 'integrity-process-'))
  })
  afterEach(async () => {
    for (const child of children.splice(0)) {
      if (child.process.exitCode === null && child.process.signalCode === null) child.process.kill('SIGKILL')
      await child.ended
    }
    await rm(dataDir, { recursive: true, force: true })
  })
  const run = (name: string, args: readonly string[] = [], env: Record<string, string> = {}): Child => {
    const started = watch(
      spawn(process.execPath, [script(name), ...args], {
        env: { ...nodeEnv(), DATA_DIR: dataDir, PORT: '0', LOG_LEVEL: 'info', ...env },
        stdio: ['ignore', 'pipe', 'pipe'],
      }),
    )
    children.push(started)
    return started
  }
  return {
    run,
    start: async (env: Record<string, string> = inTerminal) => {
      const child = run('main.ts', [], env)
      return { child, url: await child.printed(/listens on (http:\/\/\S+)/) }
    },
    /** A place in the test's folder. */
    at: (name: string) => path.join(dataDir, name),
  }
}
