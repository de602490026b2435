import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { liveOver } from '../../core/session/open-live.ts'
import type { OpenLive } from '../../core/session/ports.ts'
import { describeError } from '../../core/upload/answers.ts'
import type { PinnedNetwork } from '../pinning/pinned-fetch.ts'
import { type AgentUpdates, type AgentUpdatesOptions, createAgentUpdates } from './agent-updates.ts'
import type { Installed } from './install.ts'
import type { UpdateController } from './update-controller.ts'
import type { UpdateProgress, UpdateState } from './update-state.ts'

type View = ReturnType<UpdateController['view']>

export interface DesktopUpdatesOptions extends Omit<AgentUpdatesOptions, 'server' | 'dir' | 'onUpdate'> {
  /** A folder of this program's own; each service has a folder inside. */
  readonly dir: string
  /** The candidate asked for the update and it is in place: time to close, and to open again where need be. */
  readonly onInstalled: (installed: Installed) => void
}

/** What the window's core needs of updates and pinning; the service may be another one at each session. */
export interface DesktopUpdates {
  readonly controller: UpdateController
  fetchFor(server: string): PinnedNetwork['fetch']
  openLiveFor(server: string): OpenLive
  /** While true nothing is looked for, fetched or installed. */
  setRecording(recording: boolean): void
  /** Puts a ready update in place as the program closes. Never throws: what fails now is tried at the next close. */
  installOnQuit(): Promise<void>
}

const viewOfProgress = (progress: UpdateProgress): View => {
  switch (progress.kind) {
    case 'none':
      return { state: 'none' }
    case 'available':
      return { state: 'available', version: progress.build.version }
    case 'downloading': {
      const { version, received, total } = progress
      return { state: 'downloading', version, receivedBytes: received, totalBytes: total }
    }
    case 'ready':
      return { state: 'ready', version: progress.update.version }
    case 'refused':
      return { state: 'refused', detail: progress.why }
  }
}

/** `minimum` is there as long as the running version is not supported, whatever the state of the update. */
const viewOf = (state: UpdateState): View => {
  if (state.kind !== 'below_minimum') return viewOfProgress(state)
  const view = viewOfProgress(state.progress)
  // Nothing is on its way: that it is needed is the news.
  const isIdle = view.state === 'none' || view.state === 'available'
  return { ...view, state: isIdle ? 'below_minimum' : view.state, minimum: state.minimum }
}

/** One service: what was kept of it is loaded before anything is sent there. */
interface Service {
  readonly updates: AgentUpdates
  readonly loaded: Promise<void>
  isLoaded: boolean
}

class Services {
  readonly #options: DesktopUpdatesOptions
  readonly #services = new Map<string, Service>()
  readonly #listeners = new Set<() => void>()
  #active: AgentUpdates | undefined
  #recording = false
  #stopped = false

  constructor(options: DesktopUpdatesOptions) {
    this.#options = options
  }

  get active(): AgentUpdates | undefined {
    return this.#active
  }

  get isRecording(): boolean {
    return this.#recording
  }

  of(server: string): Service {
    const { origin } = new URL(server)
    const known = this.#services.get(origin)
    if (known) return known
    // Numbers of documents count for one service: two of them must not make each other look old.
    const folder = createHash('sha256').update(origin).digest('hex').slice(0, 16)
    const updates: AgentUpdates = createAgentUpdates({
      ...this.#options,
      server,
      dir: join(this.#options.dir, folder),
      onUpdate: () => {
        if (this.#active === updates) this.#tell()
      },
    })
    updates.setRecording(this.#recording)
    const loading = updates.load().catch((error: unknown) => this.#options.onTrouble(describeError(error)))
    const service: Service = {
      updates,
      isLoaded: false,
      loaded: loading.then(() => {
        service.isLoaded = true
      }),
    }
    this.#services.set(origin, service)
    return service
  }

  /** Makes this service the one that updates come from. Resolves once it was asked for the first time. */
  async activate(server: string): Promise<void> {
    const { updates, loaded } = this.of(server)
    await loaded
    if (this.#stopped) return
    updates.start()
    if (this.#active !== updates) {
      this.#active = updates
      this.#tell()
    }
    await updates.looked
  }

  setRecording(recording: boolean): void {
    this.#recording = recording
    for (const { updates } of this.#services.values()) updates.setRecording(recording)
  }

  onChange(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  async stop(): Promise<void> {
    this.#stopped = true
    await Promise.all([...this.#services.values()].map(({ updates }) => updates.stop()))
  }

  #tell(): void {
    for (const listener of this.#listeners) listener()
  }
}

const controllerOf = (services: Services, { onInstalled, onTrouble }: DesktopUpdatesOptions): UpdateController => ({
  view: () => viewOf(services.active?.state ?? { kind: 'none' }),
  onChange: (listener) => services.onChange(listener),
  check: (server) => services.activate(server),
  install: async () => {
    if (services.isRecording) return false
    try {
      const installed = await services.active?.install(true)
      if (installed !== undefined) onInstalled(installed)
      return installed !== undefined
    } catch (error) {
      onTrouble(describeError(error))
      return false
    }
  },
  stop: () => services.stop(),
})

/** Updates and pinning for the window's core, which knows neither. */
export const createDesktopUpdates = (options: DesktopUpdatesOptions): DesktopUpdates => {
  const services = new Services(options)
  return {
    controller: controllerOf(services, options),
    fetchFor: (server) => {
      const { updates, loaded } = services.of(server)
      void services.activate(server)
      return async (url, init) => {
        await loaded
        return updates.network.fetch(url, init)
      }
    },
    openLiveFor: (server) => {
      const service = services.of(server)
      return liveOver(server, options.clock, (url, socketOptions) => {
        // The live socket comes back after a wait of its own.
        if (!service.isLoaded) throw new Error('the pins are not known yet')
        return service.updates.network.connectWebSocket(url, socketOptions)
      })
    },
    setRecording: (recording) => services.setRecording(recording),
    installOnQuit: async () => {
      if (services.isRecording) return
      await services.active?.install().catch((error: unknown) => options.onTrouble(describeError(error)))
    },
  }
}
