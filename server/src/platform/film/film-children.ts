import { type ChildProcess, type StdioOptions, spawn } from 'node:child_process'
import { setPriority } from 'node:os'
import type { Readable, Writable } from 'node:stream'
import { childEnvironment } from '../child-environment.ts'
import type { FfmpegProgram } from './film.types.ts'

const stderrTail = 2048
/** A film can wait for a request, but not forever: about a third of the processor where both want it. */
export const filmNiceness = 5

export interface ChildEnd {
  /** The exit code; null when it was killed or never started. */
  readonly code: number | null
  /** The last 2 KB of what it said. */
  readonly stderr: string
  /**
   * It was ended before it was done, and not for anything that it did: the system was short of memory, somebody stopped it,
   * its input did not come. That says nothing of what it decoded.
   */
  readonly wasKilled: boolean
}
export interface FilmChild {
  readonly pid: number | undefined
  /** The child's descriptors; in `pipes[0]` and `pipes[1]` its standard input and output. */
  readonly pipes: readonly (Readable | Writable | null | undefined)[]
  /** The last 2 KB of what it has said so far. */
  said(): string
  /** Settles once the process is gone; never rejects. */
  readonly ended: Promise<ChildEnd>
  /** Nobody wants more of it. */
  kill(): void
  /** It is not waited for any longer. */
  giveUp(): void
}

/** Ends that somebody else brings about; a program that goes wrong ends by others, and one that takes too long by SIGXCPU. */
const fromOutside = new Set<NodeJS.Signals | null>(['SIGKILL', 'SIGTERM', 'SIGINT', 'SIGHUP'])

const yieldToTheServer = (pid: number): void => {
  try {
    setPriority(pid, filmNiceness)
  } catch {
    // It may be gone already, or the system does not allow it: then it runs like any other.
  }
}

const watch = (child: ChildProcess): FilmChild => {
  let stderr = ''
  let isUnwanted = false
  child.stderr?.on('data', (bytes: Buffer) => {
    stderr = (stderr + bytes.toString('utf8')).slice(-stderrTail)
  })
  const ended = new Promise<ChildEnd>((resolve) => {
    child.once('error', (error) => {
      if (child.pid === undefined) resolve({ code: null, stderr: error.message, wasKilled: false })
    })
    child.once('exit', (code, signal) => {
      const wasKilled = !isUnwanted && fromOutside.has(signal)
      const settle = () => resolve({ code, stderr, wasKilled })
      if (!child.stderr || child.stderr.closed) settle()
      else child.stderr.once('close', settle)
    })
  })
  const pipes = child.stdio
  // A child that ends early closes its pipes; how it ended tells the story.
  for (const pipe of pipes) pipe?.on('error', () => undefined)
  const giveUp = () => {
    child.kill('SIGKILL')
    // What it said last is still to be read; that pipe closes with the process.
    for (const pipe of pipes) if (pipe !== child.stderr) pipe?.destroy()
  }
  const kill = () => {
    isUnwanted = true
    giveUp()
  }
  return { pid: child.pid, pipes, said: () => stderr, ended, kill, giveUp }
}

export interface ChildLimits {
  /** Of the processor, after which it is killed. */
  readonly cpuSeconds: number
  /** Of address space; memory beyond it is refused. */
  readonly memoryMiB: number
}

interface StartOptions {
  /** Descriptors from 3 on. */
  readonly extraPipes?: number
  readonly limits?: ChildLimits
}

/**
 * A shell sets the limits and becomes the program. Where the system knows no such limit, the program runs without it. The
 * hard limit of the processor lies above the soft one, so that a program ends by a signal of its own when it takes too long.
 */
const limited = (path: string, args: readonly string[], limits: ChildLimits | undefined): [string, string[]] => {
  if (!limits || process.platform === 'win32') return [path, [...args]]
  const { cpuSeconds } = limits
  const processor = `ulimit -H -t ${cpuSeconds + 5} 2>/dev/null; ulimit -S -t ${cpuSeconds} 2>/dev/null`
  const set = `${processor}; ulimit -v ${limits.memoryMiB * 1024} 2>/dev/null`
  return ['/bin/sh', ['-c', `${set}; exec "$0" "$@"`, path, ...args]]
}

/** Every ffmpeg of one film, so that none outlives it. */
export class FilmChildren {
  readonly #ffmpeg: FfmpegProgram
  readonly #running = new Set<FilmChild>()
  #stopped = false

  constructor(ffmpeg: FfmpegProgram) {
    this.#ffmpeg = ffmpeg
  }

  /** Starts ffmpeg. Throws after `stop`. */
  start(args: readonly string[], { extraPipes = 0, limits }: StartOptions = {}): FilmChild {
    if (this.#stopped) throw new Error('the film is over')
    const stdio: StdioOptions = Array.from({ length: 3 + extraPipes }, () => 'pipe' as const)
    const always = ['-hide_banner', '-nostdin', '-loglevel', 'error']
    const [program, all] = limited(this.#ffmpeg.path, [...always, ...args], limits)
    const process = spawn(program, all, {
      stdio,
      env: childEnvironment(),
      windowsHide: true,
    })
    if (process.pid !== undefined) yieldToTheServer(process.pid)
    const child = watch(process)
    this.#running.add(child)
    void child.ended.then(() => this.#running.delete(child))
    return child
  }

  /** Kills what still runs and waits until it is gone. */
  async stop(): Promise<void> {
    this.#stopped = true
    const running = [...this.#running]
    for (const child of running) child.kill()
    await Promise.all(running.map((child) => child.ended))
  }
}
