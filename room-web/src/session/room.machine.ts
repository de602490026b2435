import { IntegrityError } from '@integrity/client/errors'
import { Shown } from '@integrity/protocol/clients/shown'
import { Timer } from '@integrity/shared-ui/session/timer'
import { answerConsent, type Consenting, readAgain } from './consent.step.ts'
import { agreed, asked, mayTake } from './room.facts.ts'
import { Pictures, type PicturesListener } from './room.pictures.ts'
import type { RoomPorts } from './room.ports.ts'
import { giveUp, lastCount, letGo } from './room.releasing.ts'
import type { RoomActions, RoomState } from './room.states.ts'
import type { RoomFacts, Still } from './room.types.ts'
import { linkEndOf } from './room-api.ts'
import type { StillsQueue } from './stills.queue.ts'

/** How often the policy, the consent and the session's end are asked for. */
const refreshMs = 15_000

/** The room from the opened link to its release. Knows nothing of React or the DOM. */
export class Room implements RoomActions {
  readonly #ports: RoomPorts
  readonly #pictures: Pictures
  readonly #shown = new Shown<RoomState>({ name: 'opening' })
  readonly subscribe = this.#shown.subscribe
  /** Whose room it is, once that is known; also after its end. */
  org: RoomFacts['org'] | undefined
  #queue: StillsQueue | undefined
  readonly #timer: Timer
  // Raised by whatever makes earlier work moot: an answer that comes late for an older turn changes nothing.
  #turn = 0
  #suspended = false

  constructor(ports: RoomPorts) {
    this.#ports = ports
    this.#timer = new Timer(ports.time)
    this.#pictures = new Pictures(ports, this.#listener())
    ports.onOnline(() => {
      this.#pictures.sender?.again()
      this.tryNow()
    })
  }

  get state(): RoomState {
    return this.#shown.state
  }

  start(): void {
    this.#run(() => this.#take(false))
  }

  /** The page itself has failed: the camera must not run on behind it. What waits stays in the queue. */
  suspend(): void {
    this.#suspended = true
    this.#leave()
  }

  answer(accepted: boolean): void {
    const shown = this.state
    if (shown.name !== 'consent' || shown.busy) return
    this.#set({ ...shown, busy: true, problem: false })
    this.#run(async () => this.#consenting(await answerConsent(this.#ports, shown.facts, accepted)))
  }

  reconsider(): void {
    const shown = this.state
    if (shown.name === 'declined') this.#run(async () => this.#consenting(await readAgain(this.#ports)))
  }

  openCamera(deviceId?: string): void {
    if (this.state.name === 'camera') void this.#pictures.camera.open(deviceId)
  }

  begin(): void {
    const { camera, sender } = this.#pictures
    if (this.state.name !== 'camera' || !this.state.preview || !sender) return
    const { facts } = this.state
    const opened = camera.handOver()
    if (!opened) return
    const { stream, device } = opened
    this.#ports.memory.camera = device.id
    this.#set({ name: 'live', facts, sending: sender.sending, stream, device, health: 'ok' })
    this.#pictures.record(opened, sender, facts.config.camera.stillIntervalSeconds)
  }

  stop(): void {
    const shown = this.state
    if (shown.name !== 'live' && shown.name !== 'camera') return
    this.#ports.memory.stopping = true
    this.#finish(shown.facts)
  }

  abandon(): void {
    if (this.state.name !== 'releasing') return
    this.#turn += 1
    this.#pictures.sender?.stop()
    this.#run(() => this.#abandon())
  }

  takeOver(): void {
    if (this.state.name === 'elsewhere') this.#run(() => this.#take(true))
  }

  tryNow(): void {
    if (this.state.name === 'unreachable') this.#load()
  }

  relocalise(): void {
    if (this.state.name !== 'consent') return
    this.#turn += 1
    const mine = this.#turn
    this.#ports.api.read().then(
      (facts) => {
        // An answer that is on its way is to the words that were read.
        if (mine === this.#turn && this.state.name === 'consent' && !this.state.busy)
          this.#run(() => this.#proceed(facts))
      },
      // The words stay as they are.
      () => undefined,
    )
  }

  async #take(over: boolean): Promise<void> {
    if (!this.#ports.camera.supported) return this.#set({ name: 'unsupported', why: 'camera' })
    await this.#ports.lock.take(over, () => {
      this.#leave()
      this.#set({ name: 'elsewhere' })
    })
    this.#set({ name: 'opening' })
    this.#queue ??= await this.#ports.openQueue()
    this.#load()
  }

  #load(): void {
    if (this.#suspended) return
    this.#timer.cancel()
    const mine = this.#turn
    this.#run(async () => {
      const facts = await this.#ports.api.read()
      this.#timer.reached()
      if (mine === this.#turn) await this.#proceed(facts)
    })
  }

  /** Where these facts lead, from anywhere. */
  async #proceed(facts: RoomFacts): Promise<void> {
    this.org = facts.org
    if (mayTake(facts)) return this.#collect(facts)
    this.#leave()
    if (!asked(facts)) {
      this.#set({ name: 'off', facts })
      // What was taken while it was asked for is still wanted.
      if (agreed(facts) && this.#queue) this.#pictures.startSending(this.#queue)
      return this.#timer.later(refreshMs, () => this.#load())
    }
    if (facts.consent === null) return this.#read(facts)
    // What was taken and not yet sent goes with the consent.
    await this.#queue?.purge(this.#ports.sessionId)
    this.#set({ name: 'declined', facts, problem: false })
  }

  /** Consent is there: on to the camera, or on with it. */
  async #collect(facts: RoomFacts): Promise<void> {
    const shown = this.state
    if (shown.name === 'live') this.#pictures.changeInterval(facts.config.camera.stillIntervalSeconds)
    if ('sending' in shown) return this.#set({ ...shown, facts })
    this.#leave()
    if (this.#queue) this.#pictures.startSending(this.#queue)
    if (this.#ports.memory.stopping) return this.#finish(facts)
    const { camera, sender } = this.#pictures
    if (!sender) return
    this.#set({ name: 'camera', facts, sending: sender.sending, ...camera.view })
    this.#timer.later(refreshMs, () => this.#refresh())
    // A reload goes on where it was; otherwise the person sees the picture first and begins.
    const before = this.#ports.memory.camera
    if (before !== undefined && (await camera.open(before))) this.begin()
  }

  #refresh(): void {
    const mine = this.#turn
    this.#timer.later(refreshMs, () => this.#refresh())
    this.#ports.api.read().then(
      (facts) => {
        if (mine === this.#turn) this.#run(() => this.#proceed(facts))
      },
      (error: unknown) => {
        // Without a network the queue goes on; only the end of the link ends it.
        if (mine === this.#turn && error instanceof IntegrityError && error.kind === 'unauthorized')
          this.#run(() => this.#over(error))
      },
    )
  }

  /** Policy or consent said no to pictures: what the service says now decides. */
  async #askAgain(stills: readonly Still[]): Promise<void> {
    const mine = this.#turn
    const facts = await this.#ports.api.read()
    if (mine !== this.#turn) return
    // Consent is there, so it was the policy of the moment it was taken in: it must not hold up what comes after it.
    if (agreed(facts)) await this.#pictures.sender?.skip(stills)
    await this.#proceed(facts)
  }

  /** The document is on show. */
  #read(facts: RoomFacts, { changed = false, problem = false } = {}): void {
    this.#set({ name: 'consent', facts, changed, busy: false, problem })
  }

  async #consenting(became: Consenting): Promise<void> {
    const shown = this.state
    if (became.kind === 'settled') await this.#proceed(became.facts)
    else if (became.kind === 'moot') this.#load()
    else if (became.kind === 'read') this.#read(became.facts, became)
    else if (shown.name === 'declined') this.#set({ ...shown, problem: true })
  }

  /** No more pictures from here on; the last ones go out before the room is let go. */
  #finish(facts: RoomFacts): void {
    this.#timer.cancel()
    this.#pictures.stop()
    const { sender } = this.#pictures
    if (!sender) return
    this.#set({ name: 'releasing', facts, sending: sender.sending, lost: 0 })
    const mine = this.#turn
    void sender.drained().then(() => {
      if (mine === this.#turn) this.#run(() => this.#release())
    })
  }

  async #abandon(): Promise<void> {
    const given = await giveUp(this.#queue, this.#ports.sessionId)
    const shown = this.state
    if (shown.name !== 'releasing' || !given) return
    this.#set({ ...shown, lost: given.lost, sending: { ...shown.sending, progress: given.progress } })
    await this.#release()
  }

  async #release(): Promise<void> {
    const shown = this.state
    if (shown.name !== 'releasing') return
    await letGo(this.#ports, this.#timer, () => this.#set({ ...shown, sending: { ...shown.sending, reached: false } }))
    const { sessionId, memory } = this.#ports
    this.#leave()
    memory.forget()
    this.#set({ name: 'done', ...(await lastCount(this.#queue, sessionId, shown)) })
  }

  async #over(problem: IntegrityError): Promise<void> {
    this.#leave()
    this.#ports.memory.forget()
    const lost = (await this.#queue?.purge(this.#ports.sessionId).catch(() => 0)) ?? 0
    this.#set({ name: 'refused', why: linkEndOf(problem), lost })
  }

  #run(work: () => Promise<void>): void {
    work().catch((error: unknown) => {
      if (error instanceof IntegrityError && error.kind === 'unauthorized') return this.#run(() => this.#over(error))
      if (!(error instanceof IntegrityError)) {
        // What is left is this browser's own storage.
        this.#leave()
        return this.#set({ name: 'unsupported', why: 'storage' })
      }
      // Pictures go on being taken and kept; the next refresh asks again.
      if ('sending' in this.state) return this.#timer.retry(error, () => this.#refresh())
      this.#set({ name: 'unreachable' })
      this.#timer.retry(error, () => this.#load())
    })
  }

  /** Everything off; what is on its way changes nothing any more. */
  #leave(): void {
    this.#turn += 1
    this.#timer.cancel()
    this.#pictures.off()
  }

  #listener(): PicturesListener {
    return {
      onCamera: () => {
        if (this.state.name === 'camera') this.#set({ ...this.state, ...this.#pictures.camera.view })
      },
      onReturned: () => this.begin(),
      onSending: () => {
        const { sender } = this.#pictures
        if ('sending' in this.state && sender) this.#set({ ...this.state, sending: sender.sending })
      },
      onHealth: (health) => {
        if (this.state.name === 'live') this.#set({ ...this.state, health })
      },
      onLost: () => {
        const shown = this.state
        if (shown.name === 'live')
          this.#set({ name: 'camera', facts: shown.facts, sending: shown.sending, ...this.#pictures.camera.view })
      },
      onProblem: (problem, stills) =>
        this.#run(() => (problem.kind === 'unauthorized' ? this.#over(problem) : this.#askAgain(stills))),
    }
  }

  #set(next: RoomState): void {
    this.#shown.set(next)
  }
}
