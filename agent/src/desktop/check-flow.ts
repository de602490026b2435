import { agentLanes } from '@integrity/protocol'
import type { Capability } from '../core/session/ports.ts'
import type { LaneAnswers } from '../core/session/session-machine.types.ts'
import type { Sources } from '../machine/adapters/capture-config.ts'
import { createLanes } from '../machine/adapters/create-lanes.ts'
import type { Clock } from '../shared/clock.ts'
import type { Outcome } from '../shared/ipc/channels.ts'
import type { Preview, WindowState } from '../shared/ipc/window-state.ts'
import { ConsentPrompt } from './consent-prompt.ts'
import type { DesktopOptions } from './desktop-agent.types.ts'
import { DeviceCheck } from './device-check.ts'
import { linuxDevices, noChoices } from './device-choices.ts'
import { done, outOfPlace, refuse } from './outcomes.ts'

/** From the consent page through the device check to the first recorded second. */
export class CheckFlow {
  readonly prompt: ConsentPrompt
  readonly check: DeviceCheck
  readonly #options: DesktopOptions
  readonly #onChange: () => void
  #sources: Sources

  constructor(
    options: DesktopOptions,
    clock: Clock,
    on: { readonly onChange: () => void; readonly onPreview: (preview: Preview) => void },
  ) {
    const { create = createLanes, choices, sources = {}, ports, platform } = options
    this.#options = options
    this.#onChange = on.onChange
    this.#sources = sources
    this.prompt = new ConsentPrompt(clock, on.onChange)
    this.check = new DeviceCheck({
      clock,
      create,
      choices: choices ?? (platform === 'linux' ? linuxDevices(sources.env) : noChoices),
      sources,
      permission: (lane) => ports.permissions.status(lane),
      hasSettings: () => platform === 'darwin' || platform === 'win32',
      restartAfterPermission: (lane) => platform === 'darwin' && lane === 'screen',
      ...on,
    })
  }

  /** Where the recording takes its pictures and sound from. */
  get sources(): Sources {
    return this.#sources
  }

  reset(): void {
    this.#sources = this.#options.sources ?? {}
  }

  view(capabilities: readonly Capability[]): Pick<WindowState, 'consent' | 'check'> {
    return {
      consent: this.prompt.view(capabilities),
      check: this.prompt.agreed ? this.check.view() : undefined,
    }
  }

  async agree(hash: string, answers: LaneAnswers): Promise<Outcome> {
    const config = this.prompt.question?.config
    const problem = this.prompt.agree(hash, answers)
    if (problem) return refuse(problem)
    if (!config) return outOfPlace
    const lanes = agentLanes.filter((lane) => this.prompt.agreed?.[lane])
    const { permissions } = this.#options.ports
    for (const lane of lanes) if (permissions.status(lane) !== 'granted') await permissions.ask(lane)
    await this.check.start(lanes, config)
    this.#onChange()
    return done
  }

  decline(): Outcome {
    if (!this.prompt.question) return outOfPlace
    this.prompt.decline()
    return done
  }

  /** Does something of the device check, while there is one. */
  async within(work: () => Promise<boolean> | Promise<void>): Promise<Outcome> {
    if (!this.prompt.agreed) return outOfPlace
    const result = await work()
    this.#onChange()
    return result === false ? outOfPlace : done
  }

  async back(): Promise<void> {
    await this.check.stop()
    this.prompt.reconsider()
  }

  /** The devices are let go before the recording takes them. */
  async begin(): Promise<Outcome> {
    if (!this.prompt.agreed) return outOfPlace
    this.#sources = this.check.sources
    await this.check.stop()
    return this.prompt.confirm() ? done : outOfPlace
  }
}
