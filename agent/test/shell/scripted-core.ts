import { type CommandHandlers, type CommandName, commandNames } from '../../src/shared/ipc/channels.ts'
import type { Preview, WindowState } from '../../src/shared/ipc/window-state.ts'
import type { DesktopCore, OpenOptions, QuitQuestion } from '../../src/shell/main/core.ts'

export const buildWindowState = (over: Partial<WindowState> = {}): WindowState => ({
  screen: 'code',
  version: '1.2.3',
  platform: 'linux',
  keyProtection: 'os_key_store',
  locale: 'en',
  network: { state: 'unknown', live: false },
  unsent: { items: 0, events: 0, bytes: 0 },
  sent: { items: 0, bytes: 0 },
  update: { state: 'none' },
  notices: [],
  ...over,
})

export const recordingState = (pauseAllowed = false): Partial<WindowState> => ({
  screen: 'recording',
  recording: { startedAt: 1, pauseAllowed, lanes: [], requiredApps: [] },
})

/** What a command is answered with when all is well; `state.read` aside. */
const usual: Partial<Record<CommandName, unknown>> = {
  'requests.open': { done: true, opened: 'link' },
  'session.logo': { picture: null },
}
export const usualAnswer = (name: CommandName): unknown => usual[name] ?? { done: true }

/** A core whose state a test sets and whose commands it reads. */
export class ScriptedCore implements DesktopCore {
  readonly calls: [name: CommandName, input: unknown][] = []
  readonly links: string[] = []
  closes = 0
  /** Closing lasts until this is over. */
  closed: Promise<void> = Promise.resolve()
  question: QuitQuestion = 'none'
  options: OpenOptions | undefined
  /** What a command gives or does instead of being done. */
  readonly answers = new Map<CommandName, () => Promise<unknown>>()
  #state = buildWindowState()
  readonly #onState = new Set<(state: WindowState) => void>()
  readonly #onPreview = new Set<(preview: Preview) => void>()

  readonly handlers = Object.fromEntries(
    commandNames.map((name) => [
      name,
      async (input: unknown) => {
        this.calls.push([name, input])
        const answer = this.answers.get(name)
        if (answer) return answer()
        return name === 'state.read' ? this.#state : usualAnswer(name)
      },
    ]),
  ) as unknown as CommandHandlers

  readonly open = async (options: OpenOptions): Promise<DesktopCore> => {
    this.options = options
    return this
  }

  state(): WindowState {
    return this.#state
  }
  set(over: Partial<WindowState>): void {
    this.#state = { ...this.#state, ...over }
    for (const listener of this.#onState) listener(this.#state)
  }
  preview(preview: Preview): void {
    for (const listener of this.#onPreview) listener(preview)
  }
  onState(listener: (state: WindowState) => void): () => void {
    this.#onState.add(listener)
    return () => this.#onState.delete(listener)
  }
  onPreview(listener: (preview: Preview) => void): () => void {
    this.#onPreview.add(listener)
    return () => this.#onPreview.delete(listener)
  }
  async openLink(url: string): Promise<void> {
    this.links.push(url)
  }
  quitQuestion(): QuitQuestion {
    return this.question
  }
  async close(): Promise<void> {
    this.closes += 1
    await this.closed
  }
}
