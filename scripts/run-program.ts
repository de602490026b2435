import { spawn } from 'node:child_process'
import { setPriority } from 'node:os'
import { createInterface } from 'node:readline'

/** How a program ended, and what it wrote when that was gathered. `code` is null when a signal ended it. */
export interface Ended {
  code: number | null
  signal: NodeJS.Signals | null
  output: string
}

export interface RunOptions {
  cwd?: string
  env?: NodeJS.ProcessEnv
  /**
   * `gather` keeps stdout and stderr together, `show` passes them through, `stderr` shows both there and keeps them too.
   * `lines` shows them line by line, for programs that run side by side: to each its output is no terminal.
   */
  output?: 'gather' | 'show' | 'stderr' | 'lines'
  /**
   * Unix niceness, -20 to 19: the higher, the more it lets others go first. Its own children have it as well. Only root may
   * go below 0; for anybody else that is 0.
   */
  niceness?: number
}

const isRoot = process.getuid?.() === 0
const stopSignals: NodeJS.Signals[] = ['SIGINT', 'SIGTERM', 'SIGHUP']

/** What a command that was told to stop ends with. It has no stack: nothing went wrong. */
class Stopped extends Error {
  constructor(signal: NodeJS.Signals) {
    super(`Stopped by ${signal}.`)
    this.stack = this.message
  }
}

/**
 * Runs a program to its end, passing on the signals that this process gets, so that none is left behind.
 * @throws when the program cannot be started at all, and after a signal was passed on: what would come next does not begin
 */
export const runProgram = (program: string, args: string[], options: RunOptions = {}): Promise<Ended> => {
  const { cwd, env, output = 'gather', niceness } = options
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { cwd, env, stdio: ['ignore', ...(output === 'show' ? shown : gathered)] })
    if (niceness !== undefined && child.pid !== undefined)
      setPriority(child.pid, isRoot ? niceness : Math.max(0, niceness))
    let text = ''
    const keep = (chunk: Buffer) => {
      text += chunk.toString()
      if (output === 'stderr') process.stderr.write(chunk)
    }
    for (const [from, to] of [
      [child.stdout, process.stdout],
      [child.stderr, process.stderr],
    ] as const)
      if (from && output === 'lines') createInterface(from).on('line', (line) => to.write(`${line}\n`))
      else from?.on('data', keep)
    let passedOn: NodeJS.Signals | undefined
    const passOn = (signal: NodeJS.Signals) => {
      passedOn = signal
      child.kill(signal)
    }
    for (const signal of stopSignals) process.on(signal, passOn)
    const release = () => {
      for (const signal of stopSignals) process.removeListener(signal, passOn)
    }
    child.once('error', (problem) => {
      release()
      reject(problem)
    })
    child.once('close', (code, signal) => {
      release()
      if (passedOn !== undefined) return reject(new Stopped(passedOn))
      resolve({ code, signal, output: text })
    })
  })
}

const shown = ['inherit', 'inherit'] as const
const gathered = ['pipe', 'pipe'] as const
