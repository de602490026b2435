import { setImmediate as turn } from 'node:timers/promises'
import { ScriptedCapture, ScriptedObservers } from '../../core/session/test-support/scripted-capture.ts'
import { fileKeyStore } from '../../core/spool/key-store.ts'
import { type WindowState, windowState } from '../../shared/ipc/window-state.ts'
import type { ManualClock } from '../../shared/test-support/manual-clock.ts'
import { DesktopAgent } from '../desktop-agent.ts'
import type { DesktopOptions } from '../desktop-agent.types.ts'

export interface TestPlace {
  /** The agent's folder. */
  readonly dir: string
  readonly clock: ManualClock
  /** Where the service listens. */
  readonly baseUrl: string
}

/** An agent whose lanes a test drives, and what its window was told. */
export class TestDesktop {
  readonly agent: DesktopAgent
  readonly capture: ScriptedCapture
  readonly states: WindowState[] = []
  readonly calls: string[]
  /** The candidate's own. */
  readonly browser: { fails: boolean }

  readonly #place: TestPlace

  private constructor(
    place: TestPlace,
    agent: DesktopAgent,
    parts: Pick<TestDesktop, 'capture' | 'calls' | 'browser'>,
  ) {
    this.#place = place
    this.agent = agent
    this.capture = parts.capture
    this.calls = parts.calls
    this.browser = parts.browser
    agent.onState((state) => this.states.push(windowState.parse(state)))
  }

  static async open(place: TestPlace, over: Partial<DesktopOptions> = {}): Promise<TestDesktop> {
    const { dir, clock } = place
    const capture = new ScriptedCapture(clock)
    const calls: string[] = []
    const browser = { fails: false }
    const agent = await DesktopAgent.open({
      dataDir: dir,
      version: '1.0.0',
      platform: 'linux',
      locale: 'en-GB',
      clock,
      capture,
      observers: new ScriptedObservers(),
      // The device check is tested with real drivers elsewhere.
      create: () => new Map(),
      choices: { list: async () => [], choose: (sources) => sources },
      ports: {
        keyStore: fileKeyStore(dir),
        permissions: { status: () => 'granted', ask: async () => undefined, openSettings: async () => false },
        window: { hide: () => calls.push('hide'), quit: () => calls.push('quit') },
        browser: {
          open: async (address) => {
            if (browser.fails) throw new Error(`Failed to open ${address}`)
            calls.push(`open ${address}`)
          },
        },
      },
      ...over,
    })
    return new TestDesktop(place, agent, { capture, calls, browser })
  }

  get state(): WindowState {
    return this.agent.state()
  }

  async until(what: (state: WindowState) => boolean): Promise<void> {
    while (!what(this.state)) {
      this.#place.clock.advance(50)
      await turn()
    }
  }

  async join(): Promise<void> {
    await this.agent.handlers['session.join']({ code: 'k7qf-2m9x', server: this.#place.baseUrl })
    await this.until(({ screen }) => screen === 'consent')
  }

  async agree(answers: Record<string, boolean> = { screen: true, microphone: true, signals: true }) {
    const hash = this.state.consent?.document.hash ?? ''
    return this.agent.handlers['consent.agree']({ hash, answers })
  }

  async record(answers?: Record<string, boolean>): Promise<void> {
    await this.join()
    await this.agree(answers)
    await this.agent.handlers['check.done']({})
    await this.until(({ screen }) => screen === 'recording')
    await this.until(() => this.capture.running.length > 0)
  }
}
