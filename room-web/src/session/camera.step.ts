import type { CameraView } from './room.states.ts'
import { type CameraDevice, CameraError, type CameraPort, type OpenCamera } from './room.types.ts'

const closed: CameraView = { busy: false, preview: undefined, devices: [], problem: undefined }

/** Choosing a camera and looking at its picture, before anything is sent. */
export class CameraStep {
  readonly #port: CameraPort
  readonly #onView: () => void
  readonly #onReturned: () => void
  #opened: OpenCamera | undefined
  #lostId: string | undefined
  // Raised by each opening and closing: a permission prompt may be answered minutes later.
  #turn = 0
  view: CameraView = closed

  /** `onReturned`: a camera that had gone is back and open again. */
  constructor(port: CameraPort, onView: () => void, onReturned: () => void) {
    this.#port = port
    this.#onView = onView
    this.#onReturned = onReturned
    port.onChange(() => void this.#devicesChanged())
  }

  /** Answers whether the camera is on. */
  async open(deviceId?: string): Promise<boolean> {
    this.#letGo()
    const mine = this.#turn
    this.#show({ busy: true, problem: undefined, preview: undefined })
    try {
      const opened = await this.#port.open(deviceId)
      if (mine !== this.#turn) {
        opened.close()
        return false
      }
      this.#opened = opened
      opened.onLost(() => void this.lost(opened.device))
      // Only a browser that was permitted the camera tells the names of all of them.
      const devices = await this.#port.list()
      if (mine !== this.#turn) return false
      this.#lostId = undefined
      this.#show({ busy: false, preview: { stream: opened.stream, device: opened.device }, devices })
      return true
    } catch (error) {
      if (mine !== this.#turn) return false
      const problem = error instanceof CameraError ? error.problem : 'busy'
      this.#show({ busy: false, problem, devices: await this.#port.list().catch(() => []) })
      return false
    }
  }

  /** The camera went away by itself. */
  async lost(device: CameraDevice): Promise<void> {
    this.#letGo()
    const mine = this.#turn
    this.#lostId = device.id
    this.#show({ busy: false, preview: undefined, problem: 'lost' })
    const devices = await this.#port.list().catch(() => [])
    if (mine === this.#turn) this.#show({ devices })
  }

  /** The open camera, which from now on belongs to the caller. */
  handOver(): OpenCamera | undefined {
    const opened = this.#opened
    this.#opened = undefined
    this.#turn += 1
    this.view = { ...closed, devices: this.view.devices }
    return opened
  }

  close(): void {
    this.#letGo()
    this.#lostId = undefined
    this.view = closed
  }

  async #devicesChanged(): Promise<void> {
    const mine = this.#turn
    const devices = await this.#port.list().catch(() => this.view.devices)
    if (mine !== this.#turn) return
    this.#show({ devices })
    if (this.#lostId === undefined || !devices.some(({ id }) => id === this.#lostId)) return
    if (await this.open(this.#lostId)) this.#onReturned()
  }

  #letGo(): void {
    this.#turn += 1
    this.#opened?.close()
    this.#opened = undefined
  }

  #show(change: Partial<CameraView>): void {
    this.view = { ...this.view, ...change }
    this.#onView()
  }
}
