import type { TimePort } from '@integrity/shared-ui/session/time-port'
import type { OpenCamera, Picture, Still } from './room.types.ts'
import type { StillsQueue } from './stills.queue.ts'

/** What the camera gives, judged by its pictures and not by what the browser says of it. */
export type CameraHealth = 'ok' | 'no_picture' | 'same_picture'

export interface RecorderPorts {
  readonly camera: OpenCamera
  readonly queue: StillsQueue
  readonly time: TimePort
  readonly sessionId: string
  readonly onTaken: (still: Still) => void
  readonly onHealth: (health: CameraHealth) => void
  /** The browser's storage did not take the picture. */
  readonly onBroken: (error: unknown) => void
}

/** So many pictures with exactly the same pixels are said to the person. */
const sameBeforeTold = 3

/** A camera without a picture is looked at again soon, however long the interval is. */
const lookAgainMs = 5_000

const hex = (bytes: ArrayBuffer): string =>
  [...new Uint8Array(bytes)].map((byte) => byte.toString(16).padStart(2, '0')).join('')

const stillOf = async (picture: Picture, sessionId: string, at: number): Promise<Still> => ({
  clientId: crypto.randomUUID(),
  sessionId,
  capturedAt: new Date(at).toISOString(),
  contentType: picture.contentType,
  sha256: hex(await crypto.subtle.digest('SHA-256', picture.bytes)),
  bytes: picture.bytes,
  ...(picture.small && { small: picture.small }),
  width: picture.width,
  height: picture.height,
})

/**
 * Takes a picture now and then one every interval, each into the queue. A camera that has given no new picture is not
 * photographed a second time: an old picture would be shown as one of now.
 */
export class Recorder {
  readonly #ports: RecorderPorts
  #intervalMs: number
  #stopped = false
  #same = 0
  #gavePicture = true
  #began = 0
  #cancel: (() => void) | undefined

  constructor(ports: RecorderPorts, intervalSeconds: number) {
    this.#ports = ports
    this.#intervalMs = intervalSeconds * 1_000
    this.#tick()
  }

  /** From the next picture on, counted from the last one. */
  changeInterval(seconds: number): void {
    if (this.#intervalMs === seconds * 1_000) return
    this.#intervalMs = seconds * 1_000
    // While a picture is being taken, nothing is planned yet.
    if (this.#cancel) this.#plan()
  }

  stop(): void {
    this.#stopped = true
    this.#cancel?.()
  }

  #tick(): void {
    this.#cancel = undefined
    this.#began = this.#ports.time.now()
    void this.#take()
      .catch((error: unknown) => {
        if (!this.#stopped) this.#ports.onBroken(error)
      })
      .finally(() => {
        if (!this.#stopped) this.#plan()
      })
  }

  #plan(): void {
    const wait = this.#gavePicture ? this.#intervalMs : Math.min(this.#intervalMs, lookAgainMs)
    // From when it was due, so that the interval does not grow by what taking the picture needs.
    const spent = Math.max(0, this.#ports.time.now() - this.#began)
    this.#cancel?.()
    this.#cancel = this.#ports.time.after(Math.max(0, wait - spent), () => this.#tick())
  }

  async #take(): Promise<void> {
    const { camera, queue, time, sessionId, onHealth, onTaken } = this.#ports
    const at = time.now()
    const picture = await camera.take()
    if (this.#stopped) return
    this.#gavePicture = picture !== undefined
    if (!picture) return onHealth('no_picture')
    this.#same = picture.sameAsBefore ? this.#same + 1 : 0
    const still = await stillOf(picture, sessionId, at)
    // Stopped meanwhile: the person's word counts from the moment it is given.
    if (this.#stopped) return
    await queue.put(still)
    if (this.#stopped) return
    onHealth(this.#same >= sameBeforeTold ? 'same_picture' : 'ok')
    onTaken(still)
  }
}
