import { type ChildProcess, spawn } from 'node:child_process'
import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'

export type Environment = Record<string, string | undefined>
export interface CommandResult {
  code: number | null
  stdout: Buffer
  stderr: string
}
export interface CommandOptions {
  env?: Environment
  input?: Buffer
  /** The child is killed after this long; default 10 s. */
  timeoutMs?: number
}

/** The full path of a program on PATH, or undefined. */
export const findProgram = (name: string, env: Environment = process.env): string | undefined => {
  const names = process.platform === 'win32' ? [`${name}.exe`, name] : [name]
  for (const folder of (env['PATH'] ?? '').split(delimiter)) {
    for (const candidate of names) {
      const path = join(folder, candidate)
      try {
        accessSync(path, constants.X_OK)
        return path
      } catch {
        // not in this folder
      }
    }
  }
  return undefined
}

/**
 * Runs a program to its end and gives its whole output; for short-lived commands with small answers.
 * Rejects when the program cannot be started; a non-zero exit is an answer, not an error.
 */
export const runCommand = (command: string, args: string[], options: CommandOptions = {}): Promise<CommandResult> =>
  new Promise((resolve, reject) => {
    const child = spawn(command, args, { env: options.env ?? process.env, stdio: 'pipe' })
    const timer = setTimeout(() => child.kill('SIGKILL'), options.timeoutMs ?? 10_000)
    const out: Buffer[] = []
    const err: Buffer[] = []
    child.stdout.on('data', (bytes: Buffer) => out.push(bytes))
    child.stderr.on('data', (bytes: Buffer) => err.push(bytes))
    child.once('error', (error) => {
      clearTimeout(timer)
      reject(error)
    })
    child.once('close', (code) => {
      clearTimeout(timer)
      resolve({ code, stdout: Buffer.concat(out), stderr: Buffer.concat(err).toString() })
    })
    // A program that exits early closes its input; its exit code tells the story.
    child.stdin.on('error', () => undefined)
    child.stdin.end(options.input)
  })

/** The answer of a text command, or undefined when it is missing, fails, or takes too long. */
export const commandText = async (
  command: string,
  args: string[],
  options: CommandOptions = {},
): Promise<string | undefined> => {
  try {
    const { code, stdout } = await runCommand(command, args, options)
    return code === 0 ? stdout.toString() : undefined
  } catch {
    return undefined
  }
}

/** Resolves when the child has ended and its pipes are closed (or it never started). */
export const childClosed = (child: ChildProcess): Promise<void> =>
  new Promise((resolve) => {
    child.once('close', () => resolve())
    child.once('error', () => resolve())
    if (child.pid === undefined) resolve()
  })

const hasEnded = (child: ChildProcess): boolean =>
  child.pid === undefined || child.exitCode !== null || child.signalCode !== null

/** Asks a child to end (`signal`), then kills it after `graceMs`. Resolves once it is gone. */
export const stopChild = async (
  child: ChildProcess,
  { signal = 'SIGTERM', graceMs = 3000 }: { signal?: NodeJS.Signals; graceMs?: number } = {},
): Promise<void> => {
  if (hasEnded(child)) return
  const ended = new Promise<void>((resolve) => {
    child.once('exit', () => resolve())
  })
  child.kill(signal)
  const timer = setTimeout(() => child.kill('SIGKILL'), graceMs)
  await ended
  clearTimeout(timer)
}
