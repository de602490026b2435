import type { Client } from '@integrity/client/every-endpoint'
import { isOverPhase, type LaneName, type PermissionState, type SessionPhase } from '@integrity/protocol'
import { describeError } from '../upload/answers.ts'
import type { AgentSessionOptions, SessionStatus } from './agent-session.types.ts'
import { BackgroundWork } from './background-work.ts'
import { breakOver } from './break-taking.ts'
import { CaptureLoops } from './capture-loops.ts'
import { ConsentAsking } from './consent-asking.ts'
import { LaneRunner } from './lane-runner.ts'
import { LaterAsking } from './later-asking.ts'
import { PolicyWatch } from './policy-watch.ts'
import { RecordKeeper } from './record-keeper.ts'
import { Closing, isStatus } from './service-calls.ts'
import { ServiceLink } from './service-link.ts'
import type { Entry } from './service-link.types.ts'
import { SessionEnding } from './session-ending.ts'
import { SessionEvents } from './session-events.ts'
import { initialSession, isCapturing, lanesNotAsked, stepSession } from './session-machine.ts'
import type { LaneAnswers, SessionEffect, SessionInput, SessionState } from './session-machine.types.ts'
import type { SessionRecord } from './session-record.ts'
import { SessionUpload } from './session-upload.ts'

const usuallyMs = 10_000
const heartbeatMs = 5000
/**
 * Carries out the session machine: network, lanes, spool. One input at a time; what waits for a person or the
 * network runs beside it and comes back as an input.
 */
export class AgentSession {
  readonly #options: AgentSessionOptions
  readonly #events: SessionEvents
  readonly #lanes: LaneRunner
  readonly #upload: SessionUpload
  readonly #keeper: RecordKeeper
  readonly #link: ServiceLink
  readonly #watch: PolicyWatch
  readonly #asking: ConsentAsking
  readonly #later: LaterAsking
  readonly #loops: CaptureLoops
  readonly #ending: SessionEnding
  readonly #closing = new AbortController()
  readonly #rested = Promise.withResolvers<SessionPhase>()
  readonly #background = new BackgroundWork((error) => this.#failed(error))
  #queue: Promise<void> = Promise.resolve()
  #state: SessionState = initialSession
  #entry: Entry = {}

  constructor(options: AgentSessionOptions) {
    this.#options = options
    const { spool, clock, listener, capture, observers } = options
    const nudge = (kinds?: readonly string[]): void => this.#upload.nudge(kinds)
    const onTrouble = (trouble: string): void => options.onTrouble?.(trouble)
    this.#events = new SessionEvents({ spool, clock, listener, onStored: nudge, onTrouble })
    this.#lanes = new LaneRunner({ spool, clock, listener, capture, observers, events: this.#events, onStored: nudge })
    this.#keeper = new RecordKeeper(spool)
    this.#link = new ServiceLink({
      clientFor: options.clientFor,
      device: options.device,
      chain: spool.chain,
      capabilities: () => options.observers.capabilities(),
      permissions: options.permissions ?? (() => ({})),
      locale: options.locale,
      retry: { clock, signal: this.#closing.signal, random: options.random ?? Math.random, onTrouble },
      onOrg: (org) => {
        if (this.#keeper.current) this.#keeper.keep(org)
      },
      onServiceTime: (...told) => this.#serviceTime(...told),
    })
    const parts = {
      link: this.#link,
      record: () => this.#keeper.joined,
      dispatch: (input: SessionInput) => this.dispatch(input),
      onTrouble,
      closing: this.#closing.signal,
      keep: (part: Partial<SessionRecord>) => this.#keeper.keep(part),
    }
    const onWatched = (ms: number): void => this.#upload.atOnceFor(ms)
    this.#watch = new PolicyWatch({ ...parts, clock, onWatched, openLive: options.openLive })
    this.#asking = new ConsentAsking({ ...parts, ask: options.askConsent, config: () => this.#state.config })
    const { clientFor, random, onAskedLater: onAsked } = options
    const sending = { spool, clock, clientFor, random, onTrouble }
    this.#upload = new SessionUpload({
      ...sending,
      isLinked: () => this.#watch.connected,
      onQuality: (level) => this.#background.run(() => this.#lanes.setQuality(level)),
      onUnauthorized: () => this.#background.run(() => this.dispatch({ type: 'unauthorized' })),
      onGone: () => this.#background.run(() => this.#watch.read()),
    })
    const inBackground = (work: () => Promise<void>): void => this.#background.run(work)
    this.#loops = new CaptureLoops({ ...parts, clock, inBackground, isCapturing: () => isCapturing(this.#state) })
    const phase = (): SessionPhase => this.#state.phase
    this.#ending = new SessionEnding({ ...parts, clock, phase, upload: this.#upload, watch: this.#watch })
    this.#later = new LaterAsking({ ...parts, clock, inBackground, onAsked, state: () => this.#state })
  }

  /** Joins a new session. What an earlier, finished one left behind is forgotten. */
  async join(entry: Entry): Promise<void> {
    await this.#options.spool.reset()
    await this.#keeper.clear()
    this.#entry = entry
    this.#background.run(() => this.#join())
  }

  /** Goes on with the session of an earlier run. */
  async restore(record: SessionRecord): Promise<void> {
    this.#keeper.replace(record)
    const { clock } = this.#options
    clock.correct(clock.wallMs() - (record.clockAheadMs ?? 0), clock.monotonicMs(), 0)
    const state: SessionState = { ...initialSession, ...record.state } as SessionState
    await this.dispatch({ type: 'restored', state })
  }

  /** The operating system gave or took away a permission while the session runs. */
  notePermission(permission: LaneName, state: PermissionState): void {
    if (isCapturing(this.#state)) this.#events.note('permission.changed', 'shell', { permission, state })
  }

  /** The candidate reads another language now: an open question is put again in it, if `wanted` still says so by then. */
  relocalise(wanted: () => boolean): void {
    if (this.#state.phase === 'consenting') this.#background.run(() => this.#asking.relocalise(wanted))
    else this.#later.relocalise()
  }

  /** Answers to what the policy asks for since the session runs; false when another document is asked about by now. */
  answerLater(hash: string, answers: LaneAnswers): boolean {
    return this.#later.answer(hash, answers)
  }

  /** For calls about this session beside its own; undefined before it is joined. */
  caller(): { readonly client: Client; readonly sessionId: string } | undefined {
    const { token, sessionId } = this.#keeper.current ?? {}
    if (sessionId === undefined) return undefined
    return { client: this.#options.clientFor(token), sessionId }
  }

  /** Resolves when nothing more will happen by itself: `done`, `refused` or `failed`. */
  get rested(): Promise<SessionPhase> {
    return this.#rested.promise
  }

  get phase(): SessionPhase {
    return this.#state.phase
  }

  status(): SessionStatus {
    return {
      phase: this.#state.phase,
      sessionId: this.#keeper.current?.sessionId,
      failure: this.#state.failure,
      state: this.#state,
      joined: this.#keeper.view(),
      live: this.#watch.connected,
      coverage: this.#lanes.coverage(),
      lanes: this.#lanes.health(),
      notAsked: isCapturing(this.#state) ? lanesNotAsked(this.#state) : [],
      later: this.#later.question(),
      remaining: this.#options.spool.remaining(),
      upload: this.#upload.status(),
    }
  }

  /** Resolves when the input has taken effect here; what goes over the network comes later. */
  async dispatch(input: SessionInput): Promise<void> {
    const turn = this.#queue.then(() => this.#take(input))
    this.#queue = turn.catch((error: unknown) => this.#options.onTrouble?.(describeError(error)))
    await turn
  }

  /** Leaves at once; everything unsent stays for the next start. Lanes deliver what they hold. */
  async close(): Promise<void> {
    this.#closing.abort()
    await this.#watch.closeLive()
    await this.#queue
    await this.#background.settled()
    await this.#upload.stop()
    if (isCapturing(this.#state)) await this.#stopLanes()
  }

  async #take(input: SessionInput): Promise<void> {
    const before = this.#state.phase
    const { state, effects } = stepSession(this.#state, input, this.#options.clock.wallMs())
    this.#state = state
    if (state.phase !== before) this.#options.onPhase?.(state.phase)
    for (const effect of effects) await this.#carryOut(effect)
    this.#later.consider()
    const untold = state.phase === 'refused' && !state.endKnown
    if (isOverPhase(state.phase) && !untold) this.#rested.resolve(state.phase)
  }

  async #carryOut(effect: SessionEffect): Promise<void> {
    switch (effect.type) {
      case 'ask_consent':
        return this.#background.run(() => this.#asking.ask())
      case 'register':
        return this.#background.run(() => this.#register(false))
      case 'come_back':
        return this.#background.run(() => this.#register(true))
      case 'send_end':
        return this.#background.run(() => this.#ending.sendEnd(effect.reason))
      case 'send_refusal':
        return this.#background.run(() => this.#ending.sendRefusal())
      case 'drain':
        this.#upload.start(this.#keeper.joined)
        return this.#background.run(() => this.#ending.drain())
      case 'note_absence':
        return this.#lanes.noteAbsence(this.#state, this.#keeper.joined.registeredAt)
      case 'run_lanes':
        return this.#lanes.run(effect)
      case 'pause_lanes':
        return this.#lanes.pause(effect.reason)
      case 'resume_lanes':
        return this.#lanes.resume()
      case 'stop_lanes':
        return this.#stopLanes()
      case 'note_withdrawn':
        return this.#events.note('lane.withdrawn', 'session', { lane: effect.lane })
      case 'stop_sending':
        if (this.#state.phase === 'done') this.#options.spool.chain.forget()
        return this.#upload.stop()
      case 'discard':
        this.#keeper.end(this.#keeper.current?.endedAt ?? this.#options.clock.wallMs())
        return this.#options.spool.discard()
      case 'save':
        return this.#keeper.save(this.#state, this.#options.clock.aheadMs())
    }
  }

  async #join(): Promise<void> {
    const { config, callIn, ...joined } = await this.#link.join(this.#entry)
    this.#keeper.replace({ ...joined, server: this.#options.server, state: { ...this.#state } })
    await this.dispatch({ type: 'joined', config, callIn })
  }

  async #register(again: boolean): Promise<void> {
    const record = { ...this.#keeper.joined, state: { ...this.#state } }
    const away = (): void => this.#background.run(() => this.#goOnAlone())
    const answer = again ? await this.#link.comeBack(record, away) : await this.#link.register(record)
    if (answer.kind === 'document_changed') {
      this.#asking.replace(answer.document)
      return this.dispatch({ type: 'document_changed', config: answer.config })
    }
    this.#keeper.keep({ registeredAt: record.registeredAt ?? this.#options.clock.wallMs() })
    this.#upload.start(this.#keeper.joined)
    // Asked once more before anything is deleted.
    if (answer.kind === 'not_found') {
      await this.#watch.read()
      return this.#state.phase === 'registering' ? this.#register(again) : undefined
    }
    // It ended or was erased while this agent was away: what was captured before is still delivered.
    if (answer.kind === 'gone' || answer.session.ended) return this.dispatch({ type: 'session_gone' })
    const { config, policyVersion, callIn } = answer.session
    await this.dispatch({ type: 'registered', config, policyVersion, callIn })
    this.#events.note('agent.started', 'session', { resumed: again })
    this.#startLoops()
    this.#watch.openLive()
  }

  /** Nothing of this machine is lost because the service is away: what is captured waits in the spool. */
  async #goOnAlone(): Promise<void> {
    await this.dispatch({ type: 'service_away' })
    if (!isCapturing(this.#state)) return
    this.#upload.start(this.#keeper.joined)
    this.#startLoops()
  }

  async #stopLanes(): Promise<void> {
    await this.#watch.closeLive()
    await this.#lanes.stop()
    this.#keeper.end(this.#options.clock.wallMs())
  }

  #serviceTime(serviceMs: number, monotonicMs: number, uncertaintyMs: number): void {
    const movedMs = this.#options.clock.correct(serviceMs, monotonicMs, uncertaintyMs)
    if (movedMs === undefined || !isCapturing(this.#state)) return
    this.#events.note('clock.corrected', 'session', { movedMs: Math.round(movedMs) })
  }

  async #lookAtBreak(): Promise<void> {
    if (breakOver(this.#state, this.#options.clock.wallMs())) await this.dispatch({ type: 'look_at_break' })
  }

  #startLoops(): void {
    this.#loops.start([
      { everyMs: 1000, work: () => this.#lookAtBreak() },
      { everyMs: heartbeatMs, work: () => this.#options.spool.signs.heartbeat() },
      { everyMs: usuallyMs, work: () => this.#lanes.noteCoverage() },
      { everyMs: usuallyMs, work: () => this.#watch.read().then(() => this.#later.consider()) },
    ])
  }

  /** Of work beside the queue: it fails the session, unless we are closing. */
  async #failed(error: unknown): Promise<void> {
    if (error instanceof Closing || this.#closing.signal.aborted) return
    this.#options.onFailure?.(error)
    if (isStatus(error, 401)) await this.dispatch({ type: 'unauthorized' })
    else await this.dispatch({ type: 'failed', message: describeError(error) })
  }
}
