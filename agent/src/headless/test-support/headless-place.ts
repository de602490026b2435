import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { setImmediate as turn } from 'node:timers/promises'
import { ScriptedCapture, ScriptedObservers } from '../../core/session/test-support/scripted-capture.ts'
import { SessionService } from '../../core/session/test-support/session-service.ts'
import { ScriptedServer } from '../../core/upload/test-support/scripted-server.ts'
import { ManualClock } from '../../shared/test-support/manual-clock.ts'
import { runHeadless } from '../run-headless.ts'

/** Where the agent is run: its folder, its clock, and the service that it talks to. */
export class HeadlessPlace {
  readonly dir: string
  readonly clock: ManualClock
  readonly service: SessionService
  readonly server: ScriptedServer
  readonly baseUrl: string
  readonly #agents: HeadlessAgent[] = []

  private constructor(parts: Pick<HeadlessPlace, 'dir' | 'clock' | 'service' | 'server' | 'baseUrl'>) {
    this.dir = parts.dir
    this.clock = parts.clock
    this.service = parts.service
    this.server = parts.server
    this.baseUrl = parts.baseUrl
  }

  static async open(): Promise<HeadlessPlace> {
    const dir = await mkdtemp(join(tmpdir(), 'headless-'))
    const clock = new ManualClock()
    const service = new SessionService(() => clock.wallMs())
    const server = new ScriptedServer(service.handle)
    return new HeadlessPlace({ dir, clock, service, server, baseUrl: await server.listen() })
  }

  async close(): Promise<void> {
    for (const agent of this.#agents) await agent.leave()
    await this.server.close()
    await rm(this.dir, { recursive: true, force: true })
  }

  run(...args: string[]): HeadlessAgent {
    const agent = new HeadlessAgent(this, args)
    this.#agents.push(agent)
    return agent
  }

  joinArgs(): string[] {
    return ['--server', this.baseUrl, '--join', 'k7qf-2m9x']
  }

  /** A run that has agreed to everything and records. */
  async recording(...more: string[]): Promise<HeadlessAgent> {
    const agent = this.run(...this.joinArgs(), '--yes-consent', ...more)
    await agent.until(() => agent.capture.running.length > 0 && this.service.eventsOf('agent.started').length > 0)
    return agent
  }
}

/** One run of the agent, with lanes that a test drives and a clock that it turns. */
class HeadlessAgent {
  readonly input = new PassThrough()
  readonly #output = new PassThrough()
  readonly capture: ScriptedCapture
  readonly observers = new ScriptedObservers()
  readonly #clock: ManualClock
  readonly #stop = new AbortController()
  readonly #leave = new AbortController()
  readonly #lines: string[] = []
  readonly exit: Promise<number>
  #over = false

  constructor({ dir, clock }: Pick<HeadlessPlace, 'dir' | 'clock'>, args: readonly string[]) {
    this.#clock = clock
    this.capture = new ScriptedCapture(clock)
    this.#output.setEncoding('utf8').on('data', (text: string) => this.#lines.push(text))
    // The clock runs as fast as a test turns it and the disk does not: a day, so that only a test that says so gives up sending.
    this.exit = runHeadless(['--data', dir, '--drain-seconds', '86400', ...args], {
      input: this.input,
      output: this.#output,
      stop: this.#stop.signal,
      leave: this.#leave.signal,
      clock,
      capture: this.capture,
      observers: this.observers,
      version: '0.0.0-test',
      openLive: () => ({ start: () => undefined, stop: async () => undefined }),
    }).finally(() => {
      this.#over = true
    })
  }

  get text(): string {
    return this.#lines.join('')
  }

  /** Turns the clock until it is so. The test's own time-out is what ends it otherwise. */
  async until(what: () => boolean): Promise<void> {
    while (!what()) {
      if (this.#over && !what()) throw new Error(`the agent ended before:\n${this.text}`)
      this.#clock.advance(50)
      await turn()
    }
  }

  async ended(): Promise<number> {
    await this.until(() => this.#over)
    return this.exit
  }

  stop(): void {
    this.#stop.abort()
  }

  /** As near to a kill as a test in one process comes: nothing is ended, nothing is sent. */
  async leave(): Promise<void> {
    this.#leave.abort()
    await this.ended()
  }
}
