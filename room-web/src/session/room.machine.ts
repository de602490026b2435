import { backoffMs, deviceBackoff } from '@integrity/client/backoff'
import { IntegrityError } from '@integrity/client/errors'
import { CameraStep } from './camera.step.ts'
import type { RoomPorts } from './room.ports.ts'
import { Sender } from './room.sender.ts'
import type { RoomActions, RoomState, StateNamed } from './room.states.ts'
import type { OpenCamera, RoomFacts, Still } from './room.types.ts'
import { consentDocumentOf, linkEndOf } from './room-api.ts'
import type { StillsQueue } from './stills.queue.ts'
import { Recorder } from './stills.recorder.ts'

/** How often the policy, the consent and the session's end are asked for. */
const refreshMs = 15_000

const asked = ({ config }: RoomFacts): boolean => config.camera.enabled && config.camera.stills
const agreed = ({ consent }: RoomFacts): boolean => consent?.granted === true && consent.withdrawnAt === null
const mayTake = (facts: RoomFacts): boolean => asked(facts) && agreed(facts)

/** The room from the opened link to its release. Knows nothing of React or the DOM. */
export class Room implements RoomActions {
  readonly #ports: RoomPorts
  readonly #camera: CameraStep
  readonly #listeners = new Set<() => void>()
  #state: RoomState = { name: 'opening' }
  #org: RoomFacts['org'] | undefined
  #queue: StillsQueue | undefined
  #sender: Sender | undefined
  #recorder: Recorder | undefined
  #stopRecording: (() => void) | undefined
  #cancelTimer = () => {}
  #failures = 0
  // Raised by whatever makes earlier work moot: an answer that comes late for an older turn changes nothing.
  #turn = 0

  constructor(ports: RoomPorts) {
    this.#ports = ports
    this.#camera = new CameraStep(
      ports.camera,
      () => this.#showCamera(),
      () => this.begin(),
    )
    ports.onOnline(() => {
      this.#sender?.again()
      this.tryNow()
    })
  }

  get state(): RoomState {
    return this.#state
  }

  /** Whose room it is, once that is known; also after its end. */
  get org(): RoomFacts['org'] | undefined {
    return this.#org
  }

  /** Calls back after each change of `state`; answers how to stop. An arrow, so that React may hold it. */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  start(): void {
    this.#run(() => this.#take(false))
  }

  /** The page itself has failed: the camera must not run on behind it. What waits stays in the queue. */
  suspend(): void {
    this.#leave()
  }

  answer(accepted: boolean): void {
    const shown = this.#state
    if (shown.name !== 'consent' || shown.busy) return
    this.#set({ ...shown, busy: true, problem: false })
    this.#run(() => this.#answer(shown, accepted))
  }

  reconsider(): void {
    const shown = this.#state
    if (shown.name === 'declined') this.#run(() => this.#reconsider(shown))
  }

  openCamera(deviceId?: string): void {
    if (this.#state.name === 'camera') void this.#camera.open(deviceId)
  }

  begin(): void {
    if (this.#state.name !== 'camera' || !this.#state.preview || !this.#sender) return
    const opened = this.#camera.handOver()
    if (opened) this.#record(this.#state.facts, opened, this.#sender)
  }

  stop(): void {
    const shown = this.#state
    if (shown.name !== 'live' && shown.name !== 'camera') return
    this.#ports.memory.stopping = true
    this.#finish(shown.facts)
  }

  abandon(): void {
    if (this.#state.name !== 'releasing') return
    this.#turn += 1
    this.#sender?.stop()
    this.#run(() => this.#abandon())
  }

  takeOver(): void {
    if (this.#state.name === 'elsewhere') this.#run(() => this.#take(true))
  }

  tryNow(): void {
    if (this.#state.name === 'unreachable') this.#load()
  }

  relocalise(): void {
    if (this.#state.name !== 'consent') return
    this.#turn += 1
    const mine = this.#turn
    this.#ports.api.read().then(
      (facts) => {
        // An answer that is on its way is to the words that were read.
        if (mine === this.#turn && this.#state.name === 'consent' && !this.#state.busy)
          this.#run(() => this.#proceed(facts))
      },
      // The words stay as they are.
      () => undefined,
    )
  }

  async #take(steal: boolean): Promise<void> {
    const { camera, lock, openQueue } = this.#ports
    if (!camera.supported) return this.#set({ name: 'unsupported', why: 'camera' })
    const onTaken = () => {
      this.#leave()
      this.#set({ name: 'elsewhere' })
    }
    if (!(await lock.take({ steal, onTaken }))) return this.#set({ name: 'elsewhere' })
    this.#set({ name: 'opening' })
    this.#queue ??= await openQueue()
    this.#load()
  }

  #load(): void {
    this.#cancelTimer()
    const mine = this.#turn
    this.#run(async () => {
      const facts = await this.#ports.api.read()
      this.#failures = 0
      if (mine === this.#turn) await this.#proceed(facts)
    })
  }

  /** Where these facts lead, from anywhere. */
  async #proceed(facts: RoomFacts): Promise<void> {
    this.#org = facts.org
    if (mayTake(facts)) return this.#collect(facts)
    this.#leave()
    if (!asked(facts)) {
      this.#set({ name: 'off', facts })
      // What was taken while it was asked for is still wanted.
      if (agreed(facts)) this.#startSending()
      return this.#later(refreshMs, () => this.#load())
    }
    if (facts.consent === null)
      return this.#set({ name: 'consent', facts, changed: false, busy: false, problem: false })
    // What was taken and not yet sent goes with the consent.
    await this.#queue?.purge(this.#ports.sessionId)
    this.#set({ name: 'declined', facts, problem: false })
  }

  /** Consent is there: on to the camera, or on with it. */
  async #collect(facts: RoomFacts): Promise<void> {
    const shown = this.#state
    if (shown.name === 'live') return this.#takeFacts(shown, facts)
    if (shown.name === 'camera' || shown.name === 'releasing') return this.#set({ ...shown, facts })
    const { memory } = this.#ports
    this.#leave()
    this.#startSending()
    if (memory.stopping) return this.#finish(facts)
    if (!this.#sender) return
    this.#set({ name: 'camera', facts, sending: this.#sender.sending, ...this.#camera.view })
    this.#later(refreshMs, () => this.#refresh())
    // A reload goes on where it was; otherwise the person sees the picture first and begins.
    if (memory.camera !== undefined && (await this.#camera.open(memory.camera))) this.begin()
  }

  #startSending(): void {
    if (!this.#queue) return
    const show = () => {
      const shown = this.#state
      if ('sending' in shown && this.#sender) this.#set({ ...shown, sending: this.#sender.sending })
    }
    this.#sender = new Sender(this.#ports, this.#queue, show, (problem, still) => {
      if (problem.kind === 'unauthorized') this.#run(() => this.#over(problem))
      else this.#run(() => this.#askAgain(still))
    })
  }

  #record(facts: RoomFacts, opened: OpenCamera, sender: Sender): void {
    const { memory, time, sessionId, stayAwake } = this.#ports
    memory.camera = opened.device.id
    const { stream, device } = opened
    this.#set({ name: 'live', facts, sending: sender.sending, stream, device, health: 'ok' })
    const recorder = new Recorder(
      {
        ...{ camera: opened, queue: sender.queue, time, sessionId },
        onTaken: () => sender.added(),
        onHealth: (health) => {
          if (this.#state.name === 'live') this.#set({ ...this.#state, health })
        },
        onBroken: () => sender.broken(),
      },
      facts.config.camera.stillIntervalSeconds,
    )
    this.#recorder = recorder
    const sleepAgain = stayAwake()
    this.#stopRecording = () => {
      recorder.stop()
      opened.close()
      sleepAgain()
    }
    opened.onLost(() => {
      this.#recordingOff()
      const shown = this.#state
      if (shown.name !== 'live') return
      this.#set({ name: 'camera', facts: shown.facts, sending: shown.sending, ...this.#camera.view })
      void this.#camera.lost(device)
    })
  }

  #takeFacts(shown: StateNamed<'live'>, facts: RoomFacts): void {
    this.#recorder?.changeInterval(facts.config.camera.stillIntervalSeconds)
    this.#set({ ...shown, facts })
  }

  #refresh(): void {
    const mine = this.#turn
    this.#later(refreshMs, () => this.#refresh())
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

  /** Policy or consent said no to a picture: what the service says now decides. */
  async #askAgain(still: Still): Promise<void> {
    const mine = this.#turn
    const facts = await this.#ports.api.read()
    if (mine !== this.#turn) return
    // Consent is there, so it was the policy of the moment it was taken in: it must not hold up what comes after it.
    if (agreed(facts)) await this.#sender?.skip(still)
    await this.#proceed(facts)
  }

  async #answer(shown: StateNamed<'consent'>, accepted: boolean): Promise<void> {
    const { version, locale, hash: documentHash } = shown.facts.consentDocument
    const acceptedAt = new Date(this.#ports.time.now()).toISOString()
    try {
      await this.#proceed(await this.#ports.api.answer({ version, locale, documentHash, accepted, acceptedAt }))
    } catch (error) {
      if (!(error instanceof IntegrityError) || error.kind === 'unauthorized') throw error
      const newest = consentDocumentOf(error)
      const changed = newest !== undefined
      // It is no longer asked for, or the session has moved on: what the service says now decides.
      if (!changed && !error.isPassing) return this.#load()
      const consentDocument = newest ?? shown.facts.consentDocument
      const facts = { ...shown.facts, consentDocument }
      this.#set({ name: 'consent', facts, changed, busy: false, problem: !changed })
    }
  }

  async #reconsider(shown: StateNamed<'declined'>): Promise<void> {
    try {
      // As it is now: it may have changed since it was declined.
      const facts = await this.#ports.api.read()
      if (!asked(facts) || agreed(facts)) await this.#proceed(facts)
      else this.#set({ name: 'consent', facts, changed: false, busy: false, problem: false })
    } catch (error) {
      if (!(error instanceof IntegrityError) || error.kind === 'unauthorized') throw error
      this.#set({ ...shown, problem: true })
    }
  }

  /** No more pictures from here on; the last ones go out before the room is let go. */
  #finish(facts: RoomFacts): void {
    this.#cancelTimer()
    this.#recordingOff()
    this.#camera.close()
    const sender = this.#sender
    if (!sender) return
    this.#set({ name: 'releasing', facts, sending: sender.sending, lost: 0 })
    const mine = this.#turn
    void sender.drained().then(() => {
      if (mine === this.#turn) this.#run(() => this.#release())
    })
  }

  async #abandon(): Promise<void> {
    const { sessionId } = this.#ports
    const progress = await this.#queue?.progress(sessionId)
    const lost = (await this.#queue?.purge(sessionId)) ?? 0
    const shown = this.#state
    if (shown.name !== 'releasing' || !progress) return
    this.#set({ ...shown, lost, sending: { ...shown.sending, progress: { ...progress, waiting: 0 } } })
    await this.#release()
  }

  async #release(): Promise<void> {
    const shown = this.#state
    if (shown.name !== 'releasing') return
    try {
      await this.#ports.api.release()
    } catch (error) {
      if (!(error instanceof IntegrityError)) throw error
      if (error.isPassing) {
        this.#set({ ...shown, sending: { ...shown.sending, reached: false } })
        const wait = this.#waitAfter(error)
        return this.#later(wait, () => this.#run(() => this.#release()))
      }
      // The link is over already: that is where this was to lead.
    }
    const { sessionId, memory } = this.#ports
    this.#leave()
    memory.forget()
    // What was given up took its count with it.
    const counted = shown.lost > 0 ? shown.sending.progress : await this.#queue?.progress(sessionId)
    await this.#queue?.purge(sessionId)
    this.#set({ name: 'done', sent: counted?.sent ?? 0, lost: shown.lost })
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
      const wait = this.#waitAfter(error)
      // Pictures go on being taken and kept; the next refresh asks again.
      if ('sending' in this.#state) return this.#later(wait, () => this.#refresh())
      this.#set({ name: 'unreachable' })
      this.#later(wait, () => this.#load())
    })
  }

  #recordingOff(): void {
    this.#stopRecording?.()
    this.#stopRecording = undefined
    this.#recorder = undefined
  }

  /** Everything off; what is on its way changes nothing any more. */
  #leave(): void {
    this.#turn += 1
    this.#cancelTimer()
    this.#recordingOff()
    this.#camera.close()
    this.#sender?.stop()
    this.#sender = undefined
  }

  #showCamera(): void {
    const shown = this.#state
    if (shown.name === 'camera') this.#set({ ...shown, ...this.#camera.view })
  }

  #waitAfter({ retryAfterMs: askedMs }: IntegrityError): number {
    this.#failures += 1
    return backoffMs(this.#failures, { ...deviceBackoff, random: this.#ports.time.random, askedMs })
  }

  #later(ms: number, callback: () => void): void {
    this.#cancelTimer()
    this.#cancelTimer = this.#ports.time.after(ms, callback)
  }

  #set(next: RoomState): void {
    this.#state = next
    for (const listener of this.#listeners) listener()
  }
}
