import { type ChildProcess, spawn } from 'node:child_process'
import type { Readable } from 'node:stream'
import { DriverError } from '../../core/capture/types.ts'
import { type Environment, stopChild } from '../../shared/child-process.ts'
import { findFfmpeg } from './ffmpeg.ts'

const stopGraceMs = 3000
const stderrTail = 500

export interface FfmpegProcess {
  child: ChildProcess
  stdout: Readable
  /** File descriptor 3, for a second output (`pipe:3`). */
  second: Readable | undefined
  /** Resolves when the process is gone and its pipes are read to their end. */
  closed: Promise<void>
  /** Why it ended, in its own words. */
  ending(): string
  /** Asks it to finish its files (`q`), then kills it. */
  finish(): Promise<void>
}

/** Starts a long-running ffmpeg whose outputs are pipes. Throws DriverError when there is no ffmpeg. */
export const startFfmpeg = (args: string[], env: Environment, { second = false } = {}): FfmpegProcess => {
  const path = findFfmpeg(env)
  if (!path) throw new DriverError('not_observable', 'ffmpeg was not found')
  const stdio: Array<'pipe'> = second ? ['pipe', 'pipe', 'pipe', 'pipe'] : ['pipe', 'pipe', 'pipe']
  const child = spawn(path, ['-hide_banner', '-loglevel', 'error', ...args], { env, stdio })
  let tail = ''
  let failure: string | undefined
  child.stderr?.on('data', (bytes: Buffer) => {
    tail = (tail + bytes.toString()).slice(-stderrTail)
  })
  child.stdin?.on('error', () => undefined)
  const closed = new Promise<void>((resolve) => {
    child.once('close', () => resolve())
    child.once('error', (error) => {
      failure = error.message
      resolve()
    })
  })
  return {
    child,
    stdout: child.stdout!,
    second: second ? (child.stdio[3] as Readable) : undefined,
    closed,
    ending: () => failure ?? `ffmpeg ended (${child.exitCode ?? child.signalCode}) ${tail.trim()}`,
    finish: async () => {
      child.stdin?.write('q')
      const timer = setTimeout(() => void stopChild(child, { signal: 'SIGTERM', graceMs: 1000 }), stopGraceMs)
      await closed
      clearTimeout(timer)
    },
  }
}

/** Resolves when the process ends by itself or `signal` aborts, whichever is first. */
export const endedOrAborted = async (process: FfmpegProcess, signal: AbortSignal): Promise<void> => {
  if (signal.aborted) return
  const aborted = new Promise<void>((resolve) => {
    signal.addEventListener('abort', () => resolve(), { once: true })
  })
  await Promise.race([process.closed, aborted])
}

/** Encoder and container options of a clip that is readable up to its last fragment, whenever the process dies. */
export const clipOutput = (framesPerSecond: number): string[] => [
  ...['-c:v', 'libx264', '-preset', 'veryfast', '-tune', 'zerolatency', '-crf', '28', '-pix_fmt', 'yuv420p'],
  ...['-r', String(framesPerSecond), '-g', String(framesPerSecond), '-keyint_min', String(framesPerSecond)],
  ...['-sc_threshold', '0', '-threads', '1', '-flush_packets', '1'],
  ...['-movflags', 'frag_keyframe+empty_moov+default_base_moof', '-f', 'mp4'],
]
