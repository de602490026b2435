import { Clips } from './clips.ts'
import type { QueuePort } from './queue.port.ts'
import type { Sender } from './sender.ts'
import { CameraError, type DeviceReading, type OpenCamera, type Ports } from './session.ports.ts'
import type { Beat, Pairing, Reason } from './session.types.ts'

/** `waiting`: the interview has not begun. `paused`: policy or consent does not ask for the side view now. */
export type LiveMode = 'opening' | 'waiting' | 'recording' | 'preview' | 'interrupted' | 'paused'

export interface LiveView {
  readonly mode: LiveMode
  readonly reason: Reason | undefined
  /** An interruption is over; epoch milliseconds by the server's clock. */
  readonly backAt: number | undefined
  readonly camera: OpenCamera | undefined
  readonly device: DeviceReading | undefined
  /** Clips are asked for, and this phone cannot make them. */
  readonly cannotFilm: boolean
}

const atFirst: LiveView = {
  mode: 'opening',
  reason: undefined,
  backAt: undefined,
  camera: undefined,
  device: undefined,
  cannotFilm: false,
}

/** A camera that did not open is tried again this often: another app may have let it go. */
const reopenMs = 5_000
const cameraProblems = ['permission_denied', 'camera_busy', 'camera_missing'] as const

/** The side view while it runs: camera, clips, previews, and a beat for every interval and every change. */
export class Live {
  readonly #ports: Ports
  readonly #sender: Sender
  readonly #clips: Clips
  readonly #onChange: () => void
  #pairing: Pairing
  readonly #reasons = new Set<Reason>()
  readonly #fullFor = new Set<'beats' | 'clips'>()
  #paused = false
  #stopped = false
  #cancels: (() => void)[] = []
  #cancelBeat = () => {}
  #cancelPreview = () => {}
  #cancelReopen = () => {}
  view: LiveView = atFirst

  constructor(ports: Ports, queue: QueuePort, sender: Sender, pairing: Pairing, onChange: () => void) {
    this.#ports = ports
    this.#sender = sender
    this.#pairing = pairing
    this.#onChange = onChange
    this.#clips = new Clips(ports, queue, pairing.session.id, {
      onClip: () => sender.wake(),
      onStored: () => this.#full('clips', false),
      onBroken: () => this.#full('clips', true),
    })
  }

  /** `camera`: the one that is open from the placement. */
  start(camera: OpenCamera | undefined): void {
    const { device } = this.#ports
    this.#cancels = [device.stayAwake(), device.onForeground(() => void this.#look())]
    if (camera) this.#use(camera)
    else void this.#open()
    void this.#look().then(() => this.#tick())
  }

  /** New facts of the service: the session's state and its policy. */
  update(pairing: Pairing): void {
    this.#pairing = pairing
    this.#sync()
  }

  /** Policy or consent says no for now: nothing is taken. */
  pause(paused: boolean): void {
    if (this.#paused === paused || this.#stopped) return
    this.#paused = paused
    if (paused) this.#close()
    else void this.#open()
    this.#sync()
  }

  /** Resolves when the last clip is in the queue. */
  async stop(): Promise<void> {
    if (this.#stopped) return
    this.#stopped = true
    for (const cancel of [...this.#cancels, this.#cancelBeat, this.#cancelPreview, this.#cancelReopen]) cancel()
    const camera = this.view.camera
    this.view = { ...this.view, camera: undefined }
    await this.#clips.stop()
    camera?.close()
  }

  async #open(): Promise<void> {
    this.#cancelReopen()
    try {
      const camera = await this.#ports.camera.open()
      if (this.#stopped || this.#paused || this.view.camera) return camera.close()
      for (const problem of cameraProblems) this.#reasons.delete(problem)
      this.#use(camera)
    } catch (error) {
      if (this.#stopped || this.#paused) return
      for (const problem of cameraProblems) this.#reasons.delete(problem)
      this.#reasons.add(error instanceof CameraError ? error.problem : 'camera_busy')
      this.#sync()
      this.#cancelReopen = this.#ports.time.after(reopenMs, () => void this.#open())
    }
  }

  #use(camera: OpenCamera): void {
    this.#show({ camera })
    camera.onHealth((health) => {
      if (this.#stopped || this.view.camera !== camera) return
      if (health !== 'ended') return this.#reason('camera_busy', health === 'muted')
      this.#close()
      this.#reason('camera_missing', true)
      this.#cancelReopen = this.#ports.time.after(reopenMs, () => void this.#open())
    })
    this.#sync()
    this.#cancelPreview()
    void this.#preview()
  }

  #close(): void {
    const camera = this.view.camera
    this.#show({ camera: undefined })
    this.#cancelPreview()
    void this.#clips.stop().then(() => camera?.close())
  }

  /** Reads battery, network and whether the app is in front. */
  async #look(): Promise<void> {
    const device = await this.#ports.device.read()
    if (this.#stopped) return
    this.#show({ device })
    this.#reason('background', !device.foreground)
  }

  #tick(): void {
    if (this.#stopped) return
    // Begins a film again that ended because there was no room.
    this.#sync()
    this.#beat()
    this.#cancelBeat = this.#ports.time.after(this.#pairing.config.presenceIntervalSeconds * 1000, () => {
      void this.#look().then(() => this.#tick())
    })
  }

  #reason(reason: Reason, holds: boolean): void {
    if (this.#stopped || this.#reasons.has(reason) === holds) return
    if (holds) this.#reasons.add(reason)
    else this.#reasons.delete(reason)
    this.#sync()
  }

  /** A beat finds room where a film does not, so each answers for itself. */
  #full(what: 'beats' | 'clips', full: boolean): void {
    if (full) this.#fullFor.add(what)
    else this.#fullFor.delete(what)
    this.#reason('storage_full', this.#fullFor.size > 0)
  }

  /** Makes the film and what is shown fit the facts; a change is said in a beat at once. */
  #sync(): void {
    if (this.#stopped) return
    const { camera } = this.view
    const [reason] = this.#reasons
    const wanted = this.#pairing.session.state === 'live' && this.#pairing.config.sideView.recording
    const only = this.#reasons.size === 1 && reason === 'storage_full'
    // With a full storage the next clip is the only way to find out that there is room again.
    const mayFilm = camera !== undefined && !this.#paused && wanted && (reason === undefined || only)
    let cannotFilm = false
    if (mayFilm) cannotFilm = !this.#clips.start(camera)
    else if (this.#clips.filming) void this.#clips.stop()
    const { mode: before, reason: reasonBefore } = this.view
    const mode = this.#mode(reason)
    const back = before === 'interrupted' && mode !== 'interrupted' ? this.#ports.serverTime.now() : this.view.backAt
    this.#show({ mode, reason, cannotFilm, backAt: mode === 'interrupted' ? undefined : back })
    if ((mode !== before || reason !== reasonBefore) && before !== 'opening') this.#beat()
  }

  #mode(reason: Reason | undefined): LiveMode {
    if (this.#paused) return 'paused'
    if (reason !== undefined) return 'interrupted'
    if (this.view.camera === undefined) return 'opening'
    if (this.#pairing.session.state === 'scheduled') return 'waiting'
    return this.#clips.filming ? 'recording' : 'preview'
  }

  #beat(): void {
    const { mode, reason, device } = this.view
    // What is not asked for is not said either; the service would refuse it.
    if (mode === 'paused' || this.#stopped) return
    const { serverTime } = this.#ports
    const why = reason ?? (serverTime.ahead === 0 ? undefined : 'clock_wrong')
    const recording = mode === 'interrupted' ? 'interrupted' : mode === 'recording' ? 'on' : 'off'
    const beat: Omit<Beat, 'clientId' | 'at'> = {
      battery: device?.battery ?? null,
      charging: device?.charging ?? null,
      network: device?.network ?? null,
      orientation: device?.orientation ?? null,
      foreground: device?.foreground ?? null,
      recording,
      reason: why ?? null,
    }
    const item = { kind: 'beat', clientId: this.#ports.device.newId(), at: serverTime.now(), beat } as const
    this.#sender
      .put({ ...item, sessionId: this.#pairing.session.id })
      .then(() => this.#full('beats', false))
      .catch(() => this.#full('beats', true))
  }

  async #preview(): Promise<void> {
    const { camera } = this.view
    if (!camera || this.#stopped) return
    const at = this.#ports.serverTime.now()
    const picture = await camera.take('preview').catch(() => undefined)
    if (this.#stopped || this.view.camera !== camera) return
    // A page in the background draws no frames: that is said by the other reason.
    if (this.view.device?.foreground !== false) this.#reason('no_picture', picture === undefined)
    const { token, session, config } = this.#pairing
    if (picture && session.state !== 'ended')
      await this.#ports.api.preview({ token, sessionId: session.id }, at, picture).then(
        () => this.#sender.heard(true),
        // It is only for the moment: the next one comes in any case, and beats tell of the network.
        () => undefined,
      )
    if (this.#stopped || this.view.camera !== camera) return
    this.#cancelPreview = this.#ports.time.after(
      config.sideView.previewIntervalSeconds * 1000,
      () => void this.#preview(),
    )
  }

  #show(change: Partial<LiveView>): void {
    this.view = { ...this.view, ...change }
    this.#onChange()
  }
}
