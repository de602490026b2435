import type { Client } from '@integrity/client/every-endpoint'
import { isOverPhase, type LaneName, type PermissionState, type SessionPhase } from '@integrity/protocol'
import type { SealedRecord } from '../spool/sealed-record.ts'
import type { Spool } from '../spool/spool.ts'
import { describeError } from '../upload/answers.ts'
import type { QualityLevel } from '../upload/bandwidth.ts'
import { Uploader } from '../upload/uploader.ts'
import { absencesOf } from './absence.ts'
import type { AgentSessionOptions, SessionStatus } from './agent-session.types.ts'
import { ConsentAsking } from './consent-asking.ts'
import { CoverageTotals } from './coverage-totals.ts'
import { LaterAsking } from './later-asking.ts'
import { PolicyWatch } from './policy-watch.ts'
import { Closing, isStatus } from './service-calls.ts'
import { type Entry, ServiceLink } from './service-link.ts'
import { SessionEvents } from './session-events.ts'
import { initialSession, isCapturing, lanesNotAsked, stepSession } from './session-machine.ts'
import type { LaneAnswers, SessionEffect, SessionInput, SessionState } from './session-machine.types.ts'
import { type SessionRecord, sessionRecord } from './session-record.ts'
import { createSpoolSink, type SpoolSink } from './spool-sink.ts'

const everyMs = 10_000
const heartbeatMs = 5000
const drainCheckMs = 250

/**
 * Carries out the session machine: network, lanes, spool. One input at a time; what waits for a person or the
 * network runs beside it and comes back as an input.
 */
export class AgentSession {
  readonly #options: AgentSessionOptions
  readonly #events: SessionEvents
  readonly #sink: SpoolSink
  readonly #file: SealedRecord<SessionRecord>
  readonly #link: ServiceLink
  readonly #watch: PolicyWatch
  readonly #asking: ConsentAsking
  readonly #later: LaterAsking
  readonly #coverage = new CoverageTotals()
  readonly #closing = new AbortController()
  readonly #rested = Promise.withResolvers<SessionPhase>()
  readonly #background = new Set<Promise<void>>()
  #queue: Promise<void> = Promise.resolve()
  #state: SessionState = initialSession
  #record: SessionRecord | undefined
  #entry: Entry = {}
  #uploader: Uploader | undefined
  #looping = false

  constructor(options: AgentSessionOptions) {
    this.#options = options
    const { spool, clock, listener } = options
    const nudge = (): void => this.#uploader?.nudge()
    const onTrouble = (trouble: string): void => this.#trouble(trouble)
    this.#events = new SessionEvents({ spool, clock, listener, onStored: nudge, onTrouble })
    this.#sink = createSpoolSink({ spool, events: this.#events, listener, onStored: nudge })
    this.#file = spool.record('session', sessionRecord)
    this.#link = new ServiceLink({
      clientFor: options.clientFor,
      device: options.device,
      capabilities: () => options.observers.capabilities(),
      permissions: options.permissions ?? (() => ({})),
      locale: options.locale,
      retry: {
        clock,
        signal: this.#closing.signal,
        random: options.random ?? Math.random,
        onTrouble: (trouble) => this.#trouble(trouble),
      },
      onServiceTime: (...told) => this.#serviceTime(...told),
    })
    const parts = {
      link: this.#link,
      record: () => this.#joined,
      dispatch: (input: SessionInput) => this.dispatch(input),
      onTrouble: (trouble: string) => this.#trouble(trouble),
      closing: this.#closing.signal,
      keep: (part: Partial<SessionRecord>) => {
        this.#record = { ...this.#joined, ...part }
      },
    }
    this.#watch = new PolicyWatch({ ...parts, clock, openLive: options.openLive })
    this.#asking = new ConsentAsking({ ...parts, ask: options.askConsent, config: () => this.#state.config })
    const inBackground = (work: () => Promise<void>): void => this.#inBackground(work)
    const { onAskedLater: onAsked } = options
    this.#later = new LaterAsking({ ...parts, clock, inBackground, onAsked, state: () => this.#state })
  }

  /** The session an earlier run of this folder left, if any. */
  static async saved(spool: Spool): Promise<SessionRecord | undefined> {
    return spool.record('session', sessionRecord).load()
  }

  /** Joins a new session. What an earlier, finished one left behind is forgotten. */
  async join(entry: Entry): Promise<void> {
    await this.#options.spool.reset()
    await this.#file.clear()
    this.#entry = entry
    this.#inBackground(() => this.#join())
  }

  /** Goes on with the session of an earlier run. */
  async restore(record: SessionRecord): Promise<void> {
    this.#record = record
    const { clock } = this.#options
    clock.correct(clock.wallMs() - (record.clockAheadMs ?? 0), clock.monotonicMs(), 0)
    const state: SessionState = { ...initialSession, ...record.state } as SessionState
    await this.dispatch({ type: 'restored', state })
  }

  /** The operating system gave or took away a permission while the session runs. */
  notePermission(permission: LaneName, state: PermissionState): void {
    if (isCapturing(this.#state)) this.#events.note('permission.changed', 'shell', { permission, state })
  }

  /** The candidate reads another language now: an open question is put anew in it, if `wanted` still says so by then. */
  relocalise(wanted: () => boolean): void {
    if (this.#state.phase === 'consenting') this.#inBackground(() => this.#asking.relocalise(wanted))
    else this.#later.relocalise()
  }

  /** Answers to what the policy asks for since the session runs; false when another document is asked about by now. */
  answerLater(hash: string, answers: LaneAnswers): boolean {
    return this.#later.answer(hash, answers)
  }

  /** For calls about this session beside its own; undefined before it is joined. */
  caller(): { readonly client: Client; readonly sessionId: string } | undefined {
    if (!this.#record) return undefined
    const { token, sessionId } = this.#record
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
      sessionId: this.#record?.sessionId,
      failure: this.#state.failure,
      state: this.#state,
      joined: this.#joinedView(),
      live: this.#watch.connected,
      coverage: this.#coverage.list(),
      lanes: this.#options.capture.health(),
      notAsked: isCapturing(this.#state) ? lanesNotAsked(this.#state) : [],
      later: this.#later.question(),
      remaining: this.#options.spool.remaining(),
      upload: this.#uploader?.status(),
    }
  }

  /** Resolves when the input has taken effect here; what goes over the network comes later. */
  async dispatch(input: SessionInput): Promise<void> {
    const turn = this.#queue.then(() => this.#take(input))
    this.#queue = turn.catch((error: unknown) => this.#trouble(describeError(error)))
    await turn
  }

  /** Leaves at once; everything unsent stays for the next start. Lanes deliver what they hold. */
  async close(): Promise<void> {
    this.#closing.abort()
    await this.#watch.closeLive()
    await this.#queue
    await Promise.allSettled(this.#background)
    await this.#uploader?.stop()
    if (isCapturing(this.#state)) await this.#stopLanes()
  }

  async #take(input: SessionInput): Promise<void> {
    const before = this.#state.phase
    const { state, effects } = stepSession(this.#state, input)
    this.#state = state
    if (state.phase !== before) this.#options.onPhase?.(state.phase)
    for (const effect of effects) await this.#carryOut(effect)
    this.#later.consider()
    if (isOverPhase(state.phase)) this.#rested.resolve(state.phase)
  }

  async #carryOut(effect: SessionEffect): Promise<void> {
    switch (effect.type) {
      case 'ask_consent':
        return this.#inBackground(() => this.#asking.ask())
      case 'register':
        return this.#inBackground(() => this.#register(false))
      case 'come_back':
        return this.#inBackground(() => this.#register(true))
      case 'send_end':
        return this.#inBackground(() => this.#sendEnd(effect.reason))
      case 'drain':
        this.#startUploader()
        return this.#inBackground(() => this.#drain())
      case 'note_absence':
        return this.#noteAbsence()
      case 'run_lanes':
        return this.#runLanes(effect)
      case 'pause_lanes':
        await this.#options.capture.pause()
        return this.#options.observers.stop()
      case 'resume_lanes':
        return this.#options.capture.resume()
      case 'stop_lanes':
        return this.#stopLanes()
      case 'note_withdrawn':
        return this.#events.note('lane.withdrawn', 'session', { lane: effect.lane })
      case 'stop_sending':
        return this.#uploader?.stop()
      case 'discard':
        this.#record &&= { ...this.#record, endedAt: this.#record.endedAt ?? this.#options.clock.wallMs() }
        return this.#options.spool.discard()
      case 'save':
        return this.#save()
    }
  }

  async #save(): Promise<void> {
    if (!this.#record) return
    // Over for good: the token has done its work.
    if (this.#state.phase === 'done' || this.#state.phase === 'refused') return this.#file.clear()
    const clockAheadMs = Math.round(this.#options.clock.aheadMs())
    this.#record = { ...this.#record, state: { ...this.#state }, clockAheadMs }
    await this.#file.save(this.#record)
  }

  async #join(): Promise<void> {
    const { config, ...joined } = await this.#link.join(this.#entry)
    this.#record = { ...joined, server: this.#options.server, state: { ...this.#state } }
    await this.dispatch({ type: 'joined', config })
  }

  async #register(again: boolean): Promise<void> {
    const record = { ...this.#joined, state: { ...this.#state } }
    const away = (): void => this.#inBackground(() => this.#goOnAlone())
    const answer = again ? await this.#link.comeBack(record, away) : await this.#link.register(record)
    if (answer.kind === 'document_changed') {
      this.#asking.replace(answer.document)
      return this.dispatch({ type: 'document_changed', config: answer.config })
    }
    this.#record = { ...this.#joined, registeredAt: record.registeredAt ?? this.#options.clock.wallMs() }
    this.#startUploader()
    // Asked once more before anything is deleted.
    if (answer.kind === 'not_found') {
      await this.#watch.read()
      return this.#state.phase === 'registering' ? this.#register(again) : undefined
    }
    // It ended or was erased while this agent was away: what was captured before is still delivered.
    if (answer.kind === 'gone' || answer.session.ended) return this.dispatch({ type: 'session_gone' })
    const { config, policyVersion } = answer.session
    await this.dispatch({ type: 'registered', config, policyVersion })
    this.#events.note('agent.started', 'session', { resumed: again })
    this.#startLoops()
    this.#watch.openLive()
  }

  /** Nothing of this machine is lost because the service is away: what is captured waits in the spool. */
  async #goOnAlone(): Promise<void> {
    await this.dispatch({ type: 'service_away' })
    if (!isCapturing(this.#state)) return
    this.#startUploader()
    this.#startLoops()
  }

  async #sendEnd(reason: string): Promise<void> {
    await this.#link.end(this.#joined, reason)
    await this.dispatch({ type: 'end_confirmed' })
  }

  async #drain(): Promise<void> {
    while (this.#state.phase === 'finishing' && !this.#closing.signal.aborted) {
      const { items, events, segments } = this.#options.spool.remaining()
      if (items + events + segments === 0) await this.#watch.idle().then(() => this.dispatch({ type: 'drained' }))
      if (this.#state.phase === 'finishing') await this.#options.clock.sleep(drainCheckMs, this.#closing.signal)
    }
  }

  #noteAbsence(): void {
    const { spool, clock } = this.#options
    const { registeredAt } = this.#joined
    for (const absence of absencesOf(this.#state, spool, registeredAt, clock.wallMs())) this.#events.absence(absence)
  }

  async #runLanes({ lanes, config }: Extract<SessionEffect, { type: 'run_lanes' }>): Promise<void> {
    const { capture, observers } = this.#options
    await capture.apply(
      lanes.filter((lane) => lane !== 'signals'),
      config,
      this.#sink,
    )
    if (!lanes.includes('signals')) return observers.stop()
    await observers.start(this.#events.fromObservers, config)
  }

  async #stopLanes(): Promise<void> {
    await this.#watch.closeLive()
    await this.#options.capture.stop()
    await this.#options.observers.stop()
    this.#sink.settle()
    this.#noteCoverage()
    this.#events.note('agent.stopping', 'session', {})
    if (this.#record) this.#record = { ...this.#record, endedAt: this.#options.clock.wallMs() }
  }

  #noteCoverage(): void {
    for (const window of this.#options.capture.takeCoverage()) {
      this.#events.coverage(window)
      this.#coverage.add(window)
    }
  }

  #serviceTime(serviceMs: number, monotonicMs: number, uncertaintyMs: number): void {
    const movedMs = this.#options.clock.correct(serviceMs, monotonicMs, uncertaintyMs)
    if (movedMs === undefined || !isCapturing(this.#state)) return
    this.#events.note('clock.corrected', 'session', { movedMs: Math.round(movedMs) })
  }

  #startUploader(): void {
    if (this.#uploader) return
    const { spool, clientFor, clock, random } = this.#options
    const { token, sessionId } = this.#joined
    this.#uploader = new Uploader({
      spool,
      client: clientFor(token),
      sessionId,
      clock,
      ...(random ? { random } : {}),
      onQuality: (level) => this.#quality(level),
      onUnauthorized: () => this.#inBackground(() => this.dispatch({ type: 'unauthorized' })),
      onGone: () => this.#inBackground(() => this.#watch.read()),
      onTrouble: (trouble) => this.#trouble(trouble),
    })
    this.#uploader.start()
  }

  #quality(level: QualityLevel): void {
    this.#events.note('quality.changed', 'uploader', { level })
    this.#inBackground(() => this.#options.capture.setQuality(level))
  }

  #startLoops(): void {
    if (this.#looping) return
    this.#looping = true
    this.#inBackground(() => this.#every(heartbeatMs, () => this.#options.spool.heartbeat()))
    this.#inBackground(() => this.#every(everyMs, () => this.#noteCoverage()))
    this.#inBackground(() => this.#every(everyMs, () => this.#watch.read().then(() => this.#later.consider())))
  }

  /** While the session is captured. */
  async #every(ms: number, work: () => void | Promise<void>): Promise<void> {
    const { clock } = this.#options
    while (isCapturing(this.#state)) {
      await clock.sleep(ms, this.#closing.signal)
      if (this.#closing.signal.aborted) return
      if (isCapturing(this.#state)) await work()
    }
  }

  #joinedView(): SessionStatus['joined'] {
    if (!this.#record) return undefined
    const { token: _token, state: _state, ...view } = this.#record
    return view
  }

  get #joined(): SessionRecord {
    if (!this.#record) throw new Error('no session has been joined')
    return this.#record
  }

  /** Work beside the queue; its failure fails the session, unless we are closing. */
  #inBackground(work: () => Promise<void>): void {
    const running = work()
      .catch(async (error: unknown) => {
        if (error instanceof Closing || this.#closing.signal.aborted) return
        this.#options.onFailure?.(error)
        if (isStatus(error, 401)) await this.dispatch({ type: 'unauthorized' })
        else await this.dispatch({ type: 'failed', message: describeError(error) })
      })
      .finally(() => this.#background.delete(running))
    this.#background.add(running)
  }

  #trouble(trouble: string): void {
    this.#options.onTrouble?.(trouble)
  }
}
