import { base64Of } from '@integrity/client/pack-frames'
import type { QueuePort } from './queue.port.ts'
import type { OpenCamera, Ports, RunningFilm } from './session.ports.ts'

/** Length of a clip. A loss of the phone loses less than one, a chunk at the most. */
const clipMs = 30_000

interface Running {
  readonly id: string
  readonly film: RunningFilm
  readonly cancel: () => void
}

export interface ClipEvents {
  /** A clip is in the queue. */
  onClip(): void
  /** What was filmed is stored: there is room. */
  onStored(): void
  /** The phone's storage did not take it. The film ends with what there is of it; `start` begins another. */
  onBroken(error: unknown): void
}

/** Films in clips of half a minute, each chunk stored as it comes. */
export class Clips {
  readonly #ports: Ports
  readonly #queue: QueuePort
  readonly #sessionId: string
  readonly #events: ClipEvents
  #running: Running | undefined
  // A film with a hole in it cannot be played: after a chunk that was not stored, none of the same film is.
  readonly #broken = new Set<string>()
  // One write after the other: a clip is closed only when its last chunk is stored.
  #writes: Promise<void> = Promise.resolve()

  constructor(ports: Ports, queue: QueuePort, sessionId: string, events: ClipEvents) {
    this.#ports = ports
    this.#queue = queue
    this.#sessionId = sessionId
    this.#events = events
  }

  get filming(): boolean {
    return this.#running !== undefined
  }

  /** Does nothing while it films already. False where this phone cannot film. */
  start(camera: OpenCamera): boolean {
    if (this.#running) return true
    const id = this.#ports.device.newId()
    const { serverTime, time } = this.#ports
    const at = serverTime.now()
    const film = camera.film((bytes) =>
      this.#write(id, async () => {
        await this.#queue.addChunk(id, bytes, Math.max(1, serverTime.now() - at))
        this.#events.onStored()
      }),
    )
    if (!film) return false
    const { contentType } = film
    this.#write(id, () => this.#queue.beginFilm({ clientId: id, sessionId: this.#sessionId, at, contentType }))
    void this.#addSmall(id, camera)
    const cancel = time.after(clipMs, () => {
      void this.stop()
      this.start(camera)
    })
    this.#running = { id, film, cancel }
    return true
  }

  /** Resolves when the clip is in the queue. */
  async stop(): Promise<void> {
    const running = this.#running
    if (!running) return this.#writes
    this.#running = undefined
    running.cancel()
    await running.film.stop()
    this.#writes = this.#writes
      .then(() => this.#queue.endFilm(running.id))
      .then(() => this.#events.onClip())
      .catch((error: unknown) => this.#events.onBroken(error))
    await this.#writes
  }

  /** Of the film's beginning. Without one, the service makes it where it is looked at. */
  async #addSmall(id: string, camera: OpenCamera): Promise<void> {
    const small = await camera.small().catch(() => undefined)
    if (!small) return
    // A film is whole without it.
    const add = () => this.#queue.addSmall(id, base64Of(new Uint8Array(small)))
    this.#writes = this.#writes.then(add).catch(() => undefined)
  }

  #write(id: string, work: () => Promise<void>): void {
    this.#writes = this.#writes
      .then(() => (this.#broken.has(id) ? undefined : work()))
      .catch((error: unknown) => {
        this.#broken.add(id)
        // Not awaited: it waits for this write.
        if (this.#running?.id === id) void this.stop()
        this.#events.onBroken(error)
      })
  }
}
