import type { RoomPorts } from './room.ports.ts'
import type { Sending } from './room.states.ts'
import { noTally, type Still } from './room.types.ts'
import type { ApiProblem } from './room-api.ts'
import type { StillsQueue } from './stills.queue.ts'
import { Uploader } from './stills.uploader.ts'

const nothingYet: Sending = {
  progress: { waiting: 0, ...noTally },
  reached: true,
  broken: false,
  lastSent: undefined,
}

/** The uploader with what the page shows of it. Lives from the consent to the release, whatever the camera does. */
export class Sender {
  readonly queue: StillsQueue
  readonly #sessionId: string
  readonly #uploader: Uploader
  readonly #onChange: () => void
  #over = false
  sending: Sending = nothingYet

  constructor(
    ports: RoomPorts,
    queue: StillsQueue,
    onChange: () => void,
    onProblem: (problem: ApiProblem, still: Still) => void,
  ) {
    const { sessionId, api, time } = ports
    this.queue = queue
    this.#sessionId = sessionId
    this.#onChange = onChange
    this.#uploader = new Uploader({
      ...{ queue, api, time, sessionId },
      onSettled: (still, outcome) => {
        if (outcome === 'sent') this.#change({ lastSent: still })
        this.recount()
      },
      onNetwork: (reached) => this.#change({ reached }),
      onProblem: (problem, still) => {
        if (!this.#over) onProblem(problem, still)
      },
      onBroken: () => this.broken(),
    })
    this.recount()
    this.#uploader.wake()
  }

  /** A picture was put into the queue. */
  added(): void {
    this.#change({ broken: false })
    this.recount()
    this.#uploader.wake()
  }

  /** The counts come from the disk, so that they are true after a reload too. */
  recount(): void {
    this.queue.progress(this.#sessionId).then(
      (progress) => this.#change({ progress }),
      () => this.broken(),
    )
  }

  broken(): void {
    this.#change({ broken: true })
  }

  /** The network is back, or the service may think differently now. */
  again(): void {
    this.#uploader.again()
  }

  /** Takes out what the service refuses although consent is there, so that the rest can go on. */
  async skip(still: Still): Promise<void> {
    await this.queue.settle(still, 'refused')
    this.recount()
    this.#uploader.wake()
  }

  drained(): Promise<void> {
    return this.#uploader.drained()
  }

  stop(): void {
    this.#over = true
    this.#uploader.stop()
  }

  #change(part: Partial<Sending>): void {
    if (this.#over) return
    this.sending = { ...this.sending, ...part }
    this.#onChange()
  }
}
