import { isOverPhase } from '@integrity/protocol'
import type { AgentSession } from '../core/session/agent-session.ts'
import type { Capability, ObserversPort } from '../core/session/ports.ts'
import type { SessionInput } from '../core/session/session-machine.types.ts'
import type { Spool } from '../core/spool/spool.ts'
import { describeError } from '../core/upload/answers.ts'
import { type Clock, systemClock } from '../shared/clock.ts'
import type { CommandHandlers, Outcome } from '../shared/ipc/channels.ts'
import type { Preview, Problem, WindowState } from '../shared/ipc/window-state.ts'
import { createServiceClock, type ServiceClock } from '../shared/service-clock.ts'
import { noUpdates, type UpdateController } from '../trust/updates/update-controller.ts'
import { CheckFlow } from './check-flow.ts'
import type { DesktopOptions } from './desktop-agent.types.ts'
import { createDesktopSession, machineObservers, openDesktopSpool, savedSession } from './desktop-session.ts'
import { createHandlers } from './handlers.ts'
import { readEntry } from './join-entry.ts'
import { Listeners } from './listeners.ts'
import { Notices } from './notices.ts'
import { done, refuse } from './outcomes.ts'
import { PermissionWatch } from './permission-watch.ts'
import { PhonePairing } from './phone-pairing.ts'
import { SessionLedger } from './session-ledger.ts'
import { openSettings, type SettingsFile } from './settings.ts'
import { StatePublisher } from './state-publisher.ts'
import { type QuitQuestion, quitQuestionOf, type ViewSources, windowStateOf } from './window-view.ts'

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
  readonly #publisher: StatePublisher
  readonly #previews = new Listeners<Preview>()
  readonly #notices = new Notices()
  readonly #flow: CheckFlow
  readonly #phone: PhonePairing
  readonly #observers: ObserversPort
  readonly #permissions: PermissionWatch
  #spool!: Spool
  #session: AgentSession | undefined
  #ledger: SessionLedger
  #server: string | undefined
  #code: string | undefined
  #problem: Problem | undefined
  #capabilities: readonly Capability[] = []
  #lastAnswerAt: number | undefined
  #asking = false
  readonly #found = (problem: Problem): void => {
    this.#problem = problem
  }

  private constructor(options: DesktopOptions, settings: SettingsFile) {
    this.#options = options
    this.#settings = settings
    this.#machineClock = options.clock ?? systemClock
    this.#clock = createServiceClock(this.#machineClock)
    this.#ledger = new SessionLedger(this.#machineClock, this.#previews)
    this.#publisher = new StatePublisher(() => this.state(), this.#machineClock)
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
    this.#permissions = new PermissionWatch(options.ports.permissions)
    this.#observers = options.observers ?? machineObservers(options, this.#clock)
    this.handlers = createHandlers({
      options,
      flow: this.#flow,
      phone: this.#phone,
      state: () => this.state(),
      opened: () => this.#ledger.moments.tellAgain(),
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
    return this.#publisher.onState(listener)
  }

  onPreview(listener: (preview: Preview) => void): () => void {
    return this.#previews.add(listener)
  }

  /** Takes the code and the service of a link to the first page, where the candidate sees both and goes on. */
  async openLink(link: string): Promise<void> {
    const entry = readEntry(link)
    if (!entry.ok) return this.noteProblem(entry.problem)
    if (this.#busy) return this.noteProblem({ code: 'in_another_session' })
    await this.#forget()
    this.#code = entry.joinCode
    this.#server = entry.server ?? this.#server
    this.#problem = undefined
    this.#changed()
  }

  /** Something that the host found out, and the candidate should know. */
  noteProblem(problem: Problem): void {
    this.#problem = problem
    this.#changed()
  }

  /** What closing the program now would leave undone. */
  quitQuestion(): QuitQuestion {
    return quitQuestionOf(this.state())
  }

  /** Leaves at once; what is unsent stays, sealed, for the next start. */
  async close(): Promise<void> {
    this.#publisher.stop()
    this.#phone.follow(false)
    await this.#flow.check.stop()
    await this.#session?.close()
    await this.#options.updates?.stop()
    await this.#publisher.settled()
    await this.#spool.close()
  }

  async #open(): Promise<void> {
    this.#spool = await openDesktopSpool(this.#options, this.#clock, {
      onReport: (report) => {
        if (this.#notices.add(report, this.#machineClock.wallMs())) this.#changed()
      },
      onStored: ({ lane }) => this.#ledger.stored(lane),
    })
    this.#publisher.start(() => {
      this.#permissions.look((lane, state) => this.#session?.notePermission(lane, state))
      this.#changed()
    })
    this.#options.updates?.onChange(() => this.#changed())
    const saved = await savedSession(this.#spool, this.#options, this.#found)
    if (saved) {
      this.#server = saved.server
      this.#session = this.#createSession(saved.server)
      await this.#session.restore(saved)
    }
    if (this.#server !== undefined) void this.#options.updates?.check(this.#server)
    this.#capabilities = await this.#observers.capabilities()
    this.#changed()
  }

  /** A session is under way that another may not push aside. */
  get #busy(): boolean {
    const phase = this.#session?.phase
    return phase !== undefined && !isOverPhase(phase)
  }

  #createSession(server: string): AgentSession {
    const ledger = new SessionLedger(this.#machineClock, this.#previews)
    this.#ledger = ledger
    const session = createDesktopSession({
      options: this.#options,
      server,
      spool: this.#spool,
      clock: this.#clock,
      observers: this.#observers,
      listener: ledger,
      flow: this.#flow,
      permissions: this.#permissions,
      locale: () => this.#locale,
      onAnswer: () => {
        this.#lastAnswerAt = this.#machineClock.wallMs()
      },
      onChange: () => this.#changed(),
      onProblem: this.#found,
    })
    void session.rested.then(() => session === this.#session && this.#changed())
    return session
  }

  get #locale(): string {
    return this.#settings.get().locale ?? this.#options.locale
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
    if (updates) await this.#lookForUpdates(updates, server)
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
  async #lookForUpdates(updates: UpdateController, server: string): Promise<void> {
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

  #view(): ViewSources {
    const { version, platform, ports, updates = noUpdates } = this.#options
    return {
      version,
      platform,
      keyProtection: ports.keyStore.protection,
      locale: this.#locale,
      problem: this.#problem,
      server: this.#server,
      code: this.#code,
      status: this.#session?.status(),
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

  #changed(): void {
    if (this.#publisher.stopped) return
    this.#phone.followSession(this.#session?.status())
    this.#publisher.publish()
  }
}
