import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'
import { createInterface, type Interface } from 'node:readline'
import { stopChild } from '../../src/shared/child-process.ts'
import { type CommandName, commandChannel } from '../../src/shared/ipc/channels.ts'
import type { WindowState } from '../../src/shared/ipc/window-state.ts'

/** The packed application's main process, run by Node with the fake Electron. */
export class PackagedProcess {
  readonly #child: ChildProcess
  readonly #lines: AsyncIterator<string>
  readonly #reader: Interface
  errors = ''
  #turn: Promise<unknown> = Promise.resolve()

  constructor(appDir: string, userData: string, args: readonly string[] = []) {
    const script = join(import.meta.dirname, 'packaged-process.ts')
    const options = ['--disable-warning=ExperimentalWarning', script, appDir, userData, ...args]
    // No display and no sound: what is not there is a capability line, not an error.
    const env = { PATH: process.env['PATH'], HOME: userData }
    this.#child = spawn(process.execPath, options, { env, stdio: ['pipe', 'pipe', 'pipe'] })
    this.#child.stderr?.on('data', (chunk: Buffer) => {
      this.errors += chunk.toString()
    })
    this.#reader = createInterface({ input: this.#child.stdout! })
    this.#lines = this.#reader[Symbol.asyncIterator]()
  }

  async line(): Promise<Record<string, unknown>> {
    const { value, done } = await this.#lines.next()
    if (done) throw new Error(`it ended: ${this.errors}`)
    return JSON.parse(value as string) as Record<string, unknown>
  }

  /** One question after the other: answers come in the order of the questions. */
  ask(action: string, input?: unknown): Promise<unknown> {
    const turn = this.#turn.then(() => this.#askNow(action, input))
    this.#turn = turn.catch(() => undefined)
    return turn
  }

  async #askNow(action: string, input: unknown): Promise<unknown> {
    this.#child.stdin?.write(`${JSON.stringify([action, input ?? null])}\n`)
    const answer = await this.line()
    if (answer['error'] !== undefined) throw new Error(JSON.stringify(answer['error']))
    return answer['value']
  }

  command(name: CommandName, input: unknown = {}): Promise<unknown> {
    return this.ask('invoke', { channel: commandChannel(name), input })
  }

  state(): Promise<WindowState> {
    return this.command('state.read') as Promise<WindowState>
  }

  async stop(): Promise<void> {
    this.#reader.close()
    await stopChild(this.#child)
  }
}
