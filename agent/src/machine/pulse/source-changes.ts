import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { type Environment, stopChild } from '../../shared/child-process.ts'

/** `Event 'change' on source-output #12`; not those of clients, which our own questions cause. */
const ABOUT_SOURCES = /^Event '(?:change|remove)' on source(?:-output)? #/

export type SourceChanges = {
  /** Whether changes are being told; false once the sound server or `pactl` is gone. */
  alive(): boolean
  /** A signal that aborts at the next change of a source or of who records it. */
  next(): AbortSignal
  stop(): Promise<void>
}

/** Listens to the sound server (`pactl subscribe`), so that a recorder put on another source is noticed at once. */
export const watchSourceChanges = (env: Environment = process.env): SourceChanges => {
  // In the C locale: the words of an event are translated.
  const child = spawn('pactl', ['subscribe'], { env: { ...env, LC_ALL: 'C' }, stdio: ['ignore', 'pipe', 'ignore'] })
  let running = true
  let change = new AbortController()
  const over = (): void => {
    running = false
  }
  child.once('error', over)
  child.once('exit', over)
  createInterface({ input: child.stdout }).on('line', (line) => {
    if (ABOUT_SOURCES.test(line)) change.abort()
  })
  return {
    alive: () => running,
    next: () => {
      if (change.signal.aborted) change = new AbortController()
      return change.signal
    },
    stop: () => stopChild(child),
  }
}
