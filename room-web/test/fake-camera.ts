import {
  type CameraDevice,
  CameraError,
  type CameraPort,
  type CameraProblem,
  type OpenCamera,
  type Picture,
} from '../src/session/room.types.ts'

/** A camera whose pictures are a number each. */
export class FakeCamera implements CameraPort {
  supported = true
  devices: CameraDevice[] = [
    { id: 'cam-1', label: 'Front' },
    { id: 'cam-2', label: 'Desk' },
  ]
  problem: CameraProblem | undefined
  /** What the camera gives: nothing, the same pixels, or a new picture each time. */
  gives: 'nothing' | 'same' | 'pictures' = 'pictures'
  /** Holds a picture back until a test lets it go. */
  shutter: Promise<void> = Promise.resolve()
  opened: (OpenCamera & { lose(): void })[] = []
  openNow = 0
  #taken = 0
  #listeners = new Set<() => void>()

  async open(deviceId?: string): Promise<OpenCamera> {
    if (this.problem) throw new CameraError(this.problem)
    const device = this.devices.find(({ id }) => id === deviceId) ?? this.devices[0]
    if (!device) throw new CameraError('none')
    let lost = () => {}
    this.openNow += 1
    let closed = false
    const camera = {
      device,
      stream: { of: device.id },
      take: async () => {
        await this.shutter
        return this.#picture()
      },
      onLost: (listener: () => void) => {
        lost = listener
      },
      close: () => {
        if (!closed) this.openNow -= 1
        closed = true
      },
      lose: () => lost(),
    }
    this.opened.push(camera)
    return camera
  }

  async list(): Promise<CameraDevice[]> {
    return this.devices
  }

  onChange(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  plug(devices: CameraDevice[]): void {
    this.devices = devices
    for (const listener of this.#listeners) listener()
  }

  #picture(): Picture | undefined {
    if (this.gives === 'nothing') return undefined
    this.#taken += 1
    const bytes = new TextEncoder().encode(`picture ${this.#taken}`).buffer
    return { bytes, contentType: 'image/webp', width: 640, height: 360, sameAsBefore: this.gives === 'same' }
  }
}
