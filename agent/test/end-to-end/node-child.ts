import { type ChildProcess, spawn } from 'node:child_process'
import { createWriteStream } from 'node:fs'
import { createInterface } from 'node:readline'

export interface NodeChildOptions {
  /** Path of the script; it runs on the Node of this process. */
  readonly script: string
  readonly args?: readonly string[]
  readonly env?: Readonly<Record<string, string | undefined>>
  readonly onLine?: (line: string) => void
  /** Everything it prints is appended there. */
  readonly logFile?: string
}

export interface Ending {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
}

const tailLines = 15

/** A child in a process group of its own, so that what it leaves behind when it is killed can be ended too. */
export class NodeChild {
  readonly ended: Promise<Ending>
  readonly #child: ChildProcess
  readonly #waiting = new Set<(line: string) => void>()
  readonly #tail: string[] = []

  constructor({ script, args = [], env = process.env, onLine, logFile }: NodeChildOptions) {
    const node = ['--disable-warning=ExperimentalWarning', script, ...args]
    this.#child = spawn(process.execPath, node, { env, stdio: ['ignore', 'pipe', 'pipe'], detached: true })
    const log = logFile === undefined ? undefined : createWriteStream(logFile, { flags: 'a', mode: 0o600 })
    const take = (line: string): void => {
      log?.write(`${line}\n`)
      this.#tail.push(line)
      if (this.#tail.length > tailLines) this.#tail.shift()
      onLine?.(line)
      for (const see of this.#waiting) see(line)
    }
    for (const stream of [this.#child.stdout, this.#child.stderr]) if (stream) createInterface(stream).on('line', take)
    this.ended = new Promise((resolve) => {
      this.#child.once('error', (error) => {
        take(error.message)
        resolve({ code: null, signal: null })
      })
      this.#child.once('exit', (code, signal) => {
        log?.end()
        resolve({ code, signal })
      })
    })
  }

  /** The last lines it printed. */
  get tail(): string {
    return this.#tail.join('\n')
  }

  /** Resolves with the first line from now on for which `fits` holds; throws when the child ends before it. */
  async line(what: string, fits: (line: string) => boolean): Promise<string> {
    const { promise, resolve } = Promise.withResolvers<string>()
    const see = (line: string): void => {
      if (fits(line)) resolve(line)
    }
    this.#waiting.add(see)
    const early = this.ended.then(({ code, signal }) => {
      throw new Error(`ended (${signal ?? code}) before ${what}:\n${this.tail}`)
    })
    try {
      return await Promise.race([promise, early])
    } finally {
      this.#waiting.delete(see)
    }
  }

  signal(signal: NodeJS.Signals): void {
    this.#child.kill(signal)
  }

  /** SIGKILL to the one process, as a crash is; resolves once it is gone. */
  async kill(): Promise<Ending> {
    this.#child.kill('SIGKILL')
    return this.ended
  }

  /** Asks it to end, then does not ask any more; also ends what it had started itself. */
  async stop(graceMs = 5000): Promise<void> {
    this.#child.kill('SIGTERM')
    const timer = setTimeout(() => this.#child.kill('SIGKILL'), graceMs)
    await this.ended
    clearTimeout(timer)
    this.endGroup()
  }

  /** Ends what the child has left behind. */
  endGroup(): void {
    const { pid } = this.#child
    if (pid === undefined) return
    try {
      process.kill(-pid, 'SIGKILL')
    } catch {
      // Nobody of the group is left.
    }
  }
}
