import { Shown } from '@integrity/protocol/clients/shown'
import { type CompanionActions, type CompanionState, shownAnew } from './companion.states.ts'
import { findCode, serviceOf } from './join-code.ts'
import { Kept } from './kept.ts'
import { Live } from './live.ts'
import { LookingAgain } from './looking-again.ts'
import { answerDocument, claimCode, identityOf, readDocument } from './pairing.ts'
import { Placement } from './placement.ts'
import { Sender } from './sender.ts'
import type { OpenCamera, Ports } from './session.ports.ts'
import type { Claimed, Pairing, Step } from './session.types.ts'
import { Unpairing } from './unpairing.ts'

/** The phone from its code to its unpairing. Knows nothing of React, the DOM or the device. */
export class Companion implements CompanionActions {
  readonly #ports: Ports
  readonly #shown = new Shown<CompanionState>({ name: 'opening' })
  readonly subscribe = this.#shown.subscribe
  readonly #kept: Kept
  #pairing: Pairing | undefined
  #sender: Sender | undefined
  #placement: Placement | undefined
  #live: Live | undefined
  readonly #looking: LookingAgain
  readonly #unpairing: Unpairing
  /** The code of the link that opened the app, while an earlier pairing is still on this phone. */
  #opened: string | undefined

  constructor(ports: Ports) {
    this.#ports = ports
    this.#kept = new Kept(ports.openQueue)
    this.#looking = new LookingAgain(ports, {
      onWanted: (config) => {
        if (this.#pairing) this.#heard(this.#pairing.session.state, config)
        this.#live?.pause(false)
      },
      onNotWanted: () => this.#pause(),
      onGone: () => void this.#finish('gone'),
    })
    this.#unpairing = new Unpairing(ports, () => this.#sender?.heard(false))
    ports.device.onOnline(() => this.#sender?.again())
  }

  /** An arrow, so that React may hold it. */
  readonly snapshot = (): CompanionState => this.#shown.state

  get #state(): CompanionState {
    return this.#shown.state
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
    void readDocument(this.#ports.api, asked, locale).then((anew) => {
      const shown = this.#state
      // An answer that is under way is to the words that were shown.
      if (anew && shown.name === 'consent' && !shown.busy && shown.pairing === asked) return this.#go(anew)
      return undefined
    })
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
    this.#rest({ name: 'elsewhere', pairing: this.#pairing })
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
    await this.#ports.device.takeOver(() => this.#rest({ name: 'elsewhere', pairing: this.#pairing }))
    await this.#kept.open()
    if (!this.#ports.camera.supported) return this.#set({ name: 'unsupported', why: 'camera' })
    await this.#kept.recover()
    const { pairing, claiming } = this.#kept.memory
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
    const claimed = await claimCode(this.#ports, code, this.#kept.memory.claiming, (memory) =>
      this.#kept.remember(memory),
    )
    if (typeof claimed === 'string') return this.#set({ name: 'code', busy: false, problem: claimed })
    this.#opened = undefined
    await this.#go(claimed).catch(() => this.#set({ name: 'code', busy: false, problem: 'unreachable' }))
  }

  async #answer(pairing: Pairing, accepted: boolean, locale: string): Promise<void> {
    const answered = await answerDocument(this.#ports, pairing, accepted, locale)
    const askAgain = (shown: Pairing, changed: boolean) =>
      this.#set({ name: 'consent', pairing: shown, busy: false, problem: !changed, changed })
    if (answered.kind === 'over') return this.#finish(answered.why)
    if (answered.kind === 'again') return askAgain(answered.pairing, answered.changed)
    const stage = accepted ? 'placement' : 'declined'
    await this.#go({ ...pairing, config: answered.config, stage }).catch(() => askAgain(pairing, false))
  }

  /** To the stage of this pairing, which is kept first. */
  async #go(pairing: Pairing): Promise<void> {
    const isLive = pairing.stage === 'live'
    this.#pairing = isLive ? { ...pairing, liveSince: pairing.liveSince ?? this.#ports.serverTime.now() } : pairing
    await this.#kept.remember({ pairing: this.#pairing })
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
    return new Sender(this.#ports, this.#kept.queue, identityOf(pairing), {
      onChange: () => this.#show(),
      onPresence: ({ session, config }) => this.#heard(session.state, config),
      onStop: (kind) => (kind === 'unauthorized' ? void this.#finish('gone') : this.#pause()),
      onBroken: () => this.#rest({ name: 'unsupported', why: 'storage' }),
    })
  }

  /** Nothing is taken or sent here any more. What is kept stays kept, and a new start goes on from there. */
  #rest(state: CompanionState): void {
    void this.#off()
    this.#set(state)
  }

  /** Resolves when the last of what was taken is kept. */
  async #off(): Promise<void> {
    this.#looking.stop()
    this.#unpairing.stop()
    this.#sender?.stop()
    this.#placement?.end()?.close()
    const stopped = this.#live?.stop()
    this.#sender = undefined
    this.#placement = undefined
    this.#live = undefined
    await stopped
  }

  async #placed(pairing: Pairing): Promise<void> {
    const item = this.#placement?.itemOf(this.#ports.device.newId(), pairing.session.id)
    if (!item) return
    try {
      await this.#sender?.put(item)
    } catch {
      return this.#placement?.refuse()
    }
    await this.#go({ ...pairing, stage: 'live' })
  }

  #goLive(pairing: Pairing): void {
    const sender = this.#sender
    if (!sender) return
    const camera: OpenCamera | undefined = this.#placement?.end()
    this.#placement = undefined
    this.#live = new Live(this.#ports, this.#kept.queue, sender, pairing, () => this.#show())
    this.#set({ name: 'live', pairing, live: this.#live.view, sending: sender.view, clockAhead: 0 })
    this.#live.start(camera)
    sender.wake()
  }

  /** What the service says of the session and its policy. */
  #heard(state: Claimed['session']['state'], config: Claimed['config']): void {
    const pairing = this.#pairing
    if (!pairing) return
    if (state === 'ended') {
      if (this.#is('live')) void this.#leave('ended')
      return
    }
    if (pairing.session.state === state && JSON.stringify(pairing.config) === JSON.stringify(config)) return
    this.#pairing = { ...pairing, config, session: { ...pairing.session, state } }
    void this.#kept.remember({ pairing: this.#pairing })
    this.#live?.update(this.#pairing)
    this.#show()
  }

  /** Policy or consent says no: nothing is taken until they say yes again. */
  #pause(): void {
    if (this.#state.name !== 'live') return
    this.#live?.pause(true)
    this.#looking.later(() => (this.#is('live') && this.#pairing ? identityOf(this.#pairing) : undefined))
  }

  /** Sends what is left, then lets go. */
  async #leave(why: 'unpaired' | 'ended'): Promise<void> {
    const [pairing, sender] = [this.#pairing, this.#sender]
    if (!pairing || !sender) return
    this.#looking.stop()
    this.#set({ name: 'leaving', pairing, why, sending: sender.view })
    // The camera first: the candidate's word counts from the moment it is given.
    this.#placement?.end()?.close()
    const stopped = this.#live?.stop()
    await this.#kept.remember({ pairing: { ...pairing, stage: 'leaving' } })
    await stopped
    await sender.drained()
    if (!this.#is('leaving')) return
    await this.#unpairing.tell(identityOf(pairing))
    if (this.#is('leaving')) await this.#finish(why)
  }

  async #finish(why: 'unpaired' | 'ended' | 'gone'): Promise<void> {
    const pairing = this.#pairing
    this.#pairing = undefined
    await this.#off()
    await this.#kept.forget()
    const code = this.#opened
    this.#opened = undefined
    // The earlier pairing turned out to be over: the link that was just opened is meant.
    if (why === 'gone' && code !== undefined) await this.#claim(code)
    else this.#set({ name: 'done', why, pairing })
  }

  // A method, as the compiler takes the state before an await for the state after it.
  #is(name: CompanionState['name']): boolean {
    return this.#state.name === name
  }

  /** The parts have changed: the state on show is made again of their views. */
  #show(): void {
    const pairing = this.#pairing
    if (!pairing) return
    const views = { placement: this.#placement?.view, live: this.#live?.view, sending: this.#sender?.view }
    const anew = shownAnew(this.#state, { pairing, ...views, clockAhead: this.#ports.serverTime.ahead })
    if (anew) this.#set(anew)
  }

  #set(state: CompanionState): void {
    this.#shown.set(state)
  }
}
