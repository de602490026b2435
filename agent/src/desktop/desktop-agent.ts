import { join } from 'node:path'
import { createClient } from '@integrity/client/every-endpoint'
import { agentLanes, isOverPhase } from '@integrity/protocol'
import { AgentSession } from '../core/session/agent-session.ts'
import type { SessionStatus } from '../core/session/agent-session.types.ts'
import type { Capability, ObserversPort } from '../core/session/ports.ts'
import { serviceTimeoutMs } from '../core/session/service-calls.ts'
import type { SessionInput } from '../core/session/session-machine.types.ts'
import type { SessionRecord } from '../core/session/session-record.ts'
import { Spool } from '../core/spool/spool.ts'
import { describeError } from '../core/upload/answers.ts'
import type { Sources } from '../machine/adapters/capture-config.ts'
import { createLanes } from '../machine/adapters/create-lanes.ts'
import { createMachineCapture } from '../machine/adapters/create-machine-capture.ts'
import { describeDevice, observedPlatform } from '../machine/adapters/device-description.ts'
import { MachineObservers } from '../machine/adapters/machine-observers.ts'
import { type Clock, systemClock } from '../shared/clock.ts'
import type { CommandHandlers, Outcome } from '../shared/ipc/channels.ts'
import type { Preview, Problem, WindowState } from '../shared/ipc/window-state.ts'
import { createServiceClock, type ServiceClock } from '../shared/service-clock.ts'
import { noUpdates } from '../trust/updates/update-controller.ts'
import { CheckFlow } from './check-flow.ts'
import type { DesktopOptions } from './desktop-agent.types.ts'
import { createHandlers } from './handlers.ts'
import { readEntry } from './join-entry.ts'
import { Listeners } from './listeners.ts'
import { Notices } from './notices.ts'
import { done, refuse } from './outcomes.ts'
import { PhonePairing } from './phone-pairing.ts'
import { problemOf } from './problems.ts'
import { SessionLedger } from './session-ledger.ts'
import { openSettings, type SettingsFile } from './settings.ts'
import { type ViewSources, windowStateOf } from './window-view.ts'

/** How often what changes by itself (counts, lights, what is unsent) is looked at. */
const tickMs = 500

/**
 * The agent behind a window: one session at a time, from the code to the end, with everything the window shows as one
 * state and everything it may ask as one map of handlers. It knows nothing of the window's toolkit.
 */
export class DesktopAgent {
  readonly handlers: CommandHandlers
  readonly #options: DesktopOptions
  readonly #machineClock: Clock
  readonly #clock: ServiceClock
  readonly #settings: SettingsFile
  readonly #states = new Listeners<WindowState>()
  readonly #previews = new Listeners<Preview>()
  readonly #notices = new Notices()
  readonly #flow: CheckFlow
  readonly #phone: PhonePairing
  readonly #observers: ObserversPort
  readonly #over = new AbortController()
  #spool!: Spool
  #session: AgentSession | undefined
  #ledger = new SessionLedger(() => this.#machineClock.wallMs())
  #server: string | undefined
  #code: string | undefined
  #problem: Problem | undefined
  #capabilities: readonly Capability[] = []
  #permissions = new Map<string, string>()
  #lastAnswerAt: number | undefined
  #asking = false
  #lastShown = ''
  #ticking: Promise<void> | undefined

  private constructor(options: DesktopOptions, settings: SettingsFile) {
    this.#options = options
    this.#settings = settings
    this.#machineClock = options.clock ?? systemClock
    this.#clock = createServiceClock(this.#machineClock)
    this.#server = settings.get().server
    this.#flow = new CheckFlow(options, this.#clock, {
      onChange: () => this.#changed(),
      onPreview: (preview) => this.#previews.tell(preview),
    })
    this.#phone = new PhonePairing({
      clock: this.#clock,
      caller: () => this.#session?.caller(),
      onChange: () => this.#changed(),
    })
    const { ports, observers, platform, sources, speechModel } = options
    const env = sources?.env ? { env: sources.env } : {}
    const machine = {
      clock: this.#machineClock,
      platform: observedPlatform(platform),
      speechModel,
      ...env,
      ...(ports.shell ? { shell: ports.shell } : {}),
    }
    this.#observers = observers ?? new MachineObservers(this.#clock, machine)
    this.handlers = createHandlers({
      options,
      flow: this.#flow,
      phone: this.#phone,
      state: () => this.state(),
      caller: () => this.#session?.caller(),
      join: (code, server) => this.#join(code, server),
      giveUp: () => this.#giveUp(),
      dispatch: (input) => this.#dispatch(input),
      answerLater: (hash, answers) => void this.#session?.answerLater(hash, answers),
      dismiss: (id) => this.#notices.dismiss(id),
      setLocale: (locale) => this.#settings.set({ locale }),
      relocalise: () => this.#session?.relocalise(() => this.#flow.prompt.agreed === undefined),
      changed: () => this.#changed(),
    })
  }

  /** Opens the folder and goes on with what an earlier run left. Throws `SpoolInUse` when another program has it open. */
  static async open(options: DesktopOptions): Promise<DesktopAgent> {
    const settings = await openSettings(options.dataDir)
    const agent = new DesktopAgent(options, settings)
    await agent.#open()
    return agent
  }

  state(): WindowState {
    return windowStateOf(this.#view())
  }

  onState(listener: (state: WindowState) => void): () => void {
    return this.#states.add(listener)
  }

  onPreview(listener: (preview: Preview) => void): () => void {
    return this.#previews.add(listener)
  }

  /** Takes the code and the service of a link to the first page, where the candidate sees both and goes on. */
  async openLink(link: string): Promise<void> {
    const entry = readEntry(link)
    if (!entry.ok) this.#problem = entry.problem
    else if (this.#busy) this.#problem = { code: 'in_another_session' }
    else {
      await this.#forget()
      this.#code = entry.joinCode
      this.#server = entry.server ?? this.#server
      this.#problem = undefined
    }
    this.#changed()
  }

  /** Something that the host found out, and the candidate should know. */
  noteProblem(problem: Problem): void {
    this.#problem = problem
    this.#changed()
  }

  /** What closing the program now would leave undone. */
  quitQuestion(): 'none' | { readonly unsent: WindowState['unsent']; readonly recording: boolean } {
    const { unsent, screen } = this.state()
    const recording = screen === 'recording' || screen === 'paused'
    return recording || unsent.items + unsent.events > 0 ? { unsent, recording } : 'none'
  }

  /** Leaves at once; what is unsent stays, sealed, for the next start. */
  async close(): Promise<void> {
    this.#over.abort()
    this.#phone.follow(false)
    await this.#flow.check.stop()
    await this.#session?.close()
    await this.#options.updates?.stop()
    await this.#ticking
    await this.#spool.close()
  }

  async #open(): Promise<void> {
    const { dataDir, ports, maxBytes } = this.#options
    this.#spool = await Spool.open({
      dir: join(dataDir, 'spool'),
      keyStore: ports.keyStore,
      clock: this.#clock,
      ...(maxBytes === undefined ? {} : { maxBytes }),
      onReport: (report) => {
        if (this.#notices.add(report, this.#machineClock.wallMs())) this.#changed()
      },
      onStored: ({ lane }) => this.#ledger.stored(lane),
    })
    this.#ticking = this.#tick()
    this.#options.updates?.onChange(() => this.#changed())
    const saved = await this.#saved()
    if (saved) await this.#restore(saved)
    if (this.#server !== undefined) void this.#options.updates?.check(this.#server)
    this.#capabilities = await this.#observers.capabilities()
    this.#changed()
  }

  /** A record that cannot be read is set aside with what it belongs to: the session goes on being the service's. */
  async #saved(): Promise<SessionRecord | undefined> {
    try {
      return await AgentSession.saved(this.#spool)
    } catch (error) {
      this.#trouble(`the earlier session cannot be read: ${describeError(error)}`)
      this.#problem = { code: 'storage_unusable', detail: describeError(error) }
      return undefined
    }
  }

  async #restore(saved: SessionRecord): Promise<void> {
    this.#server = saved.server
    this.#session = this.#createSession(saved.server)
    await this.#session.restore(saved)
  }

  /** A session is under way that another may not push aside. */
  get #busy(): boolean {
    const phase = this.#session?.phase
    return phase !== undefined && !isOverPhase(phase)
  }

  #createSession(server: string): AgentSession {
    const { ports, version, platform, openLiveFor, fetchFor } = this.#options
    this.#ledger = new SessionLedger(() => this.#machineClock.wallMs())
    const fetchOnce = fetchFor?.(server) ?? fetch
    const told = async (url: string, init: RequestInit): Promise<Response> => {
      const answer = await fetchOnce(url, init)
      this.#lastAnswerAt = this.#machineClock.wallMs()
      return answer
    }
    const session: AgentSession = new AgentSession({
      spool: this.#spool,
      clock: this.#clock,
      server,
      clientFor: (token) => createClient({ baseUrl: server, fetch: told, token, timeoutMs: serviceTimeoutMs }),
      capture: this.#createCapture(),
      observers: this.#observers,
      listener: this.#ledger,
      askConsent: this.#flow.prompt.ask,
      device: describeDevice(version, platform),
      locale: () => this.#settings.get().locale ?? this.#options.locale,
      permissions: () => Object.fromEntries(agentLanes.map((lane) => [lane, ports.permissions.status(lane)])),
      onPhase: () => this.#changed(),
      onAskedLater: () => this.#changed(),
      onTrouble: (trouble) => this.#trouble(trouble),
      onFailure: (error) => {
        this.#problem = problemOf(error, session.caller() ? 'session' : 'join')
      },
      ...(openLiveFor ? { openLive: openLiveFor(server) } : {}),
    })
    void session.rested.then(() => this.#rested(session))
    return session
  }

  #createCapture() {
    const { capture, create = createLanes } = this.#options
    const onTrouble = (trouble: string): void => this.#trouble(trouble)
    const sources = (): Sources => this.#flow.sources
    const { speechModel, launchSpeech } = this.#options
    const parts = { sources, clock: this.#clock, create, onTrouble, spool: this.#spool, speechModel, launchSpeech }
    return capture ?? createMachineCapture(parts)
  }

  async #join(typed: string, address: string | undefined): Promise<Outcome> {
    if (this.#busy || this.#asking) return refuse({ code: 'in_another_session' })
    const entry = readEntry(typed, address)
    if (!entry.ok) return refuse(entry.problem)
    const server = entry.server ?? this.#server
    if (server === undefined) return refuse({ code: 'server_malformed' })
    const { updates } = this.#options
    await this.#forget()
    this.#problem = undefined
    this.#server = server
    await this.#lookForUpdates(server)
    // The window says so, and what can be done.
    if (updates?.view().minimum !== undefined) return this.#shown()
    this.#code = undefined
    this.#flow.reset()
    this.#session = this.#createSession(server)
    this.#changed()
    try {
      await this.#session.join({ joinCode: entry.joinCode })
    } catch (error) {
      // An earlier session's unsent items are still here, and cannot be sent any more.
      this.#session = undefined
      return refuse({ code: 'storage_unusable', detail: describeError(error) })
    }
    await this.#settings.set({ server })
    return done
  }

  /** First of all: a version that the service does not work with must not take the code. */
  async #lookForUpdates(server: string): Promise<void> {
    const { updates } = this.#options
    if (!updates) return
    this.#asking = true
    this.#changed()
    try {
      await updates.check(server)
    } finally {
      this.#asking = false
    }
  }

  #shown(): Outcome {
    this.#changed()
    return done
  }

  /** Closes a session that has come to its end, and everything that was shown of it. */
  async #forget(): Promise<void> {
    const session = this.#session
    this.#session = undefined
    await this.#flow.check.stop()
    this.#phone.follow(false)
    this.#notices.clear()
    await session?.close()
  }

  async #giveUp(): Promise<Outcome> {
    if (this.#busy) return refuse({ code: 'in_another_session' })
    await this.#forget()
    this.#problem = undefined
    return this.#shown()
  }

  async #dispatch(input: SessionInput): Promise<Outcome> {
    if (!this.#session) return refuse({ code: 'unexpected' })
    if (input.type === 'withdraw') this.#ledger.withdrawn.add(input.lane)
    await this.#session.dispatch(input)
    this.#changed()
    return done
  }

  async #rested(session: AgentSession): Promise<void> {
    if (session === this.#session) this.#changed()
  }

  #status(): SessionStatus | undefined {
    return this.#session?.status()
  }

  #view(): ViewSources {
    const { version, platform, locale, ports, updates = noUpdates } = this.#options
    return {
      version,
      platform,
      keyProtection: ports.keyStore.protection,
      locale: this.#settings.get().locale ?? locale,
      problem: this.#problem,
      server: this.#server,
      code: this.#code,
      status: this.#status(),
      asking: this.#asking,
      ...this.#flow.view(this.#capabilities),
      ledger: this.#ledger,
      phone: this.#phone.view(),
      update: updates.view(),
      notices: this.#notices.list(),
      aheadMs: this.#clock.aheadMs(),
      lastAnswerAt: this.#lastAnswerAt,
    }
  }

  /** Tells the window, if what it shows is different now. */
  #changed(): void {
    if (this.#over.signal.aborted) return
    this.#followPhone()
    const state = this.state()
    const text = JSON.stringify(state)
    if (text === this.#lastShown) return
    this.#lastShown = text
    this.#states.tell(state)
  }

  #followPhone(): void {
    const status = this.#status()
    const live = status?.phase === 'recording' || status?.phase === 'paused'
    this.#phone.follow(live && status.state.config?.sideView.enabled === true)
  }

  async #tick(): Promise<void> {
    while (!this.#over.signal.aborted) {
      await this.#machineClock.sleep(tickMs, this.#over.signal)
      if (this.#over.signal.aborted) return
      this.#notePermissions()
      this.#changed()
    }
  }

  #notePermissions(): void {
    const { permissions } = this.#options.ports
    for (const lane of agentLanes) {
      const state = permissions.status(lane)
      const before = this.#permissions.get(lane)
      this.#permissions.set(lane, state)
      if (before !== undefined && before !== state) this.#session?.notePermission(lane, state)
    }
  }

  #trouble(trouble: string): void {
    this.#options.onTrouble?.(trouble)
  }
}
