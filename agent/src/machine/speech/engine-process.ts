import { type ChildProcess, spawn } from 'node:child_process'
import { setPriority } from 'node:os'
import { createInterface } from 'node:readline'
import { bytesPerMs } from '../../core/capture/pcm.ts'
import type { Ending } from '../../core/transcript/types.ts'
import { childClosed, type Environment } from '../../shared/child-process.ts'

/** A process that reads raw sound on its standard input and says lines on its standard output. */
export interface EngineProcess {
  readonly pid: number | undefined
  /** False when it wants no more until `onRoom`. */
  write(pcm: Buffer): boolean
  /** Milliseconds of sound that have left this process. They may still wait in the pipe. */
  handedMs(): number
  end(): void
  kill(): void
  /** Resolves after its last line. */
  readonly ended: Promise<Ending>
}

export interface EngineListener {
  readonly onLine: (line: string) => void
  readonly onRoom: () => void
}

export interface EngineCommand extends EngineListener {
  readonly command: string
  readonly args: readonly string[]
  readonly env: Environment
}

/** Speech may wait a moment; the interview's own programs may not. A little: starved, it would never keep up. */
const niceness = 5
const lowerPriority = (pid: number | undefined): void => {
  try {
    if (pid !== undefined) setPriority(pid, niceness)
  } catch {
    // It is gone already; `ended` tells.
  }
}

const killGroup = (child: ChildProcess): void => {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return
  try {
    if (process.platform === 'win32') child.kill('SIGKILL')
    else process.kill(-child.pid, 'SIGKILL')
  } catch {
    // It has just gone by itself; `ended` tells.
  }
}

/** Starts an engine. Its standard error is not read: engines write the words they hear there. */
export const startEngineProcess = ({ command, args, env, onLine, onRoom }: EngineCommand): EngineProcess => {
  // A group of its own, so that helpers of an engine end with it.
  const child = spawn(command, args, { env, stdio: ['pipe', 'pipe', 'ignore'], detached: process.platform !== 'win32' })
  lowerPriority(child.pid)
  let written = 0
  let failure: string | undefined
  child.once('error', (error) => {
    failure = error.message
  })
  // A process that ended has closed its input; `ended` tells why.
  child.stdin.on('error', () => undefined)
  child.stdin.on('drain', onRoom)
  const lines = createInterface({ input: child.stdout })
  lines.on('line', onLine)
  const allRead = new Promise<void>((resolve) => {
    lines.once('close', () => resolve())
  })
  const ended = childClosed(child)
    .then(() => (child.pid === undefined ? undefined : allRead))
    .then(() => ({
      complete: child.exitCode === 0 && child.stdin.writableFinished,
      why: failure ?? child.signalCode ?? `exit code ${child.exitCode}`,
    }))
  return {
    pid: child.pid,
    write: (pcm) => {
      written += pcm.length
      return child.stdin.write(pcm)
    },
    handedMs: () => (written - child.stdin.writableLength) / bytesPerMs,
    end: () => void child.stdin.end(),
    kill: () => killGroup(child),
    ended,
  }
}
