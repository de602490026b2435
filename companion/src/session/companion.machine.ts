import { backoffMs, deviceBackoff } from '@integrity/client/backoff'
import { type FailureKind, IntegrityError } from '@integrity/client/errors'
import type { CodeProblem, CompanionActions, CompanionState } from './companion.states.ts'
import type { Identity } from './companion-api.ts'
import { findCode, serviceOf } from './join-code.ts'
import { Live } from './live.ts'
import { Placement } from './placement.ts'
import type { Memory, QueuePort } from './queue.port.ts'
import { Sender } from './sender.ts'
import type { OpenCamera, Ports } from './session.ports.ts'
import type { Claimed, ConsentDocument, Pairing, Status, Step } from './session.types.ts'

/** How often a paused side view asks whether it is wanted again. */
const lookAgainMs = 10_000

const codeProblems: Partial<Record<FailureKind, CodeProblem>> = {
  not_found: 'not_found',
  refused: 'not_found',
  conflict: 'conflict',
  too_many: 'too_many',
}

const identityOf = ({ token, session }: Pairing): Identity => ({ token, sessionId: session.id })

/** The phone from its code to its unpairing. Knows nothing of React, the DOM or the device. */
export class Companion implements CompanionActions {
  readonly #ports: Ports
  readonly #listeners = new Set<() => void>()
  #state: CompanionState = { name: 'opening' }
  #queue: QueuePort | undefined
  #memory: Memory = {}
  #pairing: Pairing | undefined
  #sender: Sender | undefined
  #placement: Placement | undefined
  #live: Live | undefined
  #leaving: 'unpaired' | 'ended' = 'unpaired'
  #cancelLook = () => {}
  /** The code of the link that opened the app, while an earlier pairing is still on this phone. */
  #opened: string | undefined

  constructor(ports: Ports) {
    this.#ports = ports
    ports.device.onOnline(() => this.#sender?.again())
  }

  /** An arrow, so that React may hold it. */
  readonly snapshot = (): CompanionState => this.#state

  /** Calls back after each change; answers how to stop. */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Goes on where it was before a reload; `opened`: the link that the app was opened with. */
  start(opened: string | undefined): void {
    void this.#start(opened).catch(() => this.#set({ name: 'unsupported', why: 'storage' }))
  }

  enter(text: string): void {
    if (this.#state.name !== 'code' || this.#state.busy) return
    const code = findCode(text)
    if (code === undefined) this.#set({ name: 'code', busy: false, problem: 'not_a_code' })
    else {
      this.#learn(text)
      void this.#claim(code)
    }
  }

  answer(accepted: boolean, locale: string): void {
    if (this.#state.name !== 'consent' || this.#state.busy) return
    this.#set({ ...this.#state, busy: true, problem: false, changed: false })
    void this.#answer(this.#state.pairing, accepted, locale)
  }

  relocalise(locale: string): void {
    if (this.#state.name !== 'consent' || this.#state.pairing.consentDocument.locale === locale) return
    const asked = this.#state.pairing
    this.#ports.api.status(identityOf(asked), locale).then(
      async ({ consentDocument, config }) => {
        const shown = this.#state
        // An answer that is under way is to the words that were shown.
        if (!consentDocument || shown.name !== 'consent' || shown.busy || shown.pairing !== asked) return
        await this.#go({ ...asked, config, consentDocument })
      },
      // Without an answer the words stay as they are, and the page says in which language they are.
      () => undefined,
    )
  }

  reconsider(): void {
    if (this.#state.name === 'declined') void this.#go({ ...this.#state.pairing, stage: 'consent' })
  }

  openCamera(): void {
    void this.#placement?.open()
  }
  tick(step: Step): void {
    this.#placement?.tick(step)
  }
  takePhoto(): void {
    void this.#placement?.shoot()
  }
  retakePhoto(): void {
    this.#placement?.retake()
  }

  sendPhoto(): void {
    if (this.#state.name === 'placement' && this.#state.placement.photo) void this.#placed(this.#state.pairing)
  }

  unpair(): void {
    const shown = this.#state
    if (shown.name === 'consent' || shown.name === 'declined' || shown.name === 'placement' || shown.name === 'live')
      void this.#leave('unpaired')
  }

  abandon(): void {
    if (this.#state.name === 'leaving') void this.#finish(this.#state.why)
  }

  /** The screens have failed: nothing is taken behind them. `takeOver` goes on. */
  suspend(): void {
    this.#rest({ name: 'elsewhere' })
  }

  takeOver(): void {
    if (this.#state.name !== 'elsewhere') return
    this.#set({ name: 'opening' })
    this.start(undefined)
  }

  again(): void {
    if (this.#state.name === 'done') this.#set({ name: 'code', busy: false, problem: undefined })
  }

  async #start(opened: string | undefined): Promise<void> {
    await this.#ports.device.takeOver(() => this.#rest({ name: 'elsewhere' }))
    this.#queue = await this.#ports.openQueue()
    if (!this.#ports.camera.supported) return this.#set({ name: 'unsupported', why: 'camera' })
    await this.#queue.recover()
    this.#memory = await this.#queue.recall()
    const { pairing, claiming } = this.#memory
    const code = opened === undefined ? undefined : findCode(opened)
    this.#opened = code
    if (pairing) return this.#go(pairing)
    if (opened !== undefined) this.#learn(opened)
    this.#set({ name: 'code', busy: false, problem: undefined })
    if (code ?? claiming) await this.#claim(code ?? claiming?.code ?? '')
  }

  #learn(text: string): void {
    const service = serviceOf(text)
    if (service !== undefined) this.#ports.learnService(service)
  }

  async #claim(code: string): Promise<void> {
    this.#set({ name: 'code', busy: true, problem: undefined })
    const known = this.#memory.claiming?.code === code ? this.#memory.claiming : undefined
    const claiming = known ?? { code, key: this.#ports.device.newId(), locale: this.#ports.language() }
    try {
      await this.#remember({ claiming })
      const claimed = await this.#ports.api.claim(code, claiming.key, this.#ports.device.facts, claiming.locale)
      this.#opened = undefined
      await this.#go(pairingOf(claimed))
    } catch (error) {
      const problem = error instanceof IntegrityError ? (codeProblems[error.kind] ?? 'unreachable') : 'unreachable'
      // An answer that did not come may have been a yes; any other one was a no, and is not asked for again.
      if (problem !== 'unreachable') await this.#remember({}).catch(() => undefined)
      this.#set({ name: 'code', busy: false, problem })
    }
  }

  async #answer(pairing: Pairing, accepted: boolean, locale: string): Promise<void> {
    const { version, hash } = pairing.consentDocument
    const acceptedAt = new Date(this.#ports.serverTime.now()).toISOString()
    try {
      const answer = { version, locale, documentHash: hash, accepted, acceptedAt }
      const status = await this.#ports.api.consent(identityOf(pairing), answer)
      await this.#go({ ...pairing, config: status.config, stage: accepted ? 'placement' : 'declined' })
    } catch (error) {
      const kind = error instanceof IntegrityError ? error.kind : undefined
      if (kind === 'unauthorized') return this.#finish('gone')
      const extra = error instanceof IntegrityError ? error.extra : {}
      const document = extra['consentDocument'] as ConsentDocument | undefined
      // The one other conflict is that the interview is over.
      if (kind === 'conflict' && !document) return this.#finish('ended')
      const now = document && (await this.#ports.api.status(identityOf(pairing), locale).catch(() => undefined))
      const shown = { ...pairing, ...(now && { config: now.config }), ...(document && { consentDocument: document }) }
      this.#set({ name: 'consent', pairing: shown, busy: false, problem: !document, changed: document !== undefined })
    }
  }

  /** To the stage of this pairing, which is kept first. */
  async #go(pairing: Pairing): Promise<void> {
    const isLive = pairing.stage === 'live'
    this.#pairing = isLive ? { ...pairing, liveSince: pairing.liveSince ?? this.#ports.serverTime.now() } : pairing
    await this.#remember({ pairing: this.#pairing })
    this.#sender ??= this.#makeSender(this.#pairing)
    if (pairing.stage === 'leaving') return this.#leave('unpaired')
    if (isLive) return this.#goLive(this.#pairing)
    if (pairing.stage === 'placement') {
      this.#placement = new Placement(this.#ports, () => this.#show())
      this.#set({ name: 'placement', pairing, placement: this.#placement.view })
    } else if (pairing.stage === 'declined') this.#set({ name: 'declined', pairing })
    else this.#set({ name: 'consent', pairing, busy: false, problem: false, changed: false })
  }

  #makeSender(pairing: Pairing): Sender {
    return new Sender(this.#ports, this.#openQueue(), identityOf(pairing), {
      onChange: () => this.#show(),
      onPresence: ({ session, config }) => this.#heard(session.state, config),
      onStop: (kind) => (kind === 'unauthorized' ? void this.#finish('gone') : this.#pause()),
      onBroken: () => this.#rest({ name: 'unsupported', why: 'storage' }),
    })
  }

  /** Nothing is taken or sent here any more. What is kept stays kept, and a new start goes on from there. */
  #rest(state: CompanionState): void {
    this.#cancelLook()
    this.#sender?.stop()
    this.#placement?.end()?.close()
    void this.#live?.stop()
    this.#sender = undefined
    this.#placement = undefined
    this.#live = undefined
    this.#set(state)
  }

  async #placed(pairing: Pairing): Promise<void> {
    const { photo, answers } = this.#placement?.view ?? {}
    if (!photo || !answers) return
    const { at, ...picture } = photo
    const item = {
      kind: 'placement',
      clientId: this.#ports.device.newId(),
      at,
      steps: answers,
      photo: picture,
    } as const
    try {
      await this.#sender?.put({ ...item, sessionId: pairing.session.id })
    } catch {
      this.#placement?.refuse()
      return
    }
    await this.#go({ ...pairing, stage: 'live' })
  }

  #goLive(pairing: Pairing): void {
    const sender = this.#sender
    if (!sender) return
    const camera: OpenCamera | undefined = this.#placement?.end()
    this.#placement = undefined
    this.#live = new Live(this.#ports, this.#openQueue(), sender, pairing, () => this.#show())
    this.#set({ name: 'live', pairing, live: this.#live.view, sending: sender.view, clockAhead: 0 })
    this.#live.start(camera)
    sender.wake()
  }

  /** What the service says of the session and its policy. */
  #heard(state: Claimed['session']['state'], config: Claimed['config']): void {
    const pairing = this.#pairing
    if (!pairing) return
    if (state === 'ended') {
      if (this.#state.name === 'live') void this.#leave('ended')
      return
    }
    const same = pairing.session.state === state && JSON.stringify(pairing.config) === JSON.stringify(config)
    if (same) return
    this.#pairing = { ...pairing, config, session: { ...pairing.session, state } }
    void this.#remember({ pairing: this.#pairing })
    this.#live?.update(this.#pairing)
    this.#show()
  }

  /** Policy or consent says no: nothing is taken until they say yes again. */
  #pause(): void {
    if (this.#state.name !== 'live') return
    this.#live?.pause(true)
    this.#cancelLook()
    this.#cancelLook = this.#ports.time.after(lookAgainMs, () => void this.#lookAgain())
  }

  async #lookAgain(): Promise<void> {
    const pairing = this.#pairing
    if (this.#state.name !== 'live' || !pairing) return
    let status: Status | undefined
    try {
      status = await this.#ports.api.status(identityOf(pairing))
    } catch (error) {
      if (error instanceof IntegrityError && error.kind === 'unauthorized') return this.#finish('gone')
    }
    if (status?.consent === 'granted' && status.config.sideView.enabled) {
      this.#heard(pairing.session.state, status.config)
      this.#live?.pause(false)
    } else this.#pause()
  }

  /** Sends what is left, then lets go. */
  async #leave(why: 'unpaired' | 'ended'): Promise<void> {
    const [pairing, sender] = [this.#pairing, this.#sender]
    if (!pairing || !sender) return
    this.#cancelLook()
    this.#leaving = why
    this.#set({ name: 'leaving', pairing, why, sending: sender.view })
    // The camera first: the candidate's word counts from the moment it is given.
    this.#placement?.end()?.close()
    const stopped = this.#live?.stop()
    await this.#remember({ pairing: { ...pairing, stage: 'leaving' } })
    await stopped
    await sender.drained()
    await this.#letGo(pairing, 1)
  }

  /** Until the service has heard it, or the candidate does not want to wait. */
  async #letGo(pairing: Pairing, failures: number): Promise<void> {
    if (this.#state.name !== 'leaving') return
    try {
      await this.#ports.api.unpair(identityOf(pairing))
    } catch (error) {
      const problem = error instanceof IntegrityError ? error : undefined
      if (problem?.isPassing) {
        this.#sender?.heard(false)
        const random = () => this.#ports.time.random()
        const wait = backoffMs(failures, { ...deviceBackoff, random, askedMs: problem.retryAfterMs })
        this.#cancelLook = this.#ports.time.after(wait, () => void this.#letGo(pairing, failures + 1))
        return
      }
    }
    if (this.#is('leaving')) await this.#finish(this.#leaving)
  }

  async #finish(why: 'unpaired' | 'ended' | 'gone'): Promise<void> {
    this.#cancelLook()
    this.#pairing = undefined
    this.#sender?.stop()
    this.#sender = undefined
    this.#placement?.end()?.close()
    this.#placement = undefined
    const live = this.#live
    this.#live = undefined
    await live?.stop()
    this.#memory = {}
    await this.#queue?.clear()
    const code = this.#opened
    this.#opened = undefined
    // The earlier pairing turned out to be over: the link that was just opened is meant.
    if (why === 'gone' && code !== undefined) await this.#claim(code)
    else this.#set({ name: 'done', why })
  }

  // A method, so that the compiler does not take the state before an await for the state after it.
  #is(name: CompanionState['name']): boolean {
    return this.#state.name === name
  }

  #openQueue(): QueuePort {
    if (!this.#queue) throw new Error('the queue is open before anything is paired')
    return this.#queue
  }

  async #remember(memory: Memory): Promise<void> {
    this.#memory = memory
    await this.#queue?.remember(memory)
  }

  /** The parts have changed: the state on show is made anew of their views. */
  #show(): void {
    const [shown, pairing, sender] = [this.#state, this.#pairing, this.#sender]
    if (!pairing) return
    if (shown.name === 'placement' && this.#placement)
      this.#set({ name: 'placement', pairing, placement: this.#placement.view })
    else if (shown.name === 'live' && this.#live && sender) {
      const clockAhead = this.#ports.serverTime.ahead
      this.#set({ name: 'live', pairing, live: this.#live.view, sending: sender.view, clockAhead })
    } else if (shown.name === 'leaving' && sender)
      this.#set({ name: 'leaving', pairing, why: this.#leaving, sending: sender.view })
  }

  #set(state: CompanionState): void {
    this.#state = state
    for (const listener of this.#listeners) listener()
  }
}

const pairingOf = ({ companionToken, companionId, session, org, config, consentDocument }: Claimed): Pairing => ({
  companionId,
  session,
  org,
  config,
  consentDocument,
  token: companionToken,
  stage: 'consent',
})
