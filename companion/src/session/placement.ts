import { checkFrame, type FrameChecks, noFrame } from './frame-checks.ts'
import { checkMotion, type MotionChecks, readMotion } from './motion-checks.ts'
import type { QueuedPlacement } from './queue.port.ts'
import { CameraError, type CameraProblem, type OpenCamera, type Ports } from './session.ports.ts'
import { type ConfirmedStep, type MotionSample, type Picture, type Step, steps } from './session.types.ts'

export interface Checks extends FrameChecks, MotionChecks {}

export interface PlacementView {
  readonly camera: OpenCamera | undefined
  readonly problem: CameraProblem | undefined
  readonly busy: boolean
  /** Every step in its order, confirmed where the candidate has ticked it. */
  readonly answers: readonly ConfirmedStep[]
  readonly checks: Checks
  /** The photo as it would be sent. */
  readonly photo: (Picture & { readonly at: number }) | undefined
  /** The camera gave no picture when the photo was taken. */
  readonly noPhoto: boolean
  /** The phone's storage did not take the photo. */
  readonly full: boolean
}

const checkMs = 700
const mostSamples = 60

const atFirst: PlacementView = {
  camera: undefined,
  problem: undefined,
  busy: false,
  answers: steps.map((step) => ({ step, confirmed: false })),
  checks: { ...noFrame, ...checkMotion(undefined) },
  photo: undefined,
  noPhoto: false,
  full: false,
}

/** Where the phone stands: the camera with its checks, what the candidate says of it, and the photo that they see first. */
export class Placement {
  readonly #ports: Ports
  readonly #onChange: () => void
  #samples: MotionSample[] = []
  #stopMotion = () => {}
  #cancelCheck = () => {}
  #ended = false
  view: PlacementView = atFirst

  constructor(ports: Ports, onChange: () => void) {
    this.#ports = ports
    this.#onChange = onChange
  }

  /** What is sent, once there is a photo. */
  itemOf(clientId: string, sessionId: string): QueuedPlacement | undefined {
    const { photo, answers } = this.view
    if (!photo) return undefined
    const { at, ...picture } = photo
    return { kind: 'placement', clientId, sessionId, at, steps: answers, photo: picture }
  }

  /** From a touch: browser and phone may ask the person. */
  async open(): Promise<void> {
    if (this.view.busy || this.view.camera) return
    this.#show({ busy: true, problem: undefined })
    this.#stopMotion()
    this.#stopMotion = this.#ports.motion.start((sample) => {
      this.#samples.push(sample)
      if (this.#samples.length > mostSamples) this.#samples.shift()
    })
    try {
      const camera = await this.#ports.camera.open()
      if (this.#ended) return camera.close()
      camera.onHealth((health) => {
        if (health === 'ended') this.#lose('camera_missing')
      })
      this.#show({ busy: false, camera })
      void this.#check()
    } catch (error) {
      if (!this.#ended)
        this.#show({ busy: false, problem: error instanceof CameraError ? error.problem : 'camera_busy' })
    }
  }

  /** The candidate sees that it is so, or no longer. */
  tick(step: Step): void {
    const answers = this.view.answers.map((answer) =>
      answer.step === step ? { step, confirmed: !answer.confirmed } : answer,
    )
    this.#show({ answers })
  }

  async shoot(): Promise<void> {
    const { camera, busy } = this.view
    if (!camera || busy) return
    this.#show({ busy: true, noPhoto: false })
    const at = this.#ports.serverTime.now()
    const photo = await camera.take('photo').catch(() => undefined)
    if (this.#ended) return
    this.#show({ busy: false, photo: photo && { ...photo, at }, noPhoto: photo === undefined })
  }

  retake(): void {
    this.#show({ photo: undefined, full: false })
  }

  /** It could not be kept. */
  refuse(): void {
    this.#show({ full: true })
  }

  /** Ends it. The open camera belongs to the caller from now on. */
  end(): OpenCamera | undefined {
    this.#ended = true
    this.#stopMotion()
    this.#cancelCheck()
    return this.view.camera
  }

  async #check(): Promise<void> {
    const { camera } = this.view
    if (!camera || this.#ended) return
    const frame = await camera.sample().catch(() => undefined)
    if (this.#ended || this.view.camera !== camera) return
    this.#show({ checks: { ...(frame ? checkFrame(frame) : noFrame), ...checkMotion(readMotion(this.#samples)) } })
    this.#cancelCheck = this.#ports.time.after(checkMs, () => void this.#check())
  }

  #lose(problem: CameraProblem): void {
    if (this.#ended) return
    this.view.camera?.close()
    this.#show({ camera: undefined, problem, photo: undefined })
  }

  #show(change: Partial<PlacementView>): void {
    this.view = { ...this.view, ...change }
    this.#onChange()
  }
}
