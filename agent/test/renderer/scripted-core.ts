import type { Page } from 'playwright-core'
import {
  type CommandInput,
  type CommandName,
  type CommandOutput,
  commands,
  type Outcome,
} from '../../src/shared/ipc/channels.ts'
import { type Preview, preview, type WindowState, windowState } from '../../src/shared/ipc/window-state.ts'
import { attachBridge, type Push } from './bridge.ts'

/** A command as the window sent it. */
export interface Sent {
  readonly name: CommandName
  readonly input: unknown
}

type Answer = () => Answered | Promise<Answered>
type Answered = Outcome | CommandOutput<'requests.open'> | CommandOutput<'session.logo'>

/** What is answered where a test says nothing. */
const usual: Partial<Record<CommandName, Answered>> = {
  'requests.open': { done: true, opened: 'link' },
  'session.logo': { picture: null },
}

/**
 * A core that does what a test says: its state is set, its commands are recorded and answered. What goes in and what
 * comes out fits the schemas of the seam, or the test fails.
 */
export class ScriptedCore {
  /** Without `state.read`. */
  readonly sent: Sent[] = []
  #state: WindowState
  #push: Push = async () => {}
  readonly #answers = new Map<CommandName, Answer>()

  constructor(state: WindowState) {
    this.#state = windowState.parse(state)
  }

  get state(): WindowState {
    return this.#state
  }

  /** Before the page is opened. */
  async attach(page: Page): Promise<void> {
    this.#push = await attachBridge(page, (name, input) => this.#call(name, input))
  }

  /** The whole state again. */
  async show(state: WindowState): Promise<void> {
    this.#state = windowState.parse(state)
    await this.#push('state', this.#state)
  }

  async set(change: Partial<WindowState>): Promise<void> {
    await this.show({ ...this.#state, ...change })
  }

  async preview(moment: Preview): Promise<void> {
    await this.#push('preview', preview.parse(moment))
  }

  answer(name: CommandName, answer: Answer): void {
    this.#answers.set(name, answer)
  }

  inputsOf<N extends CommandName>(name: N): CommandInput<N>[] {
    return this.sent.filter((one) => one.name === name).map(({ input }) => input as CommandInput<N>)
  }

  async #call(name: CommandName, input: unknown): Promise<unknown> {
    commands[name].input.parse(input)
    if (name === 'state.read') return this.#state
    this.sent.push({ name, input })
    const answer = (await this.#answers.get(name)?.()) ?? usual[name] ?? { done: true }
    return commands[name].output.parse(answer)
  }
}
